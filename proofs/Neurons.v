(* Neurons in place of cosines: a number of the order of ln n adds with a constant relative margin, and is needed.

   On a line the neuron ReLU(z - i) bends the sum of the neurons at i. So neurons at 0, 1, 2, ... join any values
   y 0 = 0, y 1, y 2, ... by straight lines. Where these are values of a cosine, 32 to a turn, no line is further from it
   than 1/8. The residues a and b turn the frequency k by less than two turns together, so 65 neurons are enough for it.

   Needed: neurons whose weights are cut into q parts tell q^h answers apart, if there are h of them. *)

From Coq Require Import Reals Lia Lra Arith List.
From Modadd Require Import Network Smallest Frequencies Pizzas.
Open Scope R_scope.

(* By how much the line through the values y turns at i. *)
Definition bend (y : nat -> R) (i : nat) : R := match i with O => y 1%nat | S j => y (S i) - 2 * y i + y j end.

Lemma relu_on x : 0 <= x -> relu x = x.
Proof. apply Rmax_left. Qed.

Lemma relu_off x : x <= 0 -> relu x = 0.
Proof. apply Rmax_right. Qed.

Lemma bends_so_far y z j : y O = 0 -> INR j <= z ->
  sum (fun i => relu (z - INR i) * bend y i) (S j) = y j + (z - INR j) * (y (S j) - y j).
Proof.
  intros zero. induction j as [|j IH]; intros Z.
  - cbn [sum bend]. simpl INR in *. rewrite relu_on, zero by lra. ring.
  - rewrite S_INR in Z. change (sum ?f (S (S j))) with (sum f (S j) + f (S j)). rewrite IH by lra.
    rewrite relu_on, S_INR by (rewrite S_INR; lra). cbn [bend]. ring.
Qed.

Lemma line y z j q : y O = 0 -> INR j <= z <= INR j + 1 -> (j < q)%nat ->
  sum (fun i => relu (z - INR i) * bend y i) q = (INR j + 1 - z) * y j + (z - INR j) * y (S j).
Proof.
  intros zero Z Q. induction q as [|q IH]; [lia|]. destruct (Nat.eq_dec j q) as [E|E].
  - subst q. rewrite bends_so_far by tauto. ring.
  - assert (L : (S j <= q)%nat) by lia. apply le_INR in L. rewrite S_INR in L.
    cbn [sum]. rewrite IH, relu_off by (lia || lra). ring.
Qed.

Lemma cos_lipschitz x y : Rabs (cos x - cos y) <= Rabs (x - y).
Proof.
  rewrite form2, !Rabs_mult. replace (Rabs (-2)) with 2 by (unfold Rabs; destruct Rcase_abs; lra).
  pose proof (sin_small ((x - y) / 2)) as S. pose proof (SIN_bound ((x + y) / 2)) as B.
  assert (T : Rabs (sin ((x + y) / 2)) <= 1) by (unfold Rabs; destruct Rcase_abs; lra).
  replace (Rabs (x - y)) with (2 * Rabs ((x - y) / 2) * 1).
  - apply Rmult_le_compat; auto using Rabs_pos; [|lra]. pose proof (Rabs_pos (sin ((x - y) / 2))). lra.
  - unfold Rdiv. rewrite Rabs_mult, (Rabs_pos_eq (/ 2)) by lra. field.
Qed.

(* How far a residue turns a frequency, and the values of its cosine; a turn has 32 parts. *)
Definition turn (n k a : nat) : R := 32 * INR ((k * a) mod n) / INR n.
Definition value (n k c i : nat) : R := match i with O => 0 | S j => cos (2 * PI * (INR j / 32 - INR (k * c) / INR n)) end.

(* What the 65 neurons of a frequency give to the answer c. *)
Definition piece (n k a b c : nat) : R :=
  sum (fun i => relu (turn n k a + 1 - INR i + turn n k b) * bend (value n k c) i) 65.

Section Piece.
  Variables n k a b c : nat.
  Hypothesis some : (0 < n)%nat.

  Let r := ((k * a) mod n + (k * b) mod n)%nat.
  Let part := (32 * r / n)%nat.
  Let z := turn n k a + 1 + turn n k b.

  Lemma part_small : (S part < 65)%nat.
  Proof.
    unfold part. apply -> Nat.succ_lt_mono. apply Nat.div_lt_upper_bound; [lia|]. unfold r.
    pose proof (Nat.mod_upper_bound (k * a) n ltac:(lia)). pose proof (Nat.mod_upper_bound (k * b) n ltac:(lia)). lia.
  Qed.

  Lemma turned : z = 32 * INR r / INR n + 1.
  Proof. unfold z, turn, r. rewrite plus_INR. unfold Rdiv. ring. Qed.

  Lemma part_bounds : INR (S part) <= z <= INR (S part) + 1.
  Proof.
    assert (N : 0 < INR n) by (apply lt_0_INR; lia). rewrite turned, S_INR.
    pose proof (Nat.div_mod (32 * r) n ltac:(lia)) as D. pose proof (Nat.mod_upper_bound (32 * r) n ltac:(lia)) as U.
    fold part in D. apply (f_equal INR) in D. apply lt_INR in U. rewrite plus_INR, !mult_INR in D.
    pose proof (pos_INR ((32 * r) mod n)) as P. replace (INR 32) with 32 in D by (simpl; ring).
    assert (E : 32 * INR r / INR n = INR part + INR ((32 * r) mod n) / INR n) by (rewrite D; field; lra).
    rewrite E. assert (0 <= INR ((32 * r) mod n) / INR n <= 1); [|lra].
    split; [apply Rle_mult_inv_pos; lra|]. apply Rmult_le_reg_r with (INR n); [lra|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
  Qed.

  Lemma piece_line : piece n k a b c =
    (INR (S part) + 1 - z) * value n k c (S part) + (z - INR (S part)) * value n k c (S (S part)).
  Proof.
    unfold piece. rewrite (sum_ext _ (fun i => relu (z - INR i) * bend (value n k c) i)).
    - apply line; [reflexivity|apply part_bounds|apply part_small].
    - intros i _. unfold z. do 2 f_equal. ring.
  Qed.

  Lemma wave_turned : wave n k a b c = cos (2 * PI * ((z - 1) / 32 - INR (k * c) / INR n)).
  Proof.
    assert (N : 0 < INR n) by (apply lt_0_INR; lia). unfold wave. rewrite turned.
    pose proof (Nat.div_mod (k * a) n ltac:(lia)) as DA. pose proof (Nat.div_mod (k * b) n ltac:(lia)) as DB.
    rewrite <- (cos_period (2 * PI * _) (k * a / n + k * b / n)). f_equal. unfold r.
    apply (f_equal INR) in DA, DB. rewrite plus_INR, !mult_INR in DA, DB. rewrite !plus_INR, mult_INR.
    replace (2 * PI * INR k * (INR a + INR b - INR c)) with (2 * PI * (INR k * INR a + INR k * INR b - INR k * INR c))
      by ring. rewrite DA, DB. field. lra.
  Qed.

  Lemma piece_near : Rabs (piece n k a b c - wave n k a b c) <= / 8.
  Proof.
    rewrite piece_line, wave_turned. cbn [value]. pose proof part_bounds as P. rewrite !S_INR in *.
    set (g := INR (k * c) / INR n). set (t := z - (INR part + 1)). set (x := INR part / 32).
    replace ((INR part + 1) / 32) with (x + / 32) by (unfold x; field).
    replace ((z - 1) / 32) with (x + t / 32) by (unfold x, t; field).
    replace (INR part + 1 + 1 - z) with (1 - t) by (unfold t; ring). assert (T : 0 <= t <= 1) by (unfold t; lra).
    set (y := cos (2 * PI * (x + t / 32 - g))).
    pose proof (cos_lipschitz (2 * PI * (x - g)) (2 * PI * (x + t / 32 - g))) as L. fold y in L.
    pose proof (cos_lipschitz (2 * PI * (x + / 32 - g)) (2 * PI * (x + t / 32 - g))) as M. fold y in M.
    pose proof PI_4. pose proof PI_RGT_0.
    replace (2 * PI * (x - g) - 2 * PI * (x + t / 32 - g)) with (- (PI / 16 * t)) in L by field.
    replace (2 * PI * (x + / 32 - g) - 2 * PI * (x + t / 32 - g)) with (PI / 16 * (1 - t)) in M by field.
    rewrite Rabs_Ropp, (Rabs_pos_eq (PI / 16 * t)) in L by (apply Rmult_le_pos; lra).
    rewrite (Rabs_pos_eq (PI / 16 * (1 - t))) in M by (apply Rmult_le_pos; lra).
    set (u := cos (2 * PI * (x - g))) in *. set (v := cos (2 * PI * (x + / 32 - g))) in *.
    replace ((1 - t) * u + t * v - y) with ((1 - t) * (u - y) + t * (v - y)) by ring.
    eapply Rle_trans; [apply Rabs_triang|]. rewrite !Rabs_mult, (Rabs_pos_eq (1 - t)), (Rabs_pos_eq t) by lra.
    pose proof (Rle_0_sqr (t - / 2)) as Q. unfold Rsqr in Q.
    assert ((1 - t) * Rabs (u - y) <= (1 - t) * (PI / 16 * t)) by (apply Rmult_le_compat_l; lra).
    assert (t * Rabs (v - y) <= t * (PI / 16 * (1 - t))) by (apply Rmult_le_compat_l; lra). nra.
  Qed.

  Lemma piece_small : Rabs (piece n k a b c) <= 1.
  Proof.
    rewrite piece_line. cbn [value]. pose proof part_bounds as P.
    set (x := 2 * PI * (INR part / 32 - INR (k * c) / INR n)). pose proof (COS_bound x).
    set (y := 2 * PI * (INR (S part) / 32 - INR (k * c) / INR n)). pose proof (COS_bound y).
    apply Rabs_le. nra.
  Qed.

  Lemma activation_small i : relu (turn n k a + 1 - INR i + turn n k b) <= 65.
  Proof.
    pose proof part_bounds as P. pose proof part_small as Q. apply le_INR in Q. rewrite S_INR in Q.
    replace (INR 65) with 65 in Q by (simpl; ring). pose proof (pos_INR i).
    replace (turn n k a + 1 - INR i + turn n k b) with (z - INR i) by (unfold z; ring).
    unfold relu. apply Rmax_lub; lra.
  Qed.
End Piece.

Lemma bend_small n k c i : Rabs (bend (value n k c) i) <= 4.
Proof.
  assert (V : forall j, -1 <= value n k c j <= 1) by (intros [|j]; cbn [value]; [lra|apply COS_bound]).
  destruct i as [|i]; cbn [bend]; [pose proof (V 1%nat)|pose proof (V i); pose proof (V (S i)); pose proof (V (S (S i)))];
    apply Rabs_le; lra.
Qed.

(* The neurons of some frequencies, 65 of each. *)
Definition neurons_of (n : nat) (ks : list nat) : network :=
  let k i := nth (i / 65) ks 0%nat in
  Network (fun a i => turn n (k i) a + 1 - INR (i mod 65)) (fun b i => turn n (k i) b)
    (fun i c => bend (value n (k i) c) (i mod 65)) (fun _ _ => 0) (fun _ _ => 0).

Lemma sum_add f k l : sum f (k + l) = sum f k + sum (fun i => f (k + i)%nat) l.
Proof. induction l; [rewrite Nat.add_0_r; simpl; ring|]. rewrite Nat.add_succ_r. cbn [sum]. rewrite IHl. ring. Qed.

Lemma sum_blocks f q m : sum f (q * m) = sum (fun j => sum (fun i => f (q * j + i)%nat) q) m.
Proof. induction m; [now rewrite Nat.mul_0_r|]. rewrite Nat.mul_succ_r, sum_add, IHm. reflexivity. Qed.

Lemma sum_list (g : nat -> R) ks : sum (fun j => g (nth j ks 0%nat)) (length ks) = fold_right (fun k s => g k + s) 0 ks.
Proof. induction ks as [|k ks IH]; [reflexivity|]. cbn [length]. rewrite sum_first. cbn [nth fold_right]. now rewrite IH. Qed.

Lemma logit_pieces n ks a b c :
  logit (65 * length ks) (neurons_of n ks) a b c = fold_right (fun k s => piece n k a b c + s) 0 ks.
Proof.
  unfold logit. cbn [A B W C D neurons_of]. rewrite sum_blocks, !Rplus_0_r, <- (sum_list (fun k => piece n k a b c)).
  apply sum_ext. intros j _. unfold piece. apply sum_ext. intros i I.
  rewrite (Nat.mul_comm 65 j), Nat.div_add_l, Nat.div_small, Nat.add_0_r, (Nat.add_comm _ i), Nat.mod_add, Nat.mod_small by lia.
  reflexivity.
Qed.

Lemma logit_near n ks a b c : (0 < n)%nat ->
  Rabs (logit (65 * length ks) (neurons_of n ks) a b c - cluster_logits n ks a b c) <= INR (length ks) / 8.
Proof.
  intros N. rewrite logit_pieces. induction ks as [|k ks IH]; [simpl; rewrite Rminus_0_r, Rabs_R0; lra|].
  cbn [cluster_logits fold_right length] in *. fold (cluster_logits n ks a b c) in *. rewrite S_INR.
  pose proof (piece_near n k a b c N) as P. unfold wave in P.
  set (x := piece n k a b c) in *. set (y := cos _) in *. set (s := fold_right _ _ _) in *.
  replace (x + s - (y + cluster_logits n ks a b c)) with (x - y + (s - cluster_logits n ks a b c)) by ring.
  eapply Rle_trans; [apply Rabs_triang|]. lra.
Qed.

Lemma logit_small n ks a b c : (0 < n)%nat ->
  Rabs (logit (65 * length ks) (neurons_of n ks) a b c) <= INR (length ks).
Proof.
  intros N. rewrite logit_pieces. induction ks as [|k ks IH]; [simpl; rewrite Rabs_R0; lra|].
  cbn [fold_right length]. rewrite S_INR. pose proof (piece_small n k a b c N).
  eapply Rle_trans; [apply Rabs_triang|]. lra.
Qed.

(* The relative margin: by how much right answers lead, at least, as a share of the most that activations weigh. *)
Definition relative_margin (n h : nat) (N : network) (share : R) : Prop := exists w most, 0 < most /\
  (forall i c, (i < h)%nat -> (c < n)%nat -> Rabs (W N i c) <= w i) /\
  forall a b, (a < n)%nat -> (b < n)%nat ->
    sum (fun i => relu (A N a i + B N b i) * w i) h <= most /\
    forall c, (c < n)%nat -> c <> ((a + b) mod n)%nat ->
    logit h N a b c + share * most <= logit h N a b ((a + b) mod n).

Theorem logarithmically_many_neurons_add n m : (2 <= n)%nat -> 32 * ln (INR n) <= INR m ->
  exists N, without_bypass n N /\ relative_margin n (65 * m) N (/ 67600) /\
  forall a b c, (a < n)%nat -> (b < n)%nat -> (c < n)%nat -> Rabs (logit (65 * m) N a b c) <= INR m /\
    (c <> ((a + b) mod n)%nat -> logit (65 * m) N a b c + INR m / 4 <= logit (65 * m) N a b ((a + b) mod n)).
Proof.
  intros two H. destruct (logarithmically_many_clusters_add n m two H) as [ks [E L]]. exists (neurons_of n ks).
  assert (M : 0 < INR m) by (pose proof (ln_increasing 1 (INR n)) as I; rewrite ln_1 in I;
    assert (1 < INR n) by (apply (lt_INR 1); lia); lra).
  assert (lead : forall a b c, (a < n)%nat -> (b < n)%nat -> (c < n)%nat -> c <> ((a + b) mod n)%nat ->
    logit (65 * m) (neurons_of n ks) a b c + INR m / 4 <= logit (65 * m) (neurons_of n ks) a b ((a + b) mod n)).
  { intros a b c la lb lc wrong. specialize (L a b c la lb lc wrong). rewrite <- E in *.
    pose proof (logit_near n ks a b c ltac:(lia)) as P. pose proof (logit_near n ks a b ((a + b) mod n) ltac:(lia)) as Q.
    unfold Rabs in P, Q. repeat destruct Rcase_abs; lra. }
  split; [intros x c _ _; split; reflexivity|split].
  - exists (fun _ => 4), (16900 * INR m). split; [lra|split; [intros; apply bend_small|]]. intros a b la lb. split.
    + apply Rle_trans with (sum (fun _ => 260) (65 * m)).
      * apply sum_le. intros i _. cbn [A B neurons_of].
        pose proof (activation_small n (nth (i / 65) ks 0%nat) a b ltac:(lia) (i mod 65)). lra.
      * rewrite sum_const, mult_INR. replace (INR 65) with 65 by (simpl; ring). lra.
    + intros c lc wrong. replace (/ 67600 * (16900 * INR m)) with (INR m / 4) by field. now apply lead.
  - intros a b c la lb lc. split; [|now apply lead]. rewrite <- E. apply logit_small. lia.
Qed.

(* Needed: of q^h + 1 answers, two have weights in the same part of q, at every neuron. *)
Section Needed.
  Variables (n q : nat) (N : network) (w : nat -> R).
  Hypothesis parts : (0 < q)%nat.

  (* Where the parts of -x ... x begin, and in which of the first ones a weight lies. *)
  Let edge (x : R) (d : nat) : R := x * (2 * INR d / INR q - 1).
  Fixpoint digit (x y : R) (d : nat) : nat :=
    match d with O => O | S e => if Rle_dec (edge x d) y then d else digit x y e end.

  Lemma digit_spec x y d : Rabs y <= x -> y <= edge x (S d) ->
    (digit x y d <= d)%nat /\ edge x (digit x y d) <= y <= edge x (S (digit x y d)).
  Proof.
    intros Y. induction d as [|d IH]; intros U.
    - cbn [digit]. repeat split; [lia| |assumption]. unfold edge. simpl INR.
      unfold Rabs in Y. destruct Rcase_abs; unfold Rdiv; lra.
    - cbn [digit]. destruct Rle_dec as [E|E]; [split; [lia|split; assumption]|].
      destruct IH as [I J]; [lra|]. split; [lia|assumption].
  Qed.

  Lemma last_edge x : edge x (S (q - 1)) = x.
  Proof. unfold edge. replace (S (q - 1)) with q by lia. field. apply not_0_INR. lia. Qed.

  Lemma edges_apart x d : edge x (S d) - edge x d = 2 * x / INR q.
  Proof. unfold edge. rewrite S_INR. field. apply not_0_INR. lia. Qed.

  Fixpoint label (h c : nat) : nat :=
    match h with O => O | S i => digit (w i) (W N i c) (q - 1) + q * label i c end.

  Variable h : nat.
  Hypothesis weights : forall i c, (i < h)%nat -> (c < n)%nat -> Rabs (W N i c) <= w i.

  Lemma digit_of i c : (i < h)%nat -> (c < n)%nat -> let d := digit (w i) (W N i c) (q - 1) in
    (d < q)%nat /\ edge (w i) d <= W N i c <= edge (w i) (S d).
  Proof.
    intros I L. destruct (digit_spec (w i) (W N i c) (q - 1)) as [S T]; [now apply weights| |split; [lia|assumption]].
    rewrite last_edge. specialize (weights i c I L). unfold Rabs in weights. destruct Rcase_abs; lra.
  Qed.

  Lemma label_small k c : (k <= h)%nat -> (c < n)%nat -> (label k c < q ^ k)%nat.
  Proof.
    intros K L. induction k as [|k IH]; [simpl; lia|]. cbn [label Nat.pow]. specialize (IH ltac:(lia)).
    destruct (digit_of k c ltac:(lia) L) as [D _]. nia.
  Qed.

  Lemma label_same k x y : (k <= h)%nat -> (x < n)%nat -> (y < n)%nat -> label k x = label k y ->
    forall i, (i < k)%nat -> W N i x - W N i y <= 2 * w i / INR q.
  Proof.
    intros K X Y. induction k as [|k IH]; intros E i I; [lia|]. cbn [label] in E.
    destruct (digit_of k x ltac:(lia) X) as [DX BX], (digit_of k y ltac:(lia) Y) as [DY BY].
    set (d := digit (w k) (W N k x) (q - 1)) in *. set (e := digit (w k) (W N k y) (q - 1)) in *.
    assert (S : d = e /\ label k x = label k y).
    { assert (d = e); [|split; [assumption|nia]]. apply (f_equal (fun z => z mod q)%nat) in E.
      rewrite !(Nat.mul_comm q), !Nat.mod_add, !Nat.mod_small in E by lia. assumption. }
    destruct S as [S T]. destruct (Nat.eq_dec i k) as [F|F]; [|apply IH; [lia|assumption|lia]].
    subst i. rewrite <- S in BY. pose proof (edges_apart (w k) d). lra.
  Qed.
End Needed.

Theorem logarithm_of_neurons_is_needed n h q N share : (0 < n)%nat -> without_bypass n N ->
  relative_margin n h N share -> 2 < share * INR q -> (n <= q ^ h)%nat.
Proof.
  intros some none [w [most [P [weights lead]]]] H. apply Nat.nlt_ge. intros L.
  assert (parts : (0 < q)%nat) by (destruct q; [simpl in H; lra|lia]).
  assert (Q : 0 < INR q) by now apply lt_0_INR.
  destruct (pigeonholes (label q N w h) (q ^ h) n) as [x [y [O E]]]; [|assumption|].
  { intros c K. now apply (label_small n q N w parts h weights). }
  destruct (lead x 0%nat ltac:(lia) some) as [S T]. rewrite Nat.add_0_r, Nat.mod_small in T by lia.
  specialize (T y ltac:(lia) ltac:(lia)). unfold logit in T.
  destruct (none x x ltac:(lia) ltac:(lia)) as [C1 _], (none x y ltac:(lia) ltac:(lia)) as [C2 _],
    (none 0%nat x some ltac:(lia)) as [_ D1], (none 0%nat y some ltac:(lia)) as [_ D2].
  rewrite C1, C2, D1, D2 in T.
  set (r := fun i => relu (A N x i + B N 0 i)).
  change (sum (fun i => r i * W N i y) h + 0 + 0 + share * most <= sum (fun i => r i * W N i x) h + 0 + 0) in T.
  change (sum (fun i => r i * w i) h <= most) in S.
  assert (U : sum (fun i => r i * W N i x) h <= sum (fun i => r i * W N i y + 2 / INR q * (r i * w i)) h).
  { apply sum_le. intros i I.
    pose proof (label_same n q N w parts h weights h x y ltac:(lia) ltac:(lia) ltac:(lia) E i I) as V.
    pose proof (relu_nonnegative (A N x i + B N 0 i)) as R0. change (0 <= r i) in R0.
    replace (r i * W N i y + 2 / INR q * (r i * w i)) with (r i * (W N i y + 2 * w i / INR q)) by (field; lra).
    apply Rmult_le_compat_l; [assumption|lra]. }
  rewrite sum_plus, sum_scale in U.
  assert (2 / INR q * sum (fun i => r i * w i) h <= 2 / INR q * most)
    by (apply Rmult_le_compat_l; [apply Rle_mult_inv_pos; lra|exact S]).
  assert (F : share * most <= 2 / INR q * most) by lra. apply Rmult_le_reg_r in F; [|assumption].
  apply (Rmult_le_compat_r (INR q)) in F; [|lra]. unfold Rdiv in F. rewrite Rmult_assoc, Rinv_l in F by lra. lra.
Qed.

Print Assumptions logarithmically_many_neurons_add.
Print Assumptions logarithm_of_neurons_is_needed.
