(* One frequency: evenly spaced neurons add mod n if there are as many as the cube root of n, times a constant; by how much
   the right answer then leads; and that fewer of them fail.

   Neuron i reads cos(w a + p) + cos(w b + p) and writes cos(w c + 2p), with w = 2π/n and the phase p = i (π + π/h). For odd h
   these phases are the multiples of the h-th part of a turn, in another order. A logit is a sum of h equal boxes, for an
   integral over all phases in which the right answer leads. Its linear part cancels. What is left is a modulus, of half the
   period, with boxes of the width 2e, e = π/(2h). Sums of evenly spaced cosines then give every logit. Let m be how far the
   middle of the boxes lies from 0, |m| ≤ e, and g = w (c - a - b). Up to a positive factor that all answers share

     logit(c) = cos(m + g)/sin e - cos(3m + g)/sin 3e.

   So the answer is turned by an angle whose tangent is at most 4 sin³e/(3√3 cos e cos 2e), and is right if that is less than
   tan(π/n), half a step. For large h this is n < (6√3/π²) h³. The lead is what is left of the integral's, a share of it.
   From n = 2h³ on an input whose m is near -e/2 is answered wrong. *)

From Coq Require Import Reals ZArith Lia Lra Arith.
From Modadd Require Import Network Smallest Frequencies Pizzas.
Open Scope R_scope.

Definition phase (h i : nat) : R := INR i * (PI + PI / INR h).

Definition one_frequency (n h : nat) : network :=
  let w := 2 * PI / INR n in
  Network (fun a i => cos (w * INR a + phase h i)) (fun b i => cos (w * INR b + phase h i))
    (fun i c => cos (w * INR c + 2 * phase h i)) (fun _ _ => 0) (fun _ _ => 0).

(* What h boxes leave of the integral's lead, as a share: near 1, less what they turn the answer by beside half a step. *)
Definition left_of_lead (e step : R) : R :=
  cos e * cos (2 * e) - 4 * sin e ^ 3 / (3 * sqrt 3) * (cos step / sin step).

(* Sums of evenly spaced cosines. *)
Lemma sum_spaced x y k : sin y * sum (fun i => cos (x + 2 * INR i * y)) k = sin (INR k * y) * cos (x + (INR k - 1) * y).
Proof.
  induction k.
  - simpl. rewrite Rmult_0_l, sin_0. ring.
  - rewrite S_INR. cbn [sum]. rewrite Rmult_plus_distr_l, IHk. set (u := INR k * y).
    replace (x + (INR k - 1) * y) with (x + u - y) by (unfold u; ring).
    replace (x + 2 * INR k * y) with (x + u + u) by (unfold u; ring).
    replace ((INR k + 1) * y) with (u + y) by (unfold u; ring).
    replace (x + (INR k + 1 - 1) * y) with (x + u) by (unfold u; ring).
    rewrite (cos_minus (x + u) y), (cos_plus (x + u) u), (sin_plus u y). ring.
Qed.

Lemma cos_double_product x g : cos x * cos (2 * x + g) = (cos (3 * x + g) + cos (x + g)) / 2.
Proof.
  replace (3 * x + g) with (2 * x + g + x) by ring. replace (x + g) with (2 * x + g - x) by ring.
  rewrite (cos_plus (2 * x + g) x), (cos_minus (2 * x + g) x). field.
Qed.

Lemma sum_double_product f g k : sum (fun i => cos (f i) * cos (2 * f i + g)) k =
  (sum (fun i => cos (3 * f i + g)) k + sum (fun i => cos (f i + g)) k) / 2.
Proof.
  rewrite (sum_ext _ (fun i => / 2 * (cos (3 * f i + g) + cos (f i + g)))).
  - rewrite sum_scale, (sum_plus (fun i => cos (3 * f i + g)) (fun i => cos (f i + g))). field.
  - intros i _. rewrite cos_double_product. field.
Qed.

(* A function of half the period. *)
Definition box (g x : R) : R := Rabs (cos x) * cos (2 * x + g).

Lemma box_period g x k : box g (x + INR k * PI) = box g x.
Proof.
  induction k; [f_equal; simpl; ring|]. rewrite <- IHk. unfold box. rewrite S_INR.
  replace (x + (INR k + 1) * PI) with (x + INR k * PI + PI) by ring.
  rewrite neg_cos, Rabs_Ropp. f_equal. rewrite <- (cos_period (2 * (x + INR k * PI) + g) 1). f_equal. simpl. ring.
Qed.

Lemma sin_above x : 0 < x < PI -> x * cos x <= sin x.
Proof.
  intros X. destruct (MVT_cor2 (fun y => sin y - y * cos y) (fun y => cos y - (1 * cos y + y * - sin y)) 0 x) as [c [E C]].
  - lra.
  - intros c _. apply (derivable_pt_lim_minus sin (fun y => y * cos y)); [apply derivable_pt_lim_sin|].
    apply (derivable_pt_lim_mult id cos); [apply derivable_pt_lim_id|apply derivable_pt_lim_cos].
  - rewrite sin_0 in E. assert (0 <= c * sin c) by (apply Rmult_le_pos; [lra|apply sin_ge_0; lra]). nra.
Qed.

Lemma apart n a b : Nat.Odd n -> (a < n)%nat -> (b < n)%nat -> cos (PI * (INR a - INR b) / INR n) <> 0.
Proof.
  intros [i I] la lb. assert (N : 0 < INR n) by (apply lt_0_INR; lia). pose proof PI_RGT_0.
  assert (bound : forall x y, (x < n)%nat -> (2 * y + n < 2 * x)%nat -> cos (PI * (INR x - INR y) / INR n) < 0).
  { intros x y X L. apply lt_INR in X, L. rewrite plus_INR, !mult_INR in L. simpl (INR 2) in L.
    pose proof (pos_INR y). assert (E : PI * (INR x - INR y) / INR n * INR n = PI * (INR x - INR y)) by (field; lra).
    apply cos_lt_0; apply Rmult_lt_reg_r with (INR n); try lra; rewrite E; nra. }
  destruct (Nat.lt_ge_cases (2 * b + n) (2 * a)) as [L|L]; [specialize (bound a b la L); lra|].
  destruct (Nat.lt_ge_cases (2 * a + n) (2 * b)) as [K|K].
  - specialize (bound b a lb K). rewrite <- cos_neg.
    replace (- (PI * (INR a - INR b) / INR n)) with (PI * (INR b - INR a) / INR n) by (field; lra). lra.
  - assert (L' : (2 * a < 2 * b + n)%nat) by lia. assert (K' : (2 * b < 2 * a + n)%nat) by lia.
    apply lt_INR in L', K'. rewrite plus_INR, !mult_INR in L', K'. simpl (INR 2) in L', K'.
    assert (E : PI * (INR a - INR b) / INR n * INR n = PI * (INR a - INR b)) by (field; lra).
    apply Rgt_not_eq, cos_gt_0; apply Rmult_lt_reg_r with (INR n); try lra; rewrite E; nra.
Qed.

Section Nodes.
  Variables h p : nat.
  Hypothesis odd : h = (2 * p + 1)%nat.
  Hypothesis five : (2 <= p)%nat.

  Let e : R := PI / (2 * INR h).
  Let logit_at (m g : R) : R := cos (m + g) / sin e - cos (3 * m + g) / sin (3 * e).

  Lemma many : 5 <= INR h.
  Proof. replace 5 with (INR 5) by (simpl; ring). apply le_INR. lia. Qed.

  Lemma turn_of : INR h * (2 * e) = PI.
  Proof. unfold e. pose proof many. field. lra. Qed.

  Lemma small : 0 < e /\ 10 * e <= PI.
  Proof. pose proof many. pose proof PI_RGT_0. pose proof turn_of. split; [apply Rdiv_lt_0_compat; lra|]. nra. Qed.

  Lemma half : INR h = 2 * INR p + 1.
  Proof. rewrite odd, plus_INR, mult_INR. simpl. ring. Qed.

  Lemma sines : 0 < sin e /\ 0 < sin (3 * e) /\ 0 < cos e /\ 0 < cos (2 * e) /\ 0 < cos (3 * e).
  Proof. pose proof small. pose proof PI_RGT_0. repeat split; try (apply sin_gt_0; lra); apply cos_gt_0; lra. Qed.

  (* The linear part of ReLU adds nothing. *)
  Lemma linear x g : sum (fun i => cos (x + phase h i) * cos (2 * (x + phase h i) + g)) h = 0.
  Proof.
    assert (P : forall i, phase h i = INR i * (PI + 2 * e)).
    { intros i. unfold phase, e. pose proof many. field. lra. }
    rewrite sum_double_product. pose proof sines as [S1 [S3 [C1 [C2 C3]]]].
    assert (Z : forall k, sin (INR k * PI) = 0).
    { intros k. apply sin_eq_0_1. exists (Z.of_nat k). now rewrite <- INR_IZR_INZ. }
    assert (H1 : sum (fun i => cos (x + phase h i + g)) h = 0).
    { pose proof (sum_spaced (x + g) (PI / 2 + e) h) as E.
      replace (INR h * (PI / 2 + e)) with (INR (p + 1) * PI) in E
        by (rewrite plus_INR, Rmult_plus_distr_l; pose proof turn_of; pose proof half; simpl (INR 1); nra).
      rewrite Z, Rmult_0_l, sin_plus, sin_PI2, cos_PI2 in E.
      rewrite (sum_ext _ (fun i => cos (x + g + 2 * INR i * (PI / 2 + e)))).
      - apply Rmult_integral in E as [E|E]; [lra|assumption].
      - intros i _. f_equal. rewrite P. field. }
    assert (H3 : sum (fun i => cos (3 * (x + phase h i) + g)) h = 0).
    { pose proof (sum_spaced (3 * x + g) (3 * (PI / 2) + 3 * e) h) as E.
      replace (INR h * (3 * (PI / 2) + 3 * e)) with (INR (3 * (p + 1)) * PI) in E
        by (rewrite mult_INR, plus_INR; pose proof turn_of; pose proof half; simpl (INR 1); simpl (INR 3); nra).
      rewrite Z, Rmult_0_l, sin_plus, sin_3PI2, cos_3PI2 in E.
      rewrite (sum_ext _ (fun i => cos (3 * x + g + 2 * INR i * (3 * (PI / 2) + 3 * e)))).
      - apply Rmult_integral in E as [E|E]; [lra|assumption].
      - intros i _. f_equal. rewrite P. field. }
    rewrite H1, H3. field.
  Qed.

  (* The modulus: from any node on the boxes fill half a turn, and those around m fill it without a sign. *)
  Lemma centred m g : - e <= m <= e ->
    sum (fun i => box g (m - (INR h - 1) * e + 2 * INR i * e)) h = logit_at m g / 2.
  Proof.
    intros M. pose proof small. pose proof sines as [S1 [S3 _]]. pose proof turn_of.
    set (f := fun i => m - (INR h - 1) * e + 2 * INR i * e).
    rewrite (sum_ext _ (fun i => cos (f i) * cos (2 * f i + g))).
    2:{ intros i I. unfold box. fold (f i). rewrite Rabs_pos_eq; [reflexivity|]. apply lt_INR in I as J.
        assert (K : (i + 1 <= h)%nat) by lia. apply le_INR in K. rewrite plus_INR in K.
        simpl (INR 1) in K. pose proof (pos_INR i). apply cos_ge_0; unfold f; nra. }
    rewrite sum_double_product. unfold logit_at.
    pose proof (sum_spaced (m - (INR h - 1) * e + g) e h) as E1.
    pose proof (sum_spaced (3 * (m - (INR h - 1) * e) + g) (3 * e) h) as E3.
    replace (INR h * e) with (PI / 2) in E1 by lra. replace (INR h * (3 * e)) with (3 * (PI / 2)) in E3 by lra.
    rewrite sin_PI2 in E1. rewrite sin_3PI2 in E3.
    replace (m - (INR h - 1) * e + g + (INR h - 1) * e) with (m + g) in E1 by ring.
    replace (3 * (m - (INR h - 1) * e) + g + (INR h - 1) * (3 * e)) with (3 * m + g) in E3 by ring.
    rewrite (sum_ext (fun i => cos (f i + g)) (fun i => cos (m - (INR h - 1) * e + g + 2 * INR i * e)))
      by (intros; unfold f; f_equal; ring).
    rewrite (sum_ext (fun i => cos (3 * f i + g)) (fun i => cos (3 * (m - (INR h - 1) * e) + g + 2 * INR i * (3 * e))))
      by (intros; unfold f; f_equal; ring).
    set (s1 := sum _ h) in E1 |- *. set (s3 := sum _ h) in E3 |- *.
    apply Rmult_eq_reg_l with (2 * sin e * sin (3 * e)); [|nra]. field_simplify; [|lra]. nra.
  Qed.

  Lemma modulus m r g : - e <= m <= e ->
    sum (fun i => box g (m + 2 * INR r * e + phase h i)) h = logit_at m g / 2.
  Proof.
    intros M. rewrite <- centred by assumption. pose proof many.
    set (f := fun i => box g (m - (INR h - 1) * e + 2 * INR i * e)).
    assert (turns : forall i, f i = f (i mod h)).
    { intros i. unfold f. rewrite <- (box_period g (m - (INR h - 1) * e + 2 * INR (i mod h) * e) (i / h)). f_equal.
      rewrite (Nat.div_mod i h) at 1 by lia. rewrite plus_INR, mult_INR, <- turn_of. ring. }
    rewrite <- (sum_turned f h (r + p)) by lia. apply sum_ext. intros i _. rewrite <- turns. unfold f.
    replace (m + 2 * INR r * e + phase h i) with (m - (INR h - 1) * e + 2 * INR (r + p + i) * e + INR i * PI).
    - apply box_period.
    - rewrite !plus_INR. unfold phase. replace (PI / INR h) with (2 * e) by (unfold e; field; lra). rewrite half. ring.
  Qed.

  Lemma relu_modulus x : relu x = / 2 * x + / 2 * Rabs x.
  Proof. unfold relu, Rmax, Rabs. destruct Rle_dec, Rcase_abs; lra. Qed.

  Lemma logit_exactly n a b c m r : (0 < n)%nat -> - e <= m <= e -> PI * (INR a + INR b) / INR n = m + 2 * INR r * e ->
    logit h (one_frequency n h) a b c = Rabs (cos (PI * (INR a - INR b) / INR n)) *
      logit_at m (2 * PI * (INR c - INR a - INR b) / INR n) / 2.
  Proof.
    intros N M X. apply lt_0_INR in N. unfold logit. cbn [A B W C D one_frequency].
    set (x := PI * (INR a + INR b) / INR n). set (d := cos (PI * (INR a - INR b) / INR n)).
    set (g := 2 * PI * (INR c - INR a - INR b) / INR n).
    rewrite (sum_ext _ (fun i => d * (cos (x + phase h i) * cos (2 * (x + phase h i) + g)) +
      Rabs d * box g (m + 2 * INR r * e + phase h i))).
    - rewrite sum_plus, !sum_scale, linear, modulus by assumption. field.
    - intros i _. rewrite <- X. fold x. unfold box. rewrite form1.
      replace ((2 * PI / INR n * INR a + phase h i - (2 * PI / INR n * INR b + phase h i)) / 2)
        with (PI * (INR a - INR b) / INR n) by (field; lra).
      replace ((2 * PI / INR n * INR a + phase h i + (2 * PI / INR n * INR b + phase h i)) / 2)
        with (x + phase h i) by (unfold x; field; lra).
      replace (2 * PI / INR n * INR c + 2 * phase h i) with (2 * (x + phase h i) + g) by (unfold x, g; field; lra).
      fold d. rewrite relu_modulus, !Rabs_mult, (Rabs_pos_eq 2) by lra. field.
  Qed.

  (* How far the right answer leads one that is off by s half turns, and that it does. *)
  Lemma lead_exactly m s : logit_at m 0 - logit_at m (- (2 * s)) = 4 * sin s / sin (3 * e) *
    (cos m * (cos (2 * e) + 2 * sin m * sin m) * sin s + 2 * sin m * (sin e * sin e - sin m * sin m) * cos s).
  Proof.
    pose proof sines as [S1 [S3 _]]. unfold logit_at.
    replace (m + - (2 * s)) with (m - s - s) by ring. replace (3 * m + - (2 * s)) with (3 * m - s - s) by ring.
    replace (m + 0) with (m - s + s) by ring. replace (3 * m + 0) with (3 * m - s + s) by ring.
    rewrite (cos_minus (m - s)), (cos_plus (m - s)), (cos_minus (3 * m - s)), (cos_plus (3 * m - s)), !sin_minus.
    apply Rmult_eq_reg_l with (sin e * sin (3 * e)); [|nra].
    assert (triple : forall x, sin (3 * x) = sin x * (3 - 4 * (sin x * sin x)) /\
      cos (3 * x) = cos x * (1 - 4 * (sin x * sin x))).
    { intros x. replace (3 * x) with (2 * x + x) by ring. rewrite sin_plus, cos_plus, cos_2a_sin, sin_2a.
      pose proof (sin2_cos2 x) as Q. unfold Rsqr in Q. assert (C : cos x * cos x = 1 - sin x * sin x) by lra.
      replace (2 * sin x * cos x * cos x) with (2 * sin x * (cos x * cos x)) by ring. rewrite C. split; ring. }
    destruct (triple m) as [TS TC]. rewrite TS, TC. rewrite (cos_2a_sin e).
    replace (sin e * sin (3 * e) * (4 * sin s / sin (3 * e) * (cos m * (1 - 2 * sin e * sin e + 2 * sin m * sin m) * sin s +
      2 * sin m * (sin e * sin e - sin m * sin m) * cos s))) with (sin e * (4 * sin s * (cos m * (1 - 2 * sin e * sin e +
      2 * sin m * sin m) * sin s + 2 * sin m * (sin e * sin e - sin m * sin m) * cos s))) by (field; lra).
    field_simplify; [|lra]. destruct (triple e) as [TE _]. rewrite TE. ring.
  Qed.

  (* How much the right answer leads at least. *)
  Lemma lead_at_least m s step : - e <= m <= e -> 0 < step <= s -> s <= PI - step -> 0 <= left_of_lead e step ->
    4 * sin step ^ 2 / sin (3 * e) * left_of_lead e step <= logit_at m 0 - logit_at m (- (2 * s)).
  Proof.
    intros M [B S] T H. rewrite lead_exactly. pose proof small. pose proof PI_RGT_0.
    pose proof sines as [S1 [S3 [C1 [C2 _]]]].
    assert (P : 0 < sin s) by (apply sin_gt_0; lra). assert (PB : 0 < sin step) by (apply sin_gt_0; lra).
    set (left := left_of_lead e step) in *.
    set (q := sin e) in *. set (v := sin m) in *.
    assert (V : - q <= v <= q).
    { unfold q, v. split; [rewrite <- sin_neg|]; apply sin_incr_1; lra. }
    assert (X : cos e * cos (2 * e) <= cos m * (cos (2 * e) + 2 * v * v)).
    { assert (cos e <= cos m).
      { pose proof (sin2_cos2 e) as Q1. pose proof (sin2_cos2 m) as Q2. unfold Rsqr in Q1, Q2. fold q in Q1. fold v in Q2.
        assert (0 <= cos m) by (apply cos_ge_0; lra). nra. }
      pose proof (Rle_0_sqr v) as Q. unfold Rsqr in Q. apply Rmult_le_compat; lra. }
    set (x := cos m * (cos (2 * e) + 2 * v * v)) in *. set (y := 2 * v * (q * q - v * v)) in *.
    assert (R3 : sqrt 3 * sqrt 3 = 3) by (apply sqrt_sqrt; lra). pose proof (sqrt_lt_R0 3 ltac:(lra)) as R0.
    set (k := sqrt 3) in *. assert (R2 : k <= 2) by nra.
    assert (cubic : forall z, - (2 * q) <= z -> 2 * z * (3 * (q * q) - z * z) <= 4 * q ^ 3).
    { intros z Z. pose proof (Rle_0_sqr (z - q)) as Q. unfold Rsqr in Q.
      assert (0 <= (z - q) * (z - q) * (z + 2 * q)) by (apply Rmult_le_pos; lra). simpl. lra. }
    assert (Y : - (4 * q ^ 3) <= 3 * k * y <= 4 * q ^ 3).
    { pose proof (cubic (k * v) ltac:(nra)) as Y1. pose proof (cubic (- (k * v)) ltac:(nra)) as Y2.
      replace (k * v * (k * v)) with (3 * (v * v)) in Y1 by (rewrite <- R3; ring).
      replace (- (k * v) * - (k * v)) with (3 * (v * v)) in Y2 by (rewrite <- R3; ring). unfold y. lra. }
    assert (U : - (sin s * cos step) <= sin step * cos s <= sin s * cos step).
    { assert (F : 0 <= sin (s - step) /\ 0 <= sin (s + step)) by (split; apply sin_ge_0; lra).
      rewrite sin_minus, sin_plus in F. lra. }
    set (w := sin s * cos step) in *. set (t := sin step * cos s) in *.
    assert (K : left * sin s <= x * sin s + y * cos s).
    { apply Rmult_le_reg_l with (3 * k * sin step); [repeat apply Rmult_lt_0_compat; lra|].
      replace (3 * k * sin step * (left * sin s)) with (3 * k * sin step * sin s * (cos e * cos (2 * e)) - 4 * q ^ 3 * w)
        by (unfold left, left_of_lead, w; fold q k; field; lra).
      replace (3 * k * sin step * (x * sin s + y * cos s)) with (3 * k * sin step * sin s * x + 3 * k * y * t)
        by (unfold t; ring).
      assert (K1 : 3 * k * sin step * sin s * (cos e * cos (2 * e)) <= 3 * k * sin step * sin s * x)
        by (apply Rmult_le_compat_l; [repeat apply Rmult_le_pos; lra|assumption]).
      set (z := 3 * k * y) in *. set (l := 4 * q ^ 3) in *.
      assert (0 <= (l + z) * (w + t)) by (apply Rmult_le_pos; lra).
      assert (0 <= (l - z) * (w - t)) by (apply Rmult_le_pos; lra). lra. }
    assert (squares : sin step * sin step <= sin s * sin s).
    { assert (Q : 0 <= (w - t) * (w + t)) by (apply Rmult_le_pos; lra). pose proof (sin2_cos2 s) as Q1.
      pose proof (sin2_cos2 step) as Q2. unfold Rsqr in Q1, Q2. unfold w, t in Q.
      replace ((sin s * cos step - sin step * cos s) * (sin s * cos step + sin step * cos s)) with
        (sin s * sin s * (cos step * cos step) - sin step * sin step * (cos s * cos s)) in Q by ring.
      replace (cos step * cos step) with (1 - sin step * sin step) in Q by lra.
      replace (cos s * cos s) with (1 - sin s * sin s) in Q by lra. lra. }
    apply Rle_trans with (4 * sin s / sin (3 * e) * (left * sin s)).
    - replace (4 * sin step ^ 2 / sin (3 * e) * left) with (4 * left / sin (3 * e) * (sin step * sin step)) by (field; lra).
      replace (4 * sin s / sin (3 * e) * (left * sin s)) with (4 * left / sin (3 * e) * (sin s * sin s)) by (field; lra).
      apply Rmult_le_compat_l; [|assumption]. apply Rle_mult_inv_pos; lra.
    - apply Rmult_le_compat_l; [|assumption]. apply Rle_mult_inv_pos; lra.
  Qed.

  Lemma logit_turned m g k : logit_at m (g + 2 * INR k * PI) = logit_at m g.
  Proof. unfold logit_at. now rewrite <- !Rplus_assoc, !cos_period. Qed.

  Lemma near_a_node n t : (0 < n)%nat -> exists m r, - e <= m <= e /\ PI * INR t / INR n = m + 2 * INR r * e.
  Proof.
    intros L. assert (N : 0 < INR n) by (apply lt_0_INR; lia). set (r := ((2 * h * t + n) / (2 * n))%nat).
    pose proof (Nat.div_mod (2 * h * t + n) (2 * n) ltac:(lia)) as D. fold r in D.
    pose proof (Nat.mod_upper_bound (2 * h * t + n) (2 * n) ltac:(lia)) as U.
    set (rest := ((2 * h * t + n) mod (2 * n))%nat) in *.
    apply (f_equal INR) in D. apply lt_INR in U. rewrite !plus_INR, !mult_INR in D. rewrite mult_INR in U.
    simpl (INR 2) in D, U. pose proof (pos_INR rest). pose proof small as [E _].
    exists (e * (INR rest / INR n - 1)), r. split.
    - assert (0 <= INR rest / INR n <= 2); [|nra]. split; [apply Rle_mult_inv_pos; lra|].
      apply Rmult_le_reg_r with (INR n); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
    - rewrite <- turn_of. apply Rmult_eq_reg_r with (INR n); [|lra]. field_simplify; [|lra|lra]. nra.
  Qed.

  Lemma leads n a b c : (2 <= n)%nat -> (a < n)%nat -> (b < n)%nat -> (c < n)%nat -> c <> ((a + b) mod n)%nat ->
    let step := PI / INR n in 0 <= left_of_lead e step ->
    Rabs (cos (PI * (INR a - INR b) / INR n)) * (2 * sin step ^ 2 / sin (3 * e)) * left_of_lead e step <=
      logit h (one_frequency n h) a b ((a + b) mod n) - logit h (one_frequency n h) a b c.
  Proof.
    intros two la lb lc wrong step H. assert (N : 0 < INR n) by (apply lt_0_INR; lia).
    destruct (near_a_node n (a + b) ltac:(lia)) as [m [r [M X]]]. rewrite plus_INR in X.
    rewrite !(logit_exactly n a b _ m r) by (lia || assumption). set (d := difference n a b c).
    pose proof (difference_wrong n a b c lc wrong) as D. fold d in D.
    assert (E0 : logit_at m (2 * PI * (INR ((a + b) mod n) - INR a - INR b) / INR n) = logit_at m 0).
    { rewrite <- (logit_turned m _ ((a + b) / n)). f_equal.
      pose proof (Nat.div_mod (a + b) n ltac:(lia)) as E. apply (f_equal INR) in E. rewrite !plus_INR, mult_INR in E.
      replace (INR ((a + b) mod n) - INR a - INR b) with (- (INR n * INR ((a + b) / n))) by lra. field. lra. }
    assert (Ed : logit_at m (2 * PI * (INR c - INR a - INR b) / INR n) = logit_at m (- (2 * (PI * INR d / INR n)))).
    { rewrite <- (logit_turned m (2 * PI * _ / INR n) ((a + b + (n - c)) / n)),
        <- (logit_turned m (- _) 1). f_equal.
      pose proof (Nat.div_mod (a + b + (n - c)) n ltac:(lia)) as E. apply (f_equal INR) in E. unfold d, difference.
      rewrite !plus_INR, mult_INR, minus_INR in E by lia. set (z := INR ((a + b + (n - c)) mod n)) in *.
      replace (INR c - INR a - INR b) with (INR n - INR n * INR ((a + b + (n - c)) / n) - z) by lra. simpl (INR 1).
      field. lra. }
    rewrite E0, Ed. pose proof PI_RGT_0. pose proof sines as [_ [S3 _]].
    assert (lead : 4 * sin step ^ 2 / sin (3 * e) * left_of_lead e step <=
      logit_at m 0 - logit_at m (- (2 * (PI * INR d / INR n)))).
    { apply lead_at_least; [assumption| | |assumption]; unfold step.
      - split; [apply Rdiv_lt_0_compat; lra|]. unfold Rdiv. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|].
        assert (1 <= INR d) by (apply (le_INR 1); lia). nra.
      - assert (L : (d + 1 <= n)%nat) by lia. apply le_INR in L. rewrite plus_INR in L. simpl (INR 1) in L.
        apply Rmult_le_reg_r with (INR n); [lra|]. field_simplify; [|lra|lra]. nra. }
    set (f := Rabs _). apply Rmult_le_compat_l with (r := f / 2) in lead.
    - replace (f * (2 * sin step ^ 2 / sin (3 * e)) * left_of_lead e step) with
        (f / 2 * (4 * sin step ^ 2 / sin (3 * e) * left_of_lead e step)) by (field; lra). lra.
    - apply Rle_mult_inv_pos; [apply Rabs_pos|lra].
  Qed.

  (* Where every n of at least 2 h³ fails: the boxes' middle lies half their width below 0, and the answer before is ahead. *)
  Lemma fails n : 2 * INR h ^ 3 <= INR n -> ~ adds n (logit h (one_frequency n h)).
  Proof.
    intros L adding. pose proof many as F. pose proof small as [E E10]. pose proof PI_4. pose proof PI2_3_2.
    pose proof turn_of.
    assert (big : 50 * INR h <= INR n) by (simpl in L; nra). assert (N : 0 < INR n) by lra.
    set (t := (3 * n / (4 * h))%nat). pose proof (Nat.div_mod (3 * n) (4 * h) ltac:(lia)) as D.
    pose proof (Nat.mod_upper_bound (3 * n) (4 * h) ltac:(lia)) as U. fold t in D.
    set (rest := ((3 * n) mod (4 * h))%nat) in *. apply (f_equal INR) in D. apply lt_INR in U.
    rewrite plus_INR, !mult_INR in D. rewrite mult_INR in U. simpl (INR 3) in D. simpl (INR 4) in D, U.
    pose proof (pos_INR rest). pose proof (pos_INR t).
    assert (some : (0 < t)%nat) by (apply INR_lt; simpl (INR 0); nra).
    assert (below : (t < n)%nat) by (apply INR_lt; nra).
    set (z := e * (2 - 2 * INR h * INR t / INR n)). set (s := PI / INR n).
    assert (share : 146 / 100 <= 2 * INR h * INR t / INR n <= 3 / 2).
    { assert (2 * INR h * INR t / INR n * INR n = 2 * INR h * INR t) by (field; lra).
      split; apply Rmult_le_reg_r with (INR n); lra. }
    assert (Z : e / 2 <= z <= 54 / 100 * e) by (unfold z; nra).
    assert (X : PI * (INR t + INR 0) / INR n = - z + 2 * INR 1 * e).
    { unfold z. rewrite <- turn_of. simpl (INR 0). simpl (INR 1). field. lra. }
    specialize (adding t 0%nat (t - 1)%nat below ltac:(lia) ltac:(lia)).
    rewrite Nat.add_0_r, Nat.mod_small in adding by assumption. specialize (adding ltac:(lia)).
    rewrite !(logit_exactly n t 0 _ (- z) 1) in adding by (lia || lra). rewrite minus_INR in adding by lia.
    simpl (INR 0) in adding. simpl (INR 1) in adding.
    replace (2 * PI * (INR t - 1 - INR t - 0) / INR n) with (- (2 * s)) in adding by (unfold s; field; lra).
    replace (2 * PI * (INR t - INR t - 0) / INR n) with 0 in adding by (field; lra).
    pose proof (lead_exactly (- z) s) as lead. rewrite sin_neg, cos_neg in lead. pose proof sines as [S1 [S3 _]].
    assert (S : s * INR n = PI) by (unfold s; field; lra). assert (S0 : 0 < s) by (unfold s; apply Rdiv_lt_0_compat; lra).
    assert (small_step : s <= 1 / 60) by nra.
    assert (cube : 9 * s <= 4 * e ^ 3).
    { apply Rmult_le_reg_r with (INR n); [lra|]. rewrite Rmult_assoc, S.
      apply Rle_trans with (4 * e ^ 3 * (2 * INR h ^ 3)); [|apply Rmult_le_compat_l; [|assumption]].
      - replace (4 * e ^ 3 * (2 * INR h ^ 3)) with ((INR h * (2 * e)) ^ 3) by ring. rewrite turn_of.
        assert (9 <= PI * PI) by nra. replace (PI ^ 3) with (PI * (PI * PI)) by ring. nra.
      - assert (0 < e ^ 3) by now apply pow_lt. lra. }
    (* The sines, each from below. *)
    assert (above : forall x c, 0 < x <= c -> c < 1 -> x * (1 - c * c / 2) <= sin x).
    { intros x c I J. pose proof (cos_near x). pose proof (sin_above x ltac:(lra)).
      apply Rle_trans with (x * cos x); [apply Rmult_le_compat_l; nra|assumption]. }
    pose proof (above z (22 / 100) ltac:(lra) ltac:(lra)). pose proof (above (e + z) (62 / 100) ltac:(lra) ltac:(lra)).
    pose proof (above (e - z) (2 / 10) ltac:(lra) ltac:(lra)).
    assert (A1 : 48 / 100 * e <= sin z) by lra. assert (A2 : 12 / 10 * e <= sin (e + z)) by lra.
    assert (A3 : 44 / 100 * e <= sin (e - z)) by lra. clear above.
    set (f := sin e * sin e - - sin z * - sin z) in lead.
    assert (product : f = sin (e + z) * sin (e - z)).
    { unfold f. rewrite sin_plus, sin_minus. pose proof (sin2_cos2 e) as Q1. pose proof (sin2_cos2 z) as Q2.
      unfold Rsqr in Q1, Q2. replace ((sin e * cos z + cos e * sin z) * (sin e * cos z - cos e * sin z)) with
        (sin e * sin e * (cos z * cos z) - cos e * cos e * (sin z * sin z)) by ring.
      replace (cos z * cos z) with (1 - sin z * sin z) by lra. replace (cos e * cos e) with (1 - sin e * sin e) by lra. ring. }
    assert (F1 : 528 / 1000 * (e * e) <= f).
    { rewrite product. apply Rle_trans with (12 / 10 * e * (44 / 100 * e)); [lra|]. apply Rmult_le_compat; lra. }
    assert (F2 : f <= 1 / 2).
    { pose proof (cos_ge_0 (2 * e) ltac:(lra) ltac:(lra)) as C. rewrite cos_2a_sin in C. unfold f.
      pose proof (Rle_0_sqr (sin z)) as Q. unfold Rsqr in Q. lra. }
    replace (cos (2 * e) + 2 * - sin z * - sin z) with (1 - 2 * f) in lead by (unfold f; rewrite cos_2a_sin; ring).
    assert (x_small : cos z * (1 - 2 * f) * sin s <= s).
    { pose proof (COS_bound z). pose proof (sin_lt_x s S0). assert (0 <= cos z) by (apply cos_ge_0; lra).
      assert (0 <= sin s) by (apply sin_ge_0; lra). assert (0 <= f) by nra.
      apply Rle_trans with (1 * sin s); [apply Rmult_le_compat_r; nra|lra]. }
    assert (y_large : s <= 2 * sin z * f * cos s).
    { pose proof (cos_near s). assert (99 / 100 <= cos s) by nra.
      assert (G : 48 / 100 * e * (528 / 1000 * (e * e)) <= sin z * f) by (apply Rmult_le_compat; nra).
      replace (48 / 100 * e * (528 / 1000 * (e * e))) with (25344 / 100000 * e ^ 3) in G by field.
      assert (0 < e ^ 3) by now apply pow_lt. nra. }
    assert (bad : logit_at (- z) 0 - logit_at (- z) (- (2 * s)) <= 0).
    { rewrite lead. assert (0 <= 4 * sin s / sin (3 * e)) by (apply Rle_mult_inv_pos; [|lra];
        apply Rmult_le_pos; [lra|apply sin_ge_0; lra]). nra. }
    pose proof (Rabs_pos (cos (PI * (INR t - 0) / INR n))). nra.
  Qed.
End Nodes.

(* For large h and n far below h³: the lead of the integral, 4h/(3π) sin²(π/n) |cos(π (a - b)/n)|, or nearly. *)
Theorem one_frequency_leads n h a b c : Nat.Odd h -> (2 <= n)%nat -> (5 <= h)%nat ->
  (a < n)%nat -> (b < n)%nat -> (c < n)%nat -> c <> ((a + b) mod n)%nat ->
  let e := PI / (2 * INR h) in let step := PI / INR n in 0 <= left_of_lead e step ->
  Rabs (cos (PI * (INR a - INR b) / INR n)) * (2 * sin step ^ 2 / sin (3 * e)) * left_of_lead e step <=
    logit h (one_frequency n h) a b ((a + b) mod n) - logit h (one_frequency n h) a b c.
Proof. intros [p P] two five la lb lc wrong. apply (leads h p P ltac:(lia) n a b c two la lb lc wrong). Qed.

Theorem one_frequency_adds n h : Nat.Odd n -> Nat.Odd h -> (2 <= n)%nat -> (5 <= h)%nat ->
  let e := PI / (2 * INR h) in
  4 * sin e ^ 3 * cos (PI / INR n) < 3 * sqrt 3 * (cos e * cos (2 * e)) * sin (PI / INR n) ->
  adds n (logit h (one_frequency n h)).
Proof.
  intros oddn [p P] two five e H a b c la lb lc wrong. pose proof PI_RGT_0. pose proof (lt_0_INR n ltac:(lia)) as N.
  assert (S : 0 < sin (PI / INR n)).
  { apply sin_gt_0; [apply Rdiv_lt_0_compat; lra|]. apply (le_INR 2) in two. simpl (INR 2) in two.
    apply Rmult_lt_reg_r with (INR n); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra. }
  pose proof (sines h p P ltac:(lia)) as [_ [S3 _]]. fold e in S3. pose proof (sqrt_lt_R0 3 ltac:(lra)) as R0.
  assert (K : 0 < left_of_lead e (PI / INR n)).
  { apply Rmult_lt_reg_l with (3 * sqrt 3 * sin (PI / INR n)); [apply Rmult_lt_0_compat; lra|]. unfold left_of_lead.
    replace (3 * sqrt 3 * sin (PI / INR n) * (cos e * cos (2 * e) - _)) with
      (3 * sqrt 3 * (cos e * cos (2 * e)) * sin (PI / INR n) - 4 * sin e ^ 3 * cos (PI / INR n)) by (field; lra). lra. }
  pose proof (leads h p P ltac:(lia) n a b c two la lb lc wrong ltac:(apply Rlt_le, K)) as L. cbv zeta in L. fold e in L.
  pose proof (Rabs_pos_lt _ (apart n a b oddn la lb)).
  assert (0 < 2 * sin (PI / INR n) ^ 2 / sin (3 * e)) by (apply Rdiv_lt_0_compat; [simpl; nra|lra]).
  match type of L with ?lead <= _ => assert (0 < lead) end; [|lra].
  apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat|]; assumption.
Qed.

(* So the cube root of n is enough, with room for every h from 5 on. *)
Corollary cube_root_is_enough n h : Nat.Odd n -> Nat.Odd h -> (2 <= n)%nat -> (5 <= h)%nat ->
  5 * INR n <= 2 * INR h ^ 3 -> adds n (logit h (one_frequency n h)).
Proof.
  intros oddn oddh two five L. apply one_frequency_adds; [assumption..|]. cbv zeta. set (e := PI / (2 * INR h)).
  assert (N : 3 <= INR n) by (replace 3 with (INR 3) by (simpl; ring); apply le_INR; destruct oddn; lia).
  assert (F : 5 <= INR h) by (replace 5 with (INR 5) by (simpl; ring); now apply le_INR).
  pose proof PI_4 as P4. pose proof PI2_1 as P0. assert (T : 2 * e * INR h = PI) by (unfold e; field; lra).
  assert (E : 0 < e <= 2 / 5) by (split; nra). set (s := PI / INR n). assert (S : s * INR n = PI) by (unfold s; field; lra).
  assert (S0 : 0 < s) by nra. assert (SP : 3 * s <= PI) by nra.
  assert (C0 : 0 < cos s) by (apply cos_gt_0; lra). pose proof (sin_above s ltac:(lra)) as A.
  pose proof (cos_near e) as C1. pose proof (cos_near (2 * e)) as C2. pose proof (sin_lt_x e ltac:(lra)) as Q.
  assert (Q0 : 0 < sin e) by (apply sin_gt_0; lra).
  assert (R3 : sqrt 3 * sqrt 3 = 3) by (apply sqrt_sqrt; lra). pose proof (sqrt_lt_R0 3 ltac:(lra)) as R0.
  assert (K : 173 / 100 <= sqrt 3) by nra.
  assert (D : 92 / 100 * (68 / 100) <= cos e * cos (2 * e)) by (apply Rmult_le_compat; nra).
  assert (W : 81 / 25 <= 3 * sqrt 3 * (cos e * cos (2 * e))).
  { apply Rle_trans with (3 * (173 / 100) * (92 / 100 * (68 / 100))); [lra|]. apply Rmult_le_compat; lra. }
  assert (cube : sin e ^ 3 <= e ^ 3) by (apply pow_incr; lra).
  assert (G : 4 * e ^ 3 < 81 / 25 * s).
  { apply Rmult_lt_reg_r with (INR n * INR h ^ 3); [apply Rmult_lt_0_compat; [lra|apply pow_lt; lra]|].
    replace (4 * e ^ 3 * (INR n * INR h ^ 3)) with ((2 * e * INR h) ^ 3 / 2 * INR n) by field.
    replace (81 / 25 * s * (INR n * INR h ^ 3)) with (81 / 25 * (s * INR n) * INR h ^ 3) by ring.
    rewrite T, S. assert (P2 : PI * PI <= 16) by nra. set (x := INR h ^ 3) in *.
    assert (Y : 0 < PI * INR n) by (apply Rmult_lt_0_compat; lra).
    assert (PI * PI * (PI * INR n) <= 16 * (PI * INR n)) by (apply Rmult_le_compat_r; lra).
    assert (PI * (5 * INR n) <= PI * (2 * x)) by (apply Rmult_le_compat_l; lra).
    replace (PI ^ 3 / 2 * INR n) with (PI * PI * (PI * INR n) / 2) by field. lra. }
  apply Rle_lt_trans with (4 * e ^ 3 * cos s); [apply Rmult_le_compat_r; lra|].
  apply Rlt_le_trans with (81 / 25 * s * cos s); [now apply Rmult_lt_compat_r|].
  apply Rle_trans with (81 / 25 * sin s); [lra|]. apply Rmult_le_compat_r; [|assumption]. apply sin_ge_0; lra.
Qed.

(* And it is needed, by these neurons. *)
Corollary cube_root_is_needed n h : Nat.Odd h -> (5 <= h)%nat -> 2 * INR h ^ 3 <= INR n ->
  ~ adds n (logit h (one_frequency n h)).
Proof. intros [p P] five. apply (fails h p P ltac:(lia)). Qed.

Print Assumptions one_frequency_leads.
Print Assumptions one_frequency_adds.
Print Assumptions cube_root_is_enough.
Print Assumptions cube_root_is_needed.
