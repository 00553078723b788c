(* One neuron with C and D does not add mod n where 5 divides n, whatever its real entries.

   Mod 5 the neuron's W falls in some order of the answers; up to a renaming of the residues there are six. Cell by cell, the
   neuron fires there or not. For every pattern that is left, the inequalities of Certificates.v are linear, and their sum is
   at most 0 where it should be more. *)
From Coq Require Import Reals ZArith Lia Lra List Bool Arith Sorted Permutation.
From Modadd Require Import Network Certificates.
Import ListNotations.
Open Scope R_scope.

(* A linear form: coefficients of unknowns, which have numbers. Four gaps between neighbours in the order of W take the place
   of W: A, B and r = ReLU(A + B) come multiplied with each. *)
Definition form := list (Z * nat).
Definition times (z : Z) (f : form) : form := map (fun term => (z * fst term, snd term)%Z) f.
Definition at_A i a := (5 * i + a)%nat.
Definition at_B i b := (20 + 5 * i + b)%nat.
Definition at_C a c := (40 + 5 * a + c)%nat.
Definition at_D b c := (65 + 5 * b + c)%nat.
Definition at_r i a b := (90 + 25 * i + 5 * a + b)%nat.

(* Whether the neuron fires at the input 5a + b, as far as it was decided. *)
Definition pattern := nat -> option bool.
Definition decide (p : pattern) (cell : nat) (fires : bool) : pattern :=
  fun other => if Nat.eqb other cell then Some fires else p other.

Definition u i a b : form := [(1%Z, at_A i a); (1%Z, at_B i b)].
Definition r (p : pattern) i a b : form :=
  match p (5 * a + b)%nat with None => [(1%Z, at_r i a b)] | Some true => u i a b | Some false => [] end.

(* Whether an answer is among the first i + 1 of the order; W falls by the gap i after these. *)
Definition step (s : list nat) i c : Z := if existsb (Nat.eqb c) (firstn (S i) s) then 1 else 0.

(* By how much the right answer leads over one that is off by 1 + j. *)
Definition lead s p a b j : form :=
  let d := ((a + b) mod 5)%nat in let c := ((d + S j) mod 5)%nat in
  flat_map (fun i => times (step s i d - step s i c) (r p i a b)) (seq 0 4) ++
  [(1%Z, at_C a d); ((-1)%Z, at_C a c); (1%Z, at_D b d); ((-1)%Z, at_D b c)].

(* What ReLU says: r is at least u where nothing was decided, u at least 0 where the neuron fires, at most 0 elsewhere. *)
Definition bend (p : pattern) i a b : form :=
  match p (5 * a + b)%nat with
  | None => r p i a b ++ times (-1) (u i a b) | Some true => u i a b | Some false => times (-1) (u i a b) end.

Definition inequality s p k : form :=
  if (k <? 100)%nat then lead s p ((k / 20) mod 5) ((k / 4) mod 5) (k mod 4)
  else let m := (k - 100)%nat in bend p ((m / 25) mod 4) ((m / 5) mod 5) (m mod 5).

(* The coefficients of a sum, in the order of the unknowns. *)
Fixpoint bump (j : nat) (z : Z) (l : list Z) : list Z :=
  match j, l with
  | O, [] => [z] | O, y :: m => (z + y)%Z :: m
  | S j, [] => 0%Z :: bump j z [] | S j, y :: m => y :: bump j z m end.
Definition collect (f : form) (l : list Z) : list Z := fold_right (fun term => bump (snd term) (fst term)) l f.
Definition total s p (ks : list nat) : list Z := fold_right (fun k => collect (inequality s p k)) [] ks.

(* The unknowns from 90 on are values of ReLU, so a sum of them with coefficients below 0 is at most 0. *)
Fixpoint at_most_0 (k : nat) (l : list Z) : bool :=
  match l with [] => true | z :: m => (if (k <? 90)%nat then z =? 0 else z <=? 0)%Z && at_most_0 (S k) m end.

Fixpoint bytes (digits : nat) (z : Z) : list nat :=
  match digits with
  | O => [] | S more => if (z =? 0)%Z then [] else Z.to_nat (z mod 256 - 1) :: bytes more (z / 256) end.

Fixpoint excludes s p (t : tree) : bool :=
  match t with
  | Sum words => let ks := flat_map (bytes 64) words in existsb (fun k => (k <? 100)%nat) ks && at_most_0 0 (total s p ks)
  | Ask cell t1 t2 => excludes s (decide p cell true) t1 && excludes s (decide p cell false) t2 end.

Definition orders : list (list nat) :=
  [[0; 1; 2; 3; 4]; [0; 1; 2; 4; 3]; [0; 1; 3; 2; 4]; [0; 1; 3; 4; 2]; [0; 1; 4; 2; 3]; [0; 1; 4; 3; 2]]%nat.

(* Case by case: of what is in a list, of numbers below another. *)
Ltac one_of H := repeat destruct H as [<-|H]; [..|destruct H].
Ltac below H :=
  repeat match type of H with (?y < S _)%nat => is_var y; destruct y; [|apply Nat.succ_lt_mono in H] end; [..|inversion H].

Lemma certificates_exclude s : In s orders -> exists t, excludes s (fun _ => None) t = true.
Proof.
  intros H. one_of H; [exists tree1|exists tree2|exists tree3|exists tree4|exists tree5|exists tree6];
    vm_cast_no_check (eq_refl true).
Qed.

(* W sums the gaps below an answer. *)
Lemma telescope (w : nat -> R) s c : In s orders -> (c < 5)%nat ->
  sum (fun i => IZR (step s i c) * (w (nth i s 0%nat) - w (nth (S i) s 0%nat))) 4 = w c - w (nth 4 s 0%nat).
Proof. intros H c5. one_of H; below c5; cbn -[IZR]; ring. Qed.

Section Neuron.
Variables (N : network) (s : list nat).
Hypothesis order : In s orders.
Hypothesis right : adds 5 (logit 1 N).

Definition gap i := W N 0 (nth i s 0%nat) - W N 0 (nth (S i) s 0%nat).
Hypothesis falls : forall i, (i < 4)%nat -> 0 <= gap i.

Definition fired a b := A N a 0%nat + B N b 0%nat.
Definition x (k : nat) : R :=
  if (k <? 20)%nat then gap (k / 5) * A N (k mod 5) 0%nat
  else if (k <? 40)%nat then gap ((k - 20) / 5) * B N ((k - 20) mod 5) 0%nat
  else if (k <? 65)%nat then C N ((k - 40) / 5) ((k - 40) mod 5)
  else if (k <? 90)%nat then D N ((k - 65) / 5) ((k - 65) mod 5)
  else gap (((k - 90) / 25) mod 4) * relu (fired (((k - 90) / 5) mod 5) ((k - 90) mod 5)).

Definition of_form (f : form) : R := fold_right (fun term y => IZR (fst term) * x (snd term) + y) 0 f.
Fixpoint dot (k : nat) (l : list Z) : R := match l with [] => 0 | z :: m => IZR z * x k + dot (S k) m end.

Lemma of_app f g : of_form (f ++ g) = of_form f + of_form g.
Proof. induction f as [|t f H]; simpl; [ring|rewrite H; ring]. Qed.

Lemma of_times z f : of_form (times z f) = IZR z * of_form f.
Proof. induction f as [|t f H]; simpl; [ring|rewrite H, mult_IZR; ring]. Qed.

Lemma dot_bump j z l k : dot k (bump j z l) = IZR z * x (k + j) + dot k l.
Proof.
  revert l k. induction j as [|j H]; intros [|y m] k; simpl; rewrite ?H, ?Nat.add_0_r, ?plus_IZR; simpl; try ring;
    replace (S (k + j)) with (k + S j)%nat by lia; ring.
Qed.

Lemma dot_collect f l : dot 0 (collect f l) = of_form f + dot 0 l.
Proof. induction f as [|t f H]; simpl; [ring|]. rewrite dot_bump, H. simpl. ring. Qed.

Lemma relu_unknown k : (90 <= k)%nat -> 0 <= x k.
Proof.
  intros H. unfold x. rewrite !(proj2 (Nat.ltb_ge _ _)) by lia.
  apply Rmult_le_pos; [apply falls, Nat.mod_upper_bound; lia|apply relu_nonnegative].
Qed.

Lemma dot_at_most_0 l k : at_most_0 k l = true -> dot k l <= 0.
Proof.
  revert k. induction l as [|z m H]; intros k; simpl; [lra|]. rewrite andb_true_iff. intros [Z E]. specialize (H _ E).
  destruct (Nat.ltb_spec k 90).
  - apply Z.eqb_eq in Z. subst z. lra.
  - apply Z.leb_le, IZR_le in Z. pose proof (relu_unknown k ltac:(assumption)). nra.
Qed.

Definition holds (p : pattern) : Prop := forall a b, (a < 5)%nat -> (b < 5)%nat ->
  match p (5 * a + b)%nat with None => True | Some true => 0 <= fired a b | Some false => fired a b <= 0 end.

Lemma of_u i a b : (i < 4)%nat -> (a < 5)%nat -> (b < 5)%nat -> of_form (u i a b) = gap i * fired a b.
Proof.
  intros I a5 b5. enough (x (at_A i a) = gap i * A N a 0%nat /\ x (at_B i b) = gap i * B N b 0%nat) as [E F]
    by (unfold u, fired; cbn [of_form fold_right fst snd]; rewrite E, F; ring).
  split; [below I; below a5; reflexivity|below I; below b5; reflexivity].
Qed.

Lemma of_r p i a b : holds p -> (i < 4)%nat -> (a < 5)%nat -> (b < 5)%nat -> of_form (r p i a b) = gap i * relu (fired a b).
Proof.
  intros P I a5 b5. specialize (P a b a5 b5). unfold r. destruct (p (5 * a + b)%nat) as [[|]|].
  - rewrite of_u by assumption. unfold relu. rewrite Rmax_left by lra. ring.
  - unfold relu. rewrite Rmax_right by lra. simpl. ring.
  - enough (x (at_r i a b) = gap i * relu (fired a b)) as E by (cbn [of_form fold_right fst snd]; rewrite E; ring).
    below I; below a5; below b5; reflexivity.
Qed.

Lemma of_bend p i a b : holds p -> (i < 4)%nat -> (a < 5)%nat -> (b < 5)%nat -> 0 <= of_form (bend p i a b).
Proof.
  intros P I a5 b5. pose proof (of_r p i a b P I a5 b5) as E. specialize (P a b a5 b5). specialize (falls i I).
  unfold bend. destruct (p (5 * a + b)%nat) as [[|]|]; rewrite ?of_app, ?of_times, ?of_u, ?E by assumption; try nra.
  assert (fired a b <= relu (fired a b)) by apply Rmax_l. nra.
Qed.

Lemma of_lead p a b j : holds p -> (a < 5)%nat -> (b < 5)%nat -> (j < 4)%nat -> 0 < of_form (lead s p a b j).
Proof.
  intros P a5 b5 J. unfold lead. set (d := ((a + b) mod 5)%nat). set (c := ((d + S j) mod 5)%nat).
  assert (d5 : (d < 5)%nat) by (apply Nat.mod_upper_bound; lia).
  assert (c5 : (c < 5)%nat) by (apply Nat.mod_upper_bound; lia).
  assert (other : c <> d) by (clearbody d; subst c; clear - d5 J; below d5; below J; cbn; lia).
  pose proof (right a b c a5 b5 c5 other) as K. fold d in K. unfold logit in K. cbn [sum] in K. fold (fired a b) in K.
  assert (G : of_form (flat_map (fun i => times (step s i d - step s i c) (r p i a b)) (seq 0 4)) =
    relu (fired a b) * (W N 0 d - W N 0 c)).
  { replace (W N 0 d - W N 0 c) with (W N 0 d - W N 0 (nth 4 s 0%nat) - (W N 0 c - W N 0 (nth 4 s 0%nat))) by ring.
    rewrite <- !(telescope (W N 0)) by assumption. cbn [seq flat_map sum].
    rewrite !of_app, !of_times, !of_r, !minus_IZR by (assumption || lia). unfold gap. simpl of_form. ring. }
  rewrite of_app, G.
  assert (at_c : forall e, (e < 5)%nat -> x (at_C a e) = C N a e /\ x (at_D b e) = D N b e)
    by (intros e e5; clear - a5 b5 e5; split; [below a5|below b5]; below e5; reflexivity).
  destruct (at_c d d5) as [Ed Fd], (at_c c c5) as [Ec Fc]. cbn [of_form fold_right fst snd]. rewrite Ed, Fd, Ec, Fc. lra.
Qed.

Lemma of_inequality p k : holds p -> 0 <= of_form (inequality s p k) /\ ((k < 100)%nat -> 0 < of_form (inequality s p k)).
Proof.
  intros P. unfold inequality. destruct (Nat.ltb_spec k 100).
  - enough (0 < of_form (lead s p ((k / 20) mod 5) ((k / 4) mod 5) (k mod 4))) by (split; [lra|auto]).
    apply of_lead; auto; apply Nat.mod_upper_bound; lia.
  - split; [apply of_bend; auto; apply Nat.mod_upper_bound; lia|lia].
Qed.

Lemma of_total p ks : holds p -> 0 <= dot 0 (total s p ks) /\
  (existsb (fun k => (k <? 100)%nat) ks = true -> 0 < dot 0 (total s p ks)).
Proof.
  intros P. induction ks as [|k ks [H L]]; simpl; [split; [lra|discriminate]|]. rewrite dot_collect.
  destruct (of_inequality p k P) as [H1 L1]. split; [lra|]. rewrite orb_true_iff, Nat.ltb_lt.
  intros [K|K]; [specialize (L1 K)|specialize (L K)]; lra.
Qed.

Lemma excluded t p : holds p -> excludes s p t = false.
Proof.
  revert p. induction t as [words|cell t1 H1 t2 H2]; intros p P; apply not_true_is_false; cbn [excludes];
    rewrite andb_true_iff.
  - intros [K E]. destruct (of_total p (flat_map (bytes 64) words) P) as [_ L]. specialize (L K).
    apply dot_at_most_0 in E. lra.
  - assert (D : holds (decide p cell true) \/ holds (decide p cell false)).
    { destruct (Rle_dec 0 (fired (cell / 5) (cell mod 5))); [left|right]; intros a b a5 b5; unfold decide;
        (destruct (Nat.eqb_spec (5 * a + b) cell) as [<-|]; [|apply P; assumption]);
        rewrite (Nat.mul_comm 5 a), Nat.div_add_l, Nat.div_small, Nat.add_0_r, Nat.add_comm, Nat.mod_add, Nat.mod_small in *
          by lia; lra. }
    destruct D as [D|D]; [rewrite (H1 _ D)|rewrite (H2 _ D)]; intuition discriminate.
Qed.
End Neuron.

(* Every order is one of the six, renamed. *)
Fixpoint everywhere (y : nat) (l : list nat) : list (list nat) :=
  match l with [] => [[y]] | z :: m => (y :: l) :: map (cons z) (everywhere y m) end.
Fixpoint permutations (l : list nat) : list (list nat) :=
  match l with [] => [[]] | y :: m => flat_map (everywhere y) (permutations m) end.
Definition falling (w : nat -> R) : list nat -> Prop := StronglySorted (fun c d => w d <= w c).

Lemma insert w y l : falling w l -> exists m, In m (everywhere y l) /\ Permutation (y :: l) m /\ falling w m.
Proof.
  induction l as [|z l H]; intros F; [exists [y]; repeat constructor|]. inversion F as [|? ? L G]; subst.
  destruct (Rle_dec (w z) (w y)) as [Y|Y].
  - exists (y :: z :: l). repeat split; [left|reflexivity|constructor]; auto. constructor; auto.
    eapply Forall_impl; [|exact G]. simpl. intros. lra.
  - destruct (H L) as (m & I & P & S). exists (z :: m). repeat split.
    + right. now apply in_map.
    + rewrite perm_swap. now constructor.
    + constructor; auto. eapply Permutation_Forall; [exact P|]. constructor; auto. lra.
Qed.

Lemma sorted w l : exists m, In m (permutations l) /\ falling w m.
Proof.
  induction l as [|y l (m & I & F)]; [exists []; repeat constructor|]. destruct (insert w y m F) as (k & K & _ & G).
  exists k. split; [apply in_flat_map; eauto|exact G].
Qed.

Definition renamed v t c := ((v * c + t) mod 5)%nat.
Definition renamings := list_prod (list_prod [1; 2; 3; 4] [0; 1; 2; 3; 4])%nat orders.

Lemma one_of_six m : In m (permutations [0; 1; 2; 3; 4]%nat) ->
  exists v t s, In (v, t, s) renamings /\ m = map (renamed v t) s.
Proof.
  assert (K : forallb (fun m => existsb (fun '(v, t, s) => if list_eq_dec Nat.eq_dec m (map (renamed v t) s)
    then true else false) renamings) (permutations [0; 1; 2; 3; 4]%nat) = true) by (vm_compute; reflexivity).
  rewrite forallb_forall in K. intros H. apply K, existsb_exists in H. destruct H as (((v, t), s) & I & E).
  exists v, t, s. destruct list_eq_dec; [auto|discriminate].
Qed.

Definition subnetwork (q v t : nat) (N : network) : network :=
  let name t c := (q * renamed v t c)%nat in
  Network (fun a => A N (name 0%nat a)) (fun b => B N (name t b)) (fun i c => W N i (name t c))
    (fun a c => C N (name 0%nat a) (name t c)) (fun b c => D N (name t b) (name t c)).

Lemma renamed_sum v t a b : ((renamed v 0 a + renamed v t b) mod 5 = renamed v t ((a + b) mod 5))%nat.
Proof.
  unfold renamed. rewrite <- Nat.add_mod, <- (Nat.add_mod_idemp_l (v * _)), Nat.mul_mod_idemp_r, Nat.add_mod_idemp_l by lia.
  f_equal. ring.
Qed.

Lemma renamed_differ v t c d : In v [1; 2; 3; 4]%nat -> In t [0; 1; 2; 3; 4]%nat -> (c < 5)%nat -> (d < 5)%nat ->
  renamed v t c = renamed v t d -> c = d.
Proof.
  intros V T c5 d5. one_of V; one_of T;
    below c5; below d5; intros E; cbv in E; (reflexivity || discriminate E).
Qed.

Lemma subnetwork_adds q v t N h : (0 < q)%nat -> In v [1; 2; 3; 4]%nat -> In t [0; 1; 2; 3; 4]%nat ->
  adds (5 * q) (logit h N) -> adds 5 (logit h (subnetwork q v t N)).
Proof.
  intros Q V T H a b c a5 b5 c5 other.
  assert (less : forall e, (q * (e mod 5) < 5 * q)%nat) by (intros e; pose proof (Nat.mod_upper_bound e 5); nia).
  pose proof (H (q * renamed v 0 a) (q * renamed v t b) (q * renamed v t c) (less _) (less _) (less _))%nat as K.
  rewrite <- Nat.mul_add_distr_l, (Nat.mul_comm 5 q), Nat.mul_mod_distr_l in K by lia.
  rewrite renamed_sum in K. apply K. intros G. apply other, (renamed_differ v t); auto; [apply Nat.mod_upper_bound; lia|nia].
Qed.

Theorem one_neuron_fails_where_5_divides (q : nat) (N : network) : (0 < q)%nat -> ~ adds (5 * q) (logit 1 N).
Proof.
  intros Q H. destruct (sorted (fun c => W N 0 (q * c)%nat) [0; 1; 2; 3; 4]%nat) as (m & I & F).
  destruct (one_of_six m I) as (v & t & s & J & ->). unfold renamings in J. rewrite !in_prod_iff in J.
  destruct J as [[V T] order], (certificates_exclude s order) as [tree E].
  assert (falls : forall i, (i < 4)%nat -> 0 <= gap (subnetwork q v t N) s i).
  { intros i I4. unfold gap. cbn [subnetwork W]. clear - F order I4.
    one_of order; below I4; cbn [nth map] in *;
      repeat match goal with F : falling _ _ |- _ => inversion F; clear F; subst | F : StronglySorted _ _ |- _ =>
        inversion F; clear F; subst | F : Forall _ (_ :: _) |- _ => inversion F; clear F; subst end; lra. }
  rewrite (excluded (subnetwork q v t N) s order) in E; [discriminate|now apply subnetwork_adds|exact falls|].
  intros a b _ _. exact Logic.I.
Qed.
Print Assumptions one_neuron_fails_where_5_divides.
