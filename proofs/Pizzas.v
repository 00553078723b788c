(* Clusters with weights, and pizzas: how many frequencies are enough where each cosine comes with a factor.

   A cluster answers with g cos(2π k (a + b - c)/n). Where no factor g is below some number, the same frequencies are
   enough as without it. In a pizza the factor is |cos(π k (a - b)/n)|, which can be next to 0; but at no a - b is it so
   for many frequencies, if n is odd. If n is even, it is 0 for every odd k where a - b is n/2. *)

From Coq Require Import Reals Lia Lra Arith List.
From Modadd Require Import Network Frequencies.
Open Scope R_scope.

(* One term, of the frequency k. *)
Definition wave (n k a b c : nat) : R := cos (2 * PI * INR k * (INR a + INR b - INR c) / INR n).

Definition weighted_logits (n : nat) (ks : list nat) (g : nat -> nat -> nat -> R) (a b c : nat) : R :=
  fold_right (fun k s => g k a b * wave n k a b c + s) 0 ks.

Definition pizza_factor (n k a b : nat) : R := Rabs (cos (PI * INR k * (INR a - INR b) / INR n)).

Definition difference (n a b c : nat) : nat := ((a + b + (n - c)) mod n)%nat.

Lemma wave_angle n k a b c : (0 < n)%nat -> (c < n)%nat -> wave n k a b c = cos (angle n k (difference n a b c)).
Proof.
  intros N L. pose proof (cluster_logits_lead n (k :: nil) a b c N L) as E.
  cbn [cluster_logits cosines fold_right] in E. unfold wave, difference. lra.
Qed.

Lemma wave_right n k a b : (0 < n)%nat -> wave n k a b ((a + b) mod n) = 1.
Proof.
  intros N. assert (L : ((a + b) mod n < n)%nat) by (apply Nat.mod_upper_bound; lia).
  rewrite wave_angle by assumption. unfold difference.
  replace ((a + b + (n - (a + b) mod n)) mod n)%nat with 0%nat.
  - unfold angle. rewrite Nat.mul_0_r. simpl (INR 0). replace (2 * PI * 0 / INR n) with 0 by (unfold Rdiv; ring). apply cos_0.
  - pose proof (Nat.div_mod (a + b) n ltac:(lia)) as D. set (t := ((a + b) mod n)%nat) in *.
    replace (a + b + (n - t))%nat with (0 + ((a + b) / n + 1) * n)%nat by nia. rewrite Nat.mod_add, Nat.mod_small; lia.
Qed.

Lemma difference_wrong n a b c : (c < n)%nat -> c <> ((a + b) mod n)%nat -> (0 < difference n a b c < n)%nat.
Proof.
  intros L wrong. unfold difference. split; [|apply Nat.mod_upper_bound; lia]. apply Nat.neq_0_lt_0. intros Z.
  apply wrong. apply Nat.mod_divides in Z; [|lia]. destruct Z as [[|i] I]; [lia|].
  assert (E : (a + b = c + i * n)%nat) by lia. rewrite E, Nat.mod_add, Nat.mod_small; lia.
Qed.

(* How far the right answer leads one that is off by d. *)
Lemma weighted_lead n ks g a b c : (0 < n)%nat -> (c < n)%nat ->
  weighted_logits n ks g a b ((a + b) mod n) - weighted_logits n ks g a b c =
  fold_right (fun k s => g k a b * (1 - cos (angle n k (difference n a b c))) + s) 0 ks.
Proof.
  intros N L. induction ks as [|k ks IH]; simpl; [lra|]. rewrite wave_right, (wave_angle n k a b c), <- IH by assumption.
  ring.
Qed.

Lemma fold_le (f g : nat -> R) ks : (forall k, f k <= g k) ->
  fold_right (fun k s => f k + s) 0 ks <= fold_right (fun k s => g k + s) 0 ks.
Proof. intros H. induction ks as [|k ks IH]; simpl; [lra|]. specialize (H k). lra. Qed.

Lemma sum_nonnegative f k : (forall m, 0 <= f m) -> 0 <= sum f k.
Proof. intros H. induction k; simpl; [lra|]. specialize (H k). lra. Qed.

Theorem weighted_clusters_add n m : (2 <= n)%nat -> 32 * ln (INR n) <= INR m ->
  exists ks, length ks = m /\ forall g least, 0 <= least -> (forall k a b, least <= g k a b) ->
  forall a b c, (a < n)%nat -> (b < n)%nat -> (c < n)%nat -> c <> ((a + b) mod n)%nat ->
  weighted_logits n ks g a b c + least * (INR m / 2) <= weighted_logits n ks g a b ((a + b) mod n).
Proof.
  intros two H. destruct (logarithm_is_enough n two m H) as [ks [E [_ D]]]. exists ks. split; [assumption|].
  intros g least P G a b c la lb lc wrong. pose proof (weighted_lead n ks g a b c ltac:(lia) lc) as W.
  specialize (D _ (difference_wrong n a b c lc wrong)). set (d := difference n a b c) in *.
  assert (F : least * lead n ks d <= fold_right (fun k s => g k a b * (1 - cos (angle n k d)) + s) 0 ks).
  { eapply Rle_trans; [|apply (fold_le (fun k => least * (1 - cos (angle n k d))))].
    - right. unfold lead. clear. induction ks as [|k ks IH]; [simpl; ring|]. cbn [length cosines fold_right].
      fold (cosines n ks d). rewrite S_INR, <- IH. ring.
    - intros k. pose proof (COS_bound (angle n k d)). apply Rmult_le_compat_r; [lra|apply G]. }
  apply (Rmult_le_compat_l least) in D; [|assumption]. lra.
Qed.

(* Over all frequencies, the cosines of a number cancel or are all 1. *)
Lemma angle_mod n k x : (0 < n)%nat -> cos (angle n k x) = cos (angle n k (x mod n)).
Proof.
  intros N. rewrite <- (cos_period (angle n k (x mod n)) (k * (x / n))). f_equal. unfold angle.
  rewrite (Nat.div_mod x n) at 1 by lia. rewrite !mult_INR, plus_INR, mult_INR. field.
  apply not_0_INR. lia.
Qed.

Lemma all_cosines n x : (0 < n)%nat ->
  sum (fun k => cos (angle n k x)) n = if Nat.eq_dec (x mod n) 0 then INR n else 0.
Proof.
  intros N. rewrite (sum_ext _ (fun k => cos (angle n k (x mod n)))) by (intros; now apply angle_mod).
  destruct (Nat.eq_dec (x mod n) 0) as [E|E].
  - rewrite E, (sum_ext _ (fun _ => 1)), sum_const; [ring|]. intros k _. unfold angle. rewrite Nat.mul_0_r.
    simpl (INR 0). replace (2 * PI * 0 / INR n) with 0 by (unfold Rdiv; ring). apply cos_0.
  - apply cosines_cancel. pose proof (Nat.mod_upper_bound x n ltac:(lia)). lia.
Qed.

(* What a frequency gives at a - b = e to the lead over an answer that is off by d, at least: |cos| is at least cos². *)
Definition share (n e d k : nat) : R := (1 + cos (angle n k e)) / 2 * (1 - cos (angle n k d)).
Definition shares (n e d : nat) (ks : list nat) : R := fold_right (fun k s => share n e d k + s) 0 ks.

Lemma share_bounds n e d k : 0 <= share n e d k <= 2.
Proof.
  unfold share. pose proof (COS_bound (angle n k e)). pose proof (COS_bound (angle n k d)).
  set (x := cos (angle n k e)) in *. set (y := cos (angle n k d)) in *. nra.
Qed.

Lemma cosines_product n k e d : cos (angle n k e) * cos (angle n k d) =
  (cos (angle n k (e + d)) + cos (angle n k (Nat.max e d - Nat.min e d))) / 2.
Proof.
  assert (P : angle n k (e + d) = angle n k e + angle n k d).
  { unfold angle. rewrite Nat.mul_add_distr_l, plus_INR. unfold Rdiv. ring. }
  assert (M : forall x y, (x <= y)%nat -> angle n k (y - x) = angle n k y - angle n k x).
  { intros x y L. unfold angle. rewrite Nat.mul_sub_distr_l, minus_INR by nia. unfold Rdiv. ring. }
  rewrite P, cos_plus. destruct (Nat.le_gt_cases e d) as [L|L].
  - rewrite Nat.max_r, Nat.min_l, M, cos_minus by lia. lra.
  - rewrite Nat.max_l, Nat.min_r, M, cos_minus by lia. lra.
Qed.

Section Pizzas.
  Variable n : nat.
  Hypothesis odd : Nat.Odd n.
  Hypothesis two : (2 <= n)%nat.

  Lemma quarter e d : (e < n)%nat -> (0 < d < n)%nat -> INR n / 4 <= sum (share n e d) n.
  Proof.
    intros E D. assert (N : 0 < INR n) by (apply lt_0_INR; lia).
    rewrite (sum_ext _ (fun k => (/ 2 + / 2 * cos (angle n k e)) + (- / 2 * cos (angle n k d) +
      (- / 4 * cos (angle n k (e + d)) + - / 4 * cos (angle n k (Nat.max e d - Nat.min e d)))))).
    2:{ intros k _. unfold share. pose proof (cosines_product n k e d). lra. }
    rewrite !sum_plus, !sum_scale, sum_const, !all_cosines by lia.
    rewrite (Nat.mod_small d) by lia. destruct (Nat.eq_dec d 0) as [Z|_]; [lia|].
    assert (both : ((e + d) mod n = 0 -> (Nat.max e d - Nat.min e d) mod n <> 0)%nat).
    { intros S T. destruct odd as [h O]. rewrite Nat.mod_small in T by lia.
      apply Nat.mod_divides in S; [|lia]. destruct S as [[|[|q]] Q]; [lia|lia|].
      replace (n * S (S q))%nat with (2 * n + n * q)%nat in Q by ring. lia. }
    destruct (Nat.eq_dec ((e + d) mod n) 0) as [S|S], (Nat.eq_dec ((Nat.max e d - Nat.min e d) mod n) 0) as [T|T],
      (Nat.eq_dec (e mod n) 0); try lra; exfalso; now apply both.
  Qed.

  Let hardness (ks : list nat) : R := sum (fun j => sum (fun e => exp (- / 2 * shares n e (S j) ks)) n) (n - 1).

  Lemma exp_share y : 0 <= y <= 2 -> exp (- / 2 * y) <= 1 - y / 4.
  Proof.
    intros Y. pose proof (exp_ineq1_le (y / 2)) as E. pose proof (exp_pos (- / 2 * y)) as P.
    assert (I : exp (- / 2 * y) * exp (y / 2) = 1) by (rewrite <- exp_plus; replace (- / 2 * y + y / 2) with 0 by field;
      apply exp_0).
    apply Rmult_le_reg_r with (exp (y / 2)); [apply exp_pos|]. rewrite I. nra.
  Qed.

  Lemma next_pizza ks : exists k, (k < n)%nat /\ hardness (k :: ks) <= (1 - / 16) * hardness ks.
  Proof.
    apply (one_is_no_more (fun k => hardness (k :: ks))); [lia|]. unfold hardness.
    rewrite sum_swap, <- Rmult_assoc, <- sum_scale. apply sum_le. intros j J.
    rewrite sum_swap, <- sum_scale. apply sum_le. intros e E.
    rewrite (sum_ext _ (fun k => exp (- / 2 * shares n e (S j) ks) * exp (- / 2 * share n e (S j) k))).
    - rewrite sum_scale, Rmult_comm. apply Rmult_le_compat_r; [left; apply exp_pos|].
      apply Rle_trans with (sum (fun k => 1 + - / 4 * share n e (S j) k) n).
      + apply sum_le. intros k _. pose proof (exp_share _ (share_bounds n e (S j) k)). lra.
      + rewrite sum_plus, sum_scale, sum_const. pose proof (quarter e (S j) E ltac:(lia)). lra.
    - intros k _. rewrite <- exp_plus. f_equal. cbn [shares fold_right]. fold (shares n e (S j) ks). ring.
  Qed.

  Lemma pizzas m : exists ks, length ks = m /\ hardness ks <= (1 - / 16) ^ m * (INR n * INR n).
  Proof.
    induction m as [|m [ks [E H]]].
    - exists nil. split; [reflexivity|]. unfold hardness. simpl.
      rewrite (sum_ext _ (fun _ => INR n)), sum_const.
      + rewrite Rmult_1_l. apply Rmult_le_compat_r; [apply pos_INR|apply le_INR; lia].
      + intros j _. rewrite (sum_ext _ (fun _ => 1)), sum_const by (intros; rewrite Rmult_0_r; apply exp_0). ring.
    - destruct (next_pizza ks) as [k [_ N]]. exists (k :: ks). split; [simpl; now rewrite E|]. simpl. nra.
  Qed.

  Lemma shares_enough m : 64 * ln (INR n) <= INR m -> exists ks, length ks = m /\
    forall e d, (e < n)%nat -> (0 < d < n)%nat -> INR m / 16 <= shares n e d ks.
  Proof.
    intros H. destruct (pizzas m) as [ks [E B]]. exists ks. split; [assumption|]. intros e d He D.
    assert (N : 0 < INR n) by (apply lt_0_INR; lia).
    assert (T : exp (- / 2 * shares n e d ks) <= exp (- / 16 * INR m + (ln (INR n) + ln (INR n)))).
    { eapply Rle_trans; [|eapply Rle_trans; [exact B|]].
      - unfold hardness. replace d with (S (d - 1)) at 1 by lia.
        apply Rle_trans with (sum (fun e0 => exp (- / 2 * shares n e0 (S (d - 1)) ks)) n).
        + apply (sum_one_le (fun e0 => exp (- / 2 * shares n e0 (S (d - 1)) ks))); [intros; left; apply exp_pos|lia].
        + apply (sum_one_le (fun j => sum (fun e0 => exp (- / 2 * shares n e0 (S j) ks)) n)); [|lia].
          intros j. apply sum_nonnegative. intros. left. apply exp_pos.
      - rewrite !exp_plus, exp_ln by assumption. apply Rmult_le_compat_r; [nra|].
        clear. induction m; [simpl; rewrite Rmult_0_r, exp_0; lra|]. rewrite S_INR, Rmult_plus_distr_l, exp_plus. simpl.
        rewrite Rmult_comm. apply Rmult_le_compat; try lra; [apply pow_le; lra|].
        rewrite Rmult_1_r. pose proof (exp_ineq1_le (- / 16)). lra. }
    apply Rnot_lt_le. intros C.
    assert (L : - / 16 * INR m + (ln (INR n) + ln (INR n)) < - / 2 * shares n e d ks) by lra.
    apply exp_increasing in L. lra.
  Qed.

  Lemma factor_share k a b d : share n (Nat.max a b - Nat.min a b) d k <= pizza_factor n k a b * (1 - cos (angle n k d)).
  Proof.
    unfold share, pizza_factor. pose proof (COS_bound (angle n k d)). apply Rmult_le_compat_r; [lra|].
    set (z := PI * INR k * (INR a - INR b) / INR n). assert (N : 0 < INR n) by (apply lt_0_INR; lia).
    replace (cos (angle n k (Nat.max a b - Nat.min a b))) with (cos (2 * z)).
    - rewrite cos_2a_cos. pose proof (COS_bound z). unfold Rabs. destruct Rcase_abs; nra.
    - unfold angle, z. rewrite mult_INR. destruct (Nat.le_gt_cases a b) as [L|L].
      + rewrite Nat.max_r, Nat.min_l, minus_INR, <- cos_neg by lia. f_equal. field. lra.
      + rewrite Nat.max_l, Nat.min_r, minus_INR by lia. f_equal. field. lra.
  Qed.
End Pizzas.

Theorem logarithmically_many_pizzas_add n m : Nat.Odd n -> (2 <= n)%nat -> 64 * ln (INR n) <= INR m ->
  exists ks, length ks = m /\
  forall a b c, (a < n)%nat -> (b < n)%nat -> (c < n)%nat -> c <> ((a + b) mod n)%nat ->
  weighted_logits n ks (pizza_factor n) a b c + INR m / 16 <= weighted_logits n ks (pizza_factor n) a b ((a + b) mod n).
Proof.
  intros odd two H. destruct (shares_enough n odd two m H) as [ks [E S]]. exists ks. split; [assumption|].
  intros a b c la lb lc wrong. pose proof (weighted_lead n ks (pizza_factor n) a b c ltac:(lia) lc) as W.
  pose proof (difference_wrong n a b c lc wrong) as D. set (d := difference n a b c) in *.
  specialize (S (Nat.max a b - Nat.min a b)%nat d ltac:(lia) D).
  pose proof (fold_le (share n (Nat.max a b - Nat.min a b) d) (fun k => pizza_factor n k a b * (1 - cos (angle n k d))) ks
    (fun k => factor_share n two k a b d)) as F. unfold shares in S. lra.
Qed.

Print Assumptions weighted_clusters_add.
Print Assumptions logarithmically_many_pizzas_add.
