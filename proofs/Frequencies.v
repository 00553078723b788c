(* How many frequencies: a number of the order of ln n is enough for a lead of half their number, and needed.

   The answer c at (a, b) gets Σ_k cos(2π k (a + b - c)/n), a sum over some frequencies: one cosine for each cluster.
   The right answer leads one that is off by d by `lead`, Σ_k (1 - cos(2π k d/n)).

   Enough, by an exponential potential: over all k, exp(cos(2π k d/n)/8) is 1 + 1/32 at most on average, for every d. So
   some next frequency multiplies the sum over d of exp(Σ_k cos(2π k d/n)/8) by no more. After m ≥ 32 ln n of them no
   term passes n (1 + 1/32)^m, and no Σ_k cos passes m/2. Needed, by pigeonholes: see below. *)

From Coq Require Import Reals Lia Lra Arith List FinFun.
From Modadd Require Import Network.
Open Scope R_scope.

Definition angle (n k d : nat) : R := 2 * PI * INR (k * d) / INR n.
Definition cosines (n : nat) (ks : list nat) (d : nat) : R := fold_right (fun k s => cos (angle n k d) + s) 0 ks.
Definition lead (n : nat) (ks : list nat) (d : nat) : R := INR (length ks) - cosines n ks d.

Lemma sum_cosines x m : 2 * sin (x / 2) * sum (fun k => cos (INR k * x)) m = sin ((INR m - / 2) * x) + sin (x / 2).
Proof.
  induction m.
  - simpl. replace ((0 - / 2) * x) with (- (x / 2)) by field. rewrite sin_neg. ring.
  - rewrite S_INR. cbn [sum]. rewrite Rmult_plus_distr_l, IHm.
    replace ((INR m - / 2) * x) with (INR m * x - x / 2) by field.
    replace ((INR m + 1 - / 2) * x) with (INR m * x + x / 2) by field.
    rewrite sin_plus, sin_minus. ring.
Qed.

(* Over all frequencies, the cosines of a difference cancel. *)
Lemma cosines_cancel n d : (0 < d < n)%nat -> sum (fun k => cos (angle n k d)) n = 0.
Proof.
  intros [P L]. assert (N : 0 < INR n) by (apply lt_0_INR; lia). assert (D : 0 < INR d) by (apply lt_0_INR; lia).
  set (x := 2 * PI * INR d / INR n).
  rewrite (sum_ext _ (fun k => cos (INR k * x))).
  2:{ intros k _. unfold angle, x. f_equal. rewrite mult_INR. field. lra. }
  pose proof (sum_cosines x n) as E.
  replace ((INR n - / 2) * x) with (- (x / 2) + 2 * INR d * PI) in E by (unfold x; field; lra).
  rewrite sin_period, sin_neg in E.
  assert (S : 0 < sin (x / 2)).
  { pose proof PI_RGT_0. assert (K : x / 2 = PI * (INR d / INR n)) by (unfold x; field; lra).
    assert (0 < INR d / INR n) by (apply Rdiv_lt_0_compat; lra).
    assert (INR d / INR n < 1) by (apply Rmult_lt_reg_r with (INR n); [lra|]; unfold Rdiv;
      rewrite Rmult_assoc, Rinv_l by lra; rewrite Rmult_1_r, Rmult_1_l; apply lt_INR; lia).
    apply sin_gt_0; rewrite K; nra. }
  nra.
Qed.

Lemma exp_small y : y <= / 2 -> exp y <= 1 + y + 2 * (y * y).
Proof.
  intros H. pose proof (exp_ineq1_le (- y)) as E. pose proof (exp_pos y) as P.
  assert (I : exp (- y) * exp y = 1) by (rewrite <- exp_plus, Rplus_opp_l; apply exp_0).
  assert (K : (1 - y) * exp y <= 1) by (rewrite <- I; apply Rmult_le_compat_r; lra).
  apply Rmult_le_reg_l with (1 - y); [lra|]. nra.
Qed.

Lemma one_is_no_more f n x : (0 < n)%nat -> sum f n <= INR n * x -> exists k, (k < n)%nat /\ f k <= x.
Proof.
  intros N H. assert (D : (exists k, (k < n)%nat /\ f k <= x) \/ INR n * x < sum f n).
  { clear H. induction n as [|n IH]; [lia|]. rewrite S_INR. cbn [sum]. destruct (Rle_dec (f n) x) as [E|E].
    - left. exists n. split; [lia|assumption].
    - destruct n as [|n]; [right; simpl; lra|]. destruct IH as [[k [K E']]|E']; [lia| |].
      + left. exists k. split; [lia|assumption].
      + right. lra. }
  destruct D; [assumption|lra].
Qed.

Lemma sum_one_le f n j : (forall m, 0 <= f m) -> (j < n)%nat -> f j <= sum f n.
Proof.
  intros P. induction n; intros J; [lia|]. cbn [sum]. destruct (Nat.eq_dec j n).
  - subst. assert (0 <= sum f n); [|lra]. clear -P. induction n; simpl; [lra|]. specialize (P n). lra.
  - specialize (IHn ltac:(lia)). specialize (P n). lra.
Qed.

Section Enough.
  Variable n : nat.
  Hypothesis two : (2 <= n)%nat.

  (* Large where some difference is hard to tell from 0. *)
  Let hardness (ks : list nat) : R := sum (fun j => exp (/ 8 * cosines n ks (S j))) (n - 1).

  Lemma average d : (0 < d < n)%nat -> sum (fun k => exp (/ 8 * cos (angle n k d))) n <= INR n * (1 + / 32).
  Proof.
    intros H. apply Rle_trans with (sum (fun k => (1 + / 32) + / 8 * cos (angle n k d)) n).
    - apply sum_le. intros k _. pose proof (COS_bound (angle n k d)) as [L U]. set (y := cos (angle n k d)) in *.
      pose proof (exp_small (/ 8 * y) ltac:(lra)). nra.
    - rewrite sum_plus, sum_scale, cosines_cancel, sum_const by assumption. lra.
  Qed.

  Lemma next_frequency ks : exists k, (k < n)%nat /\ hardness (k :: ks) <= (1 + / 32) * hardness ks.
  Proof.
    apply (one_is_no_more (fun k => hardness (k :: ks))); [lia|]. unfold hardness.
    rewrite sum_swap, <- Rmult_assoc, <- sum_scale. apply sum_le. intros j J. cbn [cosines fold_right].
    rewrite (sum_ext _ (fun k => exp (/ 8 * cosines n ks (S j)) * exp (/ 8 * cos (angle n k (S j))))).
    - rewrite sum_scale, Rmult_comm. apply Rmult_le_compat_r; [left; apply exp_pos|]. apply average. lia.
    - intros k _. rewrite <- exp_plus. f_equal. unfold cosines. ring.
  Qed.

  Lemma frequencies m : exists ks, length ks = m /\ Forall (fun k => (k < n)%nat) ks /\
    hardness ks <= (1 + / 32) ^ m * INR (n - 1).
  Proof.
    induction m as [|m [ks [E [F H]]]].
    - exists nil. repeat split; [constructor|]. unfold hardness. simpl.
      rewrite (sum_ext _ (fun _ => 1)), sum_const by (intros; rewrite Rmult_0_r; apply exp_0). lra.
    - destruct (next_frequency ks) as [k [K N]]. exists (k :: ks). repeat split.
      + simpl. now rewrite E.
      + now constructor.
      + simpl. nra.
  Qed.

  Theorem logarithm_is_enough m : 32 * ln (INR n) <= INR m -> exists ks, length ks = m /\
    Forall (fun k => (k < n)%nat) ks /\
    forall d, (0 < d < n)%nat -> INR m / 2 <= lead n ks d.
  Proof.
    intros H. destruct (frequencies m) as [ks [E [F B]]]. exists ks. repeat split; [assumption|assumption|].
    intros d D. unfold lead. rewrite E.
    assert (N : 0 < INR n) by (apply lt_0_INR; lia).
    assert (T : exp (/ 8 * cosines n ks d) <= exp (ln (INR n) + / 32 * INR m)).
    { eapply Rle_trans; [|eapply Rle_trans; [exact B|]].
      - unfold hardness. replace d with (S (d - 1)) at 1 by lia.
        apply (sum_one_le (fun j => exp (/ 8 * cosines n ks (S j)))); [intros; left; apply exp_pos|lia].
      - rewrite exp_plus, exp_ln, Rmult_comm by assumption.
        apply Rmult_le_compat; [apply pos_INR|apply pow_le; lra|apply le_INR; lia|].
        clear. induction m; [simpl; rewrite Rmult_0_r, exp_0; lra|]. rewrite S_INR, Rmult_plus_distr_l, exp_plus. simpl.
        rewrite Rmult_comm. apply Rmult_le_compat; try lra; [apply pow_le; lra|].
        rewrite Rmult_1_r. apply exp_ineq1_le. }
    apply Rnot_lt_le. intros C. assert (ln (INR n) + / 32 * INR m < / 8 * cosines n ks d) by lra.
    apply exp_increasing in H0. lra.
  Qed.
End Enough.

(* Fewer are not enough: by pigeonholes, some difference turns every frequency by less than a q-th of a circle. *)

Lemma search (P : nat -> Prop) (dec : forall x, {P x} + {~ P x}) n :
  (exists x, (x < n)%nat /\ P x) \/ (forall x, (x < n)%nat -> ~ P x).
Proof.
  induction n as [|n [[x [L H]]|H]]; [right; lia| |].
  - left. exists x. split; [lia|assumption].
  - destruct (dec n) as [Y|Y]; [left; exists n; split; [lia|assumption]|]. right. intros x L.
    destruct (Nat.eq_dec x n); [subst; assumption|apply H; lia].
Qed.

Lemma pigeonholes (f : nat -> nat) holes n : (forall x, (x < n)%nat -> (f x < holes)%nat) -> (holes < n)%nat ->
  exists x y, (x < y < n)%nat /\ f x = f y.
Proof.
  intros B L.
  assert (dec : forall y, {exists x, (x < y)%nat /\ f x = f y} + {~ exists x, (x < y)%nat /\ f x = f y}).
  { intros y. induction y as [|y _] using nat_rect; [right; intros [x [X _]]; lia|].
    assert (D : forall k, {exists x, (x < k)%nat /\ f x = f (S y)} + {~ exists x, (x < k)%nat /\ f x = f (S y)}).
    { induction k as [|k [IH|IH]]; [right; intros [x [X _]]; lia| |].
      - left. destruct IH as [x [X E]]. exists x. split; [lia|assumption].
      - destruct (Nat.eq_dec (f k) (f (S y))) as [E|E]; [left; exists k; split; [lia|assumption]|]. right.
        intros [x [X F]]. destruct (Nat.eq_dec x k); [subst; contradiction|]. apply IH. exists x. split;
          [lia|assumption]. }
    apply D. }
  destruct (search _ dec n) as [[y [Y [x [X E]]]]|H]; [exists x, y; split; [lia|assumption]|]. exfalso.
  assert (I : bInjective n f).
  { intros x y X Y E. destruct (Nat.lt_total x y) as [K|[K|K]]; [|assumption|].
    - exfalso. apply (H y Y). exists x. split; assumption.
    - exfalso. apply (H x X). exists y. split; [assumption|now symmetry]. }
  assert (F : bFun n f) by (intros x X; specialize (B x X); lia).
  apply (bInjective_bSurjective F) in I. destruct (I (n - 1)%nat ltac:(lia)) as [x [X E]]. specialize (B x X). lia.
Qed.

Lemma sin_small x : Rabs (sin x) <= Rabs x.
Proof.
  assert (P : forall y, 0 < y -> Rabs (sin y) <= Rabs y).
  { intros y Y. rewrite (Rabs_pos_eq y) by lra. pose proof (sin_lt_x y Y). destruct (Rle_dec y 1) as [Q|Q].
    - rewrite Rabs_pos_eq; [lra|]. apply sin_ge_0; [lra|]. pose proof PI2_1. pose proof PI_RGT_0. lra.
    - pose proof (SIN_bound y). unfold Rabs. destruct Rcase_abs; lra. }
  destruct (Rtotal_order 0 x) as [X|[X|X]]; [now apply P|rewrite <- X, sin_0; lra|].
  rewrite <- Rabs_Ropp, <- sin_neg, <- (Rabs_Ropp x). apply P. lra.
Qed.

Section Needed.
  Variables n q : nat.
  Hypothesis some : (0 < n)%nat.
  Hypothesis parts : (0 < q)%nat.

  Definition part (k d : nat) : nat := (q * ((k * d) mod n) / n)%nat.
  Fixpoint code (ks : list nat) (d : nat) : nat := match ks with nil => 0 | k :: rest => part k d + q * code rest d end.

  Lemma part_small k d : (part k d < q)%nat.
  Proof.
    unfold part. apply Nat.div_lt_upper_bound; [lia|]. pose proof (Nat.mod_upper_bound (k * d) n ltac:(lia)). nia.
  Qed.

  Lemma code_small ks d : (code ks d < q ^ length ks)%nat.
  Proof. induction ks as [|k ks IH]; simpl; [lia|]. pose proof (part_small k d). nia. Qed.

  Lemma code_same k ks x y : code (k :: ks) x = code (k :: ks) y -> part k x = part k y /\ code ks x = code ks y.
  Proof.
    cbn [code]. intros E. pose proof (part_small k x). pose proof (part_small k y).
    assert (part k x = part k y); [|split; [assumption|nia]].
    apply (f_equal (fun z => z mod q)) in E. rewrite !(Nat.mul_comm q), !Nat.mod_add, !Nat.mod_small in E by lia.
      assumption.
  Qed.

  Lemma cos_near z : 1 - z * z / 2 <= cos z.
  Proof.
    replace z with (2 * (z / 2)) at 3 by field. rewrite cos_2a_sin.
    pose proof (sin_small (z / 2)) as S. apply Rsqr_le_abs_1 in S. unfold Rsqr in S. nra.
  Qed.

  Lemma same_part k x y : (x <= y)%nat -> part k x = part k y ->
    1 - cos (angle n k (y - x)) <= (2 * PI / INR q) * (2 * PI / INR q) / 2.
  Proof.
    intros L E. unfold part in E. set (u := ((k * x) mod n)%nat) in *. set (v := ((k * y) mod n)%nat) in *.
    assert (N : 0 < INR n) by (apply lt_0_INR; lia). assert (Q : 0 < INR q) by (apply lt_0_INR; lia).
    pose proof (Nat.div_mod (q * u) n ltac:(lia)) as DU. pose proof (Nat.mod_upper_bound (q * u) n ltac:(lia)) as MU.
    pose proof (Nat.div_mod (q * v) n ltac:(lia)) as DV. pose proof (Nat.mod_upper_bound (q * v) n ltac:(lia)) as MV.
    rewrite E in DU. set (j := (q * v / n)%nat) in *.
    set (z := 2 * PI * (INR v - INR u) / INR n).
    assert (C : cos (angle n k (y - x)) = cos z).
    { assert (U : (k * x = n * (k * x / n) + u)%nat) by (apply Nat.div_mod; lia).
      assert (V : (k * y = n * (k * y / n) + v)%nat) by (apply Nat.div_mod; lia).
      assert (M : (k * x / n <= k * y / n)%nat) by (apply Nat.div_le_mono; nia).
      apply (f_equal INR) in U, V. rewrite plus_INR, !mult_INR in U, V.
      rewrite <- (cos_period z (k * y / n - k * x / n)). f_equal. unfold angle, z.
      rewrite mult_INR, !minus_INR by assumption.
      apply Rmult_eq_reg_r with (INR n); [|lra]. field_simplify; [|lra|lra].
      replace (2 * PI * INR k * INR y - 2 * PI * INR k * INR x) with (2 * PI * (INR k * INR y - INR k * INR x)) by ring.
      rewrite U, V. ring. }
    rewrite C. pose proof (cos_near z) as K.
    assert (B : Rabs (INR v - INR u) * INR q <= INR n).
    { assert (H1 : (q * v < q * u + n)%nat) by lia. assert (H2 : (q * u < q * v + n)%nat) by lia.
      apply lt_INR in H1, H2. rewrite plus_INR, !mult_INR in H1, H2. unfold Rabs. destruct Rcase_abs; lra. }
    assert (Z : Rabs z <= 2 * PI / INR q).
    { pose proof PI_RGT_0. unfold z, Rdiv. rewrite !Rabs_mult, Rabs_inv, (Rabs_pos_eq 2), (Rabs_pos_eq PI),
        (Rabs_pos_eq (INR n)) by lra.
      apply Rmult_le_reg_r with (INR q * INR n); [nra|].
      replace (2 * PI * Rabs (INR v - INR u) * / INR n * (INR q * INR n)) with
        (2 * PI * (Rabs (INR v - INR u) * INR q)) by (field; lra).
      replace (2 * PI * / INR q * (INR q * INR n)) with (2 * PI * INR n) by (field; lra). nra. }
    assert (P : 0 <= 2 * PI / INR q) by (pose proof PI_RGT_0; apply Rle_mult_inv_pos; lra).
    rewrite <- (Rabs_pos_eq (2 * PI / INR q)) in Z by assumption. apply Rsqr_le_abs_1 in Z. unfold Rsqr in Z. lra.
  Qed.

  Theorem fewer_are_not_enough ks : (q ^ length ks < n)%nat ->
    exists d, (0 < d < n)%nat /\ lead n ks d <= INR (length ks) * ((2 * PI / INR q) * (2 * PI / INR q) / 2).
  Proof.
    intros L. destruct (pigeonholes (code ks) (q ^ length ks) n (fun x _ => code_small ks x) L) as [x [y [O E]]].
    exists (y - x)%nat. split; [lia|]. unfold lead. clear L.
    induction ks as [|k ks IH]; [simpl; lra|]. apply code_same in E as [E1 E2]. specialize (IH E2).
    apply same_part in E1; [|lia]. cbn [length cosines fold_right] in *. rewrite S_INR.
    fold (cosines n ks (y - x)). lra.
  Qed.
End Needed.

(* A lead of half the number of frequencies at every difference takes log n to the base 9 of them. *)
Corollary logarithm_is_needed n ks : (0 < n)%nat -> ks <> nil ->
  (forall d, (0 < d < n)%nat -> INR (length ks) / 2 <= lead n ks d) -> (n <= 9 ^ length ks)%nat.
Proof.
  intros N K H. apply Nat.nlt_ge. intros L.
  destruct (fewer_are_not_enough n 9 N ltac:(lia) ks L) as [d [D B]]. specialize (H d D).
  assert (M : 0 < INR (length ks)) by (apply lt_0_INR; destruct ks; [congruence|simpl; lia]).
  pose proof PI_4. pose proof PI_RGT_0. replace (INR 9) with 9 in B by (simpl; ring).
  assert ((2 * PI / 9) * (2 * PI / 9) / 2 < / 2) by nra. nra.
Qed.

(* The same as networks: one cosine of a + b - c for each frequency. *)
Definition cluster_logits (n : nat) (ks : list nat) (a b c : nat) : R :=
  fold_right (fun k s => cos (2 * PI * INR k * (INR a + INR b - INR c) / INR n) + s) 0 ks.

Lemma cluster_logits_lead n ks a b c : (0 < n)%nat -> (c < n)%nat ->
  cluster_logits n ks a b c = cosines n ks ((a + b + (n - c)) mod n).
Proof.
  intros N L. induction ks as [|k ks IH]; [reflexivity|]. cbn [cluster_logits cosines fold_right] in *.
  fold (cluster_logits n ks a b c). fold (cosines n ks ((a + b + (n - c)) mod n)). rewrite IH. f_equal.
  set (d := ((a + b + (n - c)) mod n)%nat). set (j := ((a + b + (n - c)) / n)%nat).
  assert (E : (a + b + (n - c) = n * j + d)%nat) by (apply Nat.div_mod; lia).
  apply (f_equal INR) in E. rewrite !plus_INR, mult_INR, minus_INR in E by lia.
  assert (P : 0 < INR n) by (apply lt_0_INR; lia).
  rewrite <- (cos_period _ k), <- (cos_period (angle n k d) (k * j)). f_equal. unfold angle. rewrite !mult_INR.
  replace (INR a + INR b - INR c) with (INR n * INR j + INR d - INR n) by lra. field. lra.
Qed.

Theorem logarithmically_many_clusters_add n m : (2 <= n)%nat -> 32 * ln (INR n) <= INR m ->
  exists ks, length ks = m /\ forall a b c, (a < n)%nat -> (b < n)%nat -> (c < n)%nat -> c <> ((a + b) mod n)%nat ->
  cluster_logits n ks a b c + INR m / 2 <= cluster_logits n ks a b ((a + b) mod n).
Proof.
  intros two H. destruct (logarithm_is_enough n two m H) as [ks [E [_ D]]]. exists ks. split; [assumption|].
  intros a b c la lb lc wrong. set (t := ((a + b) mod n)%nat) in *.
  assert (lt : (t < n)%nat) by (apply Nat.mod_upper_bound; lia).
  rewrite !cluster_logits_lead by lia.
  assert (R0 : ((a + b + (n - t)) mod n = 0)%nat).
  { pose proof (Nat.div_mod (a + b) n ltac:(lia)) as K. fold t in K.
    assert (F : (a + b + (n - t) = 0 + ((a + b) / n + 1) * n)%nat) by nia.
    rewrite F, Nat.mod_add, Nat.mod_small; lia. }
  rewrite R0. set (d := ((a + b + (n - c)) mod n)%nat).
  assert (L : (0 < d < n)%nat).
  { split; [|apply Nat.mod_upper_bound; lia]. apply Nat.neq_0_lt_0. intros Z. apply wrong.
    apply Nat.mod_divides in Z; [|lia]. destruct Z as [[|i] I]; [lia|].
    assert (AB : (a + b = c + i * n)%nat) by lia. unfold t. rewrite AB, Nat.mod_add, Nat.mod_small; lia. }
  specialize (D d L). unfold lead in D. rewrite E in D.
  assert (Z : cosines n ks 0 = INR m).
  { rewrite <- E. clear. induction ks as [|k ks IH]; [reflexivity|]. cbn [cosines fold_right length] in *.
    rewrite S_INR. fold (cosines n ks 0). rewrite IH. unfold angle. rewrite Nat.mul_0_r. simpl (INR 0).
    replace (2 * PI * 0 / INR n) with 0 by (unfold Rdiv; ring). rewrite cos_0. ring. }
  rewrite Z. lra.
Qed.

Print Assumptions logarithm_is_needed.
Print Assumptions logarithmically_many_clusters_add.
