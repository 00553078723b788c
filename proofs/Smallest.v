(* Theorems for every modulus: how few neurons are enough, and how few are not.

   Two neurons with C and D add mod every n, and four without them, by networks of integers. No network without neurons
   adds, and none of two neurons without C and D (or of one, the other then being silent), whatever its real entries. *)

From Coq Require Import Reals ZArith Lia Lra Arith.
From Modadd Require Import Network Ball.

(* Two neurons with C and D: with s = a + b let v = s - n ReLU(s - n + 1) + n ReLU(s - n), which is s mod n. The logit
   2cv - c² = v² - (c - v)² is greatest at c = v, and the next answers are 1 below. *)

Definition two_neurons (n : nat) : tables := Tables
  (fun a i => Z.of_nat a - Z.of_nat n + match i with O => 1 | _ => 0 end)%Z
  (fun b _ => Z.of_nat b)
  (fun i c => match i with O => -2 | _ => 2 end * Z.of_nat n * Z.of_nat c)%Z
  (fun a c => 2 * Z.of_nat c * Z.of_nat a - Z.of_nat c * Z.of_nat c)%Z
  (fun b c => 2 * Z.of_nat c * Z.of_nat b)%Z.

Theorem two_neurons_add (n : nat) : leads n 2 1 0 (two_neurons n).
Proof.
  intros a b c la lb lc wrong.
  assert (V : forall c, score 2 1 (two_neurons n) a b c =
    (2 * Z.of_nat c * Z.of_nat ((a + b) mod n) - Z.of_nat c * Z.of_nat c)%Z).
  { intros x. unfold score, two_neurons. cbn [zsum IA IB IW IC ID].
    destruct (Nat.lt_ge_cases (a + b) n).
    - rewrite Nat.mod_small, !Z.max_r by lia. lia.
    - replace ((a + b) mod n)%nat with (a + b - n)%nat.
      + rewrite !Z.max_l by lia. rewrite Nat2Z.inj_sub by lia. lia.
      + replace (a + b)%nat with ((a + b - n) + 1 * n)%nat at 2 by lia. now rewrite Nat.mod_add, Nat.mod_small by lia. }
  rewrite !V. set (t := ((a + b) mod n)%nat) in *. nia.
Qed.

(* Four neurons without C and D: those two, and ReLU(s) and ReLU(1) for what C and D gave. *)
Definition four_neurons (n : nat) : tables := Tables
  (fun a i => match i with
    | 0%nat => Z.of_nat a - Z.of_nat n + 1 | 1%nat => Z.of_nat a - Z.of_nat n
    | 2%nat => Z.of_nat a | _ => 1 end)%Z
  (fun b i => match i with 3%nat => 0 | _ => Z.of_nat b end)%Z
  (fun i c => match i with
    | 0%nat => -2 * Z.of_nat n * Z.of_nat c | 1%nat => 2 * Z.of_nat n * Z.of_nat c
    | 2%nat => 2 * Z.of_nat c | _ => - (Z.of_nat c * Z.of_nat c) end)%Z
  (fun _ _ => 0%Z) (fun _ _ => 0%Z).

Theorem four_neurons_add (n : nat) : leads n 4 1 0 (four_neurons n).
Proof.
  intros a b c la lb lc wrong.
  assert (V : forall c, score 4 1 (four_neurons n) a b c =
    (2 * Z.of_nat c * Z.of_nat ((a + b) mod n) - Z.of_nat c * Z.of_nat c)%Z).
  { intros x. unfold score, four_neurons. cbn [zsum IA IB IW IC ID].
    destruct (Nat.lt_ge_cases (a + b) n).
    - rewrite Nat.mod_small by lia. rewrite (Z.max_r (Z.of_nat a - Z.of_nat n + 1 + Z.of_nat b)),
        (Z.max_r (Z.of_nat a - Z.of_nat n + Z.of_nat b)), !Z.max_l by lia. lia.
    - replace ((a + b) mod n)%nat with (a + b - n)%nat.
      + rewrite !Z.max_l by lia. rewrite Nat2Z.inj_sub by lia. lia.
      + replace (a + b)%nat with ((a + b - n) + 1 * n)%nat at 2 by lia. now rewrite Nat.mod_add, Nat.mod_small by lia. }
  rewrite !V. set (t := ((a + b) mod n)%nat) in *. nia.
Qed.

(* The same integers, read as a real network. *)
Definition real_network (T : tables) : network := Network (fun a i => IZR (IA T a i)) (fun b i => IZR (IB T b i))
  (fun i c => IZR (IW T i c)) (fun a c => IZR (IC T a c)) (fun b c => IZR (ID T b c)).

Open Scope R_scope.

Corollary two_real_neurons_add (n : nat) : adds n (logit 2 (real_network (two_neurons n))).
Proof.
  set (m := Z.of_nat n).
  apply (near_network_adds n 2 1 0 (2 * m + 1) (2 * m * m) (two_neurons n)); [lia|lia| | |].
  - unfold m. split; intros; unfold two_neurons; cbn [IA IB IW]; try destruct i; nia.
  - exact (two_neurons_add n).
  - split; intros; cbn [A B W C D real_network]; rewrite Rmult_1_r, Rminus_diag_eq, Rabs_R0 by reflexivity; lra.
Qed.

(* No neuron. Sum the lead of the right answer t over t + 1, over all inputs: in row a both run once through all
   answers, so that C adds nothing. Nor does D, in the columns. But a sum of positive leads is positive. *)

Lemma sum_first f k : sum f (S k) = f O + sum (fun m => f (S m)) k.
Proof. induction k; [simpl; ring|]. change (sum f (S (S k))) with (sum f (S k) + f (S k)). rewrite IHk. simpl. ring.
  Qed.

(* A sum over all residues does not see where it begins. *)
Lemma sum_turned f n a : (0 < n)%nat -> sum (fun b => f ((a + b) mod n)%nat) n = sum f n.
Proof.
  intros N. induction a.
  - apply sum_ext. intros b B. now rewrite Nat.mod_small by lia.
  - rewrite <- IHa. destruct n as [|k]; [lia|]. 
    rewrite (sum_first (fun b => f ((a + b) mod S k)%nat)). cbn [sum].
    replace ((S a + k) mod S k)%nat with ((a + 0) mod S k)%nat.
    + rewrite Rplus_comm. f_equal. apply sum_ext. intros b _. now rewrite Nat.add_succ_r.
    + replace (S a + k)%nat with (a + 0 + 1 * S k)%nat by lia. now rewrite Nat.mod_add by lia.
Qed.

Lemma sum_positive f k : (0 < k)%nat -> (forall m, (m < k)%nat -> 0 < f m) -> 0 < sum f k.
Proof.
  induction k as [|k IH]; intros K P; [lia|]. simpl. pose proof (P k ltac:(lia)).
  destruct k; [simpl; lra|]. assert (0 < sum f (S k)) by (apply IH; [lia|intros; apply P; lia]). lra.
Qed.

Theorem no_neuron_fails (n : nat) (N : network) : (2 <= n)%nat -> ~ adds n (logit 0 N).
Proof.
  intros two H. unfold adds, logit in H. cbn [sum] in H.
  assert (next : forall a b, (a + b + 1) mod n <> (a + b) mod n).
  { intros a b E. rewrite <- (Nat.add_mod_idemp_l (a + b)) in E by lia.
    pose proof (Nat.mod_upper_bound (a + b) n ltac:(lia)). set (t := (a + b) mod n) in *.
    destruct (Nat.eq_dec (t + 1) n) as [F|F]; [rewrite F, Nat.mod_same in E; lia|rewrite Nat.mod_small in E; lia]. }
  set (X := fun f a b => f ((a + b) mod n)%nat - f ((a + b + 1) mod n)%nat : R).
  assert (Z0 : forall f a, sum (X f a) n = 0).
  { intros f a. unfold X.
    rewrite (sum_ext _ (fun b => f ((a + b) mod n)%nat + -1 * f (((a + 1) + b) mod n)%nat)).
    - rewrite sum_plus, sum_scale, !sum_turned by lia. ring.
    - intros b _. replace (a + b + 1)%nat with (a + 1 + b)%nat by lia. ring. }
  assert (P : 0 < sum (fun a => sum (fun b => X (C N a) a b + X (D N b) b a) n) n).
  { apply sum_positive; [lia|]. intros a la. apply sum_positive; [lia|]. intros b lb.
    pose proof (H a b ((a + b + 1) mod n)%nat la lb ltac:(apply Nat.mod_upper_bound; lia) (next a b)).
    unfold X. rewrite (Nat.add_comm b a). lra. }
  assert (E : sum (fun a => sum (fun b => X (C N a) a b + X (D N b) b a) n) n = sum (fun b => sum (X (D N b) b) n) n).
  { rewrite <- (sum_swap (fun a b => X (D N b) b a)). apply sum_ext. intros a _.
    rewrite (sum_plus (X (C N a) a) (fun b => X (D N b) b a)), Z0. ring. }
  rewrite E, (sum_ext _ (fun _ => 0)), sum_const in P by (intros; apply Z0). lra.
Qed.

(* Two neurons without C and D. Let t be the answer of the largest W of the first neuron. Then it wins where the
   activation of the second is less than some multiple of that of the first, and its neighbours t - 1 and t + 1 where
   it is more. The same holds of the preactivations, p u < q v for some p, q > 0. But these are sums of a part of a
   and a part of b: what holds at (0, t) and (1, t - 1) cannot fail at (0, t - 1) and (1, t). *)

Definition without_bypass (n : nat) (N : network) : Prop :=
  forall x c, (x < n)%nat -> (c < n)%nat -> C N x c = 0 /\ D N x c = 0.

Lemma maximum (f : nat -> R) n : (0 < n)%nat -> exists t, (t < n)%nat /\ forall c, (c < n)%nat -> f c <= f t.
Proof.
  induction n as [|n IH]; intros H; [lia|]. destruct n as [|n].
  - exists O. split; [lia|]. intros c L. replace c with O by lia. lra.
  - destruct IH as [t [L M]]; [lia|]. destruct (Rle_dec (f (S n)) (f t)) as [E|E].
    + exists t. split; [lia|]. intros c K. destruct (Nat.eq_dec c (S n)); [subst; assumption|apply M; lia].
    + exists (S n). split; [lia|]. intros c K. destruct (Nat.eq_dec c (S n)); [subst; lra|].
      specialize (M c ltac:(lia)). lra.
Qed.

(* Where neurons fire in a proportion, their preactivations do. *)
Lemma relu_order u v p q : 0 < p -> 0 < q -> relu u * p < relu v * q -> u * p < v * q.
Proof.
  intros P Q. unfold relu, Rmax. destruct (Rle_dec u 0), (Rle_dec v 0); nra.
Qed.

(* Cut between two proportions: the smaller one separates as well. *)
Lemma smaller_cut x y e f e' f' : 0 <= x -> 0 < f -> 0 < f' -> e' * f <= e * f' -> x * e < y * f -> x * e' < y * f'.
Proof. intros X F F' E H. apply Rmult_lt_reg_r with f; [assumption|].
  assert (x * (e' * f) <= x * (e * f')) by (apply Rmult_le_compat_l; assumption). nra. Qed.

Lemma both_positive x y x' y' d e : 0 <= x -> 0 <= y -> 0 <= x' -> 0 <= y' -> 0 <= d ->
  y * e < x * d -> x' * d < y' * e -> 0 < d /\ 0 < e.
Proof.
  intros X Y X' Y' D T S. assert (E : 0 < e).
  { apply Rnot_le_lt. intros K. assert (0 <= x' * d) by now apply Rmult_le_pos. nra. }
  split; [|assumption]. apply Rnot_le_lt. intros K. replace d with 0 in T by lra.
  assert (0 <= y * e) by (apply Rmult_le_pos; lra). lra.
Qed.

Theorem two_neurons_without_bypass_fail (n : nat) (N : network) : (2 <= n)%nat -> without_bypass n N ->
  ~ adds n (logit 2 N).
Proof.
  intros two none H.
  set (u := fun a b => A N a 0%nat + B N b 0%nat). set (v := fun a b => A N a 1%nat + B N b 1%nat).
  assert (lead : forall a b c, (a < n)%nat -> (b < n)%nat -> (c < n)%nat -> c <> ((a + b) mod n)%nat ->
    relu (u a b) * W N 0 c + relu (v a b) * W N 1 c <
    relu (u a b) * W N 0 ((a + b) mod n)%nat + relu (v a b) * W N 1 ((a + b) mod n)%nat).
  { intros a b c la lb lc wrong. pose proof (H a b c la lb lc wrong) as L. unfold logit in L. cbn [sum] in L.
    fold (u a b) (v a b) in L.
    assert (lt : ((a + b) mod n < n)%nat) by (apply Nat.mod_upper_bound; lia).
    destruct (none a c la lc) as [E1 _], (none b c lb lc) as [_ E2], (none a _ la lt) as [E3 _], (none b _ lb lt)
      as [_ E4].
    rewrite E1, E2, E3, E4 in L. lra. }
  destruct (maximum (W N 0) n ltac:(lia)) as [t [lt most]].
  (* Any other answer s is behind t in the first neuron and ahead of it in the second. *)
  assert (order : forall s, (s < n)%nat -> s <> t -> 0 < W N 0 t - W N 0 s /\ 0 < W N 1 s - W N 1 t).
  { intros s ls other. specialize (most s ls).
    pose proof (lead 0%nat t s ltac:(lia) lt ls) as T. pose proof (lead 0%nat s t ltac:(lia) ls lt) as S.
    rewrite Nat.add_0_l, Nat.mod_small in T, S by assumption. specialize (T other). specialize (S (not_eq_sym other)).
    pose proof (relu_nonnegative (u 0%nat t)). pose proof (relu_nonnegative (v 0%nat t)).
    pose proof (relu_nonnegative (u 0%nat s)). pose proof (relu_nonnegative (v 0%nat s)).
    apply (both_positive (relu (u 0%nat t)) (relu (v 0%nat t)) (relu (u 0%nat s)) (relu (v 0%nat s))); lra. }
  set (back := ((t + (n - 1)) mod n)%nat). set (next := ((t + 1) mod n)%nat).
  assert (lb : (back < n)%nat) by (apply Nat.mod_upper_bound; lia).
  assert (ln : (next < n)%nat) by (apply Nat.mod_upper_bound; lia).
  assert (nb : back <> t /\ next <> t /\ ((1 + back) mod n = t)%nat /\ ((1 + t) mod n = next)%nat).
  { assert (Eb : (back = if Nat.eq_dec t 0 then n - 1 else t - 1)%nat).
    { unfold back. destruct (Nat.eq_dec t 0); [subst; now rewrite Nat.mod_small by lia|].
      replace (t + (n - 1))%nat with (t - 1 + 1 * n)%nat by lia. now rewrite Nat.mod_add, Nat.mod_small by lia. }
    assert (En : (next = if Nat.eq_dec (t + 1) n then 0 else t + 1)%nat).
    { unfold next. destruct (Nat.eq_dec (t + 1) n) as [F|F]; [rewrite F; apply Nat.mod_same;
      lia|now rewrite Nat.mod_small by lia]. }
    repeat split.
    - destruct (Nat.eq_dec t 0); lia.
    - destruct (Nat.eq_dec (t + 1) n); lia.
    - rewrite Eb. destruct (Nat.eq_dec t 0).
      + replace (1 + (n - 1))%nat with n by lia. rewrite Nat.mod_same; lia.
      + rewrite Nat.mod_small; lia.
    - unfold next. now rewrite Nat.add_comm. }
  destruct nb as [b1 [b2 [b3 b4]]].
  destruct (order back lb b1) as [e1 f1], (order next ln b2) as [e2 f2].
  set (e := W N 0 t - W N 0 back) in *. set (f := W N 1 back - W N 1 t) in *.
  set (e' := W N 0 t - W N 0 next) in *. set (f' := W N 1 next - W N 1 t) in *.
  assert (at_t : forall a b, (a < n)%nat -> (b < n)%nat -> ((a + b) mod n = t)%nat ->
    relu (v a b) * f < relu (u a b) * e /\ relu (v a b) * f' < relu (u a b) * e').
  { intros a b la lb' E. pose proof (lead a b back la lb' lb) as X. pose proof (lead a b next la lb' ln) as Y.
    rewrite E in X, Y.
    specialize (X b1). specialize (Y b2). unfold e, f, e', f'. split; lra. }
  pose proof (lead 0%nat back t ltac:(lia) lb lt) as X. rewrite Nat.add_0_l, (Nat.mod_small back) in X by assumption.
  specialize (X (not_eq_sym b1)).
  pose proof (lead 1%nat t t ltac:(lia) lt lt) as Y. rewrite b4 in Y. specialize (Y (not_eq_sym b2)).
  assert (XB : relu (u 0%nat back) * e < relu (v 0%nat back) * f) by (unfold e, f; lra).
  assert (YN : relu (u 1%nat t) * e' < relu (v 1%nat t) * f') by (unfold e', f'; lra).
  destruct (at_t 0%nat t ltac:(lia) lt ltac:(rewrite Nat.add_0_l; apply Nat.mod_small; lia)) as [T1 T2].
  destruct (at_t 1%nat back ltac:(lia) lb b3) as [T3 T4].
  assert (cut : exists p q, 0 < p /\ 0 < q /\ relu (u 0%nat back) * p < relu (v 0%nat back) * q /\ relu (u 1%nat t)
    * p < relu (v 1%nat t) * q /\
    relu (v 0%nat t) * q < relu (u 0%nat t) * p /\ relu (v 1%nat back) * q < relu (u 1%nat back) * p).
  { destruct (Rle_dec (e * f') (e' * f)) as [K|K].
    - exists e, f. repeat split; try assumption. apply (smaller_cut _ _ e' f'); auto using relu_nonnegative.
    - exists e', f'. repeat split; try assumption. apply (smaller_cut _ _ e f); auto using relu_nonnegative. lra. }
  destruct cut as [p [q [P [Q [c1 [c2 [c3 c4]]]]]]].
  apply relu_order in c1, c2, c3, c4; try assumption. unfold u, v in *. lra.
Qed.

Corollary one_neuron_without_bypass_fails (n : nat) (N : network) : (2 <= n)%nat -> without_bypass n N ->
  ~ adds n (logit 1 N).
Proof.
  intros two none H.
  set (M := Network (A N) (B N) (fun i c => match i with O => W N 0 c | _ => 0 end) (C N) (D N)).
  apply (two_neurons_without_bypass_fail n M two none).
  intros a b c la lb lc wrong. specialize (H a b c la lb lc wrong). unfold logit in *. cbn [sum A B W C D M] in *. lra.
Qed.

Print Assumptions two_neurons_add.
Print Assumptions four_neurons_add.
Print Assumptions two_real_neurons_add.
Print Assumptions no_neuron_fails.
Print Assumptions two_neurons_without_bypass_fail.
Print Assumptions one_neuron_without_bypass_fails.
