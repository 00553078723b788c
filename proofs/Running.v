(* The network that runs: the forward passes as a machine computes them, with a rounding at every operation.

   A forward pass is an expression: the sums of each layer in any order, with fused operations or without. From the bits
   of the parameters a program computes, layer by layer, how large the exact numbers can be whatever the input, and how far
   the computed ones can lie from them: what the layer before was off by, times the weights, and a rounding for each term.
   Exact numbers are those of the tables, so a sum that cancels is small. Where twice the error of a logit is less than the
   lead of the right answer, the machine answers right. Sizes are whole numbers of units of 2^-s, each rounded up. *)

From Coq Require Import Reals ZArith Lia Lra Bool Uint63 PArray List.
From Modadd Require Import Network Ball Machine Answers Parameters Products Trained Architectures Rounding.
Import ListNotations.
Open Scope R_scope.

(* The terms of a matrix product: each number of a layer times its weight. *)
Definition products (k : nat) (x : nat -> expression) (Y : nat -> nat -> R) (j : nat) : list expression :=
  map (fun m => Product (x m) (Number (Y m j))) (seq 0 k).

(* The right answer has the greatest of the computed logits, whatever the order of the sums and whatever rounding does. *)
Definition adds_as_it_runs (n : nat) (runs : nat -> nat -> nat -> expression -> Prop) : Prop :=
  forall a b c, (a < n)%nat -> (b < n)%nat -> (c < n)%nat -> c <> ((a + b) mod n)%nat ->
  forall e f y z, runs a b c e -> runs a b ((a + b) mod n)%nat f -> gives e y -> gives f z -> y < z.

(* Sizes. *)

Definition table (w : nat) (f : nat -> Z) : list Z := map f (seq 0 w).
Definition at_ (l : list Z) (m : nat) : Z := nth m l 0%Z.

(* A modulus of a decoded table, and the largest of a column. *)
Definition modulus (Y : array int) (p : int) : Z := (Z.abs (val Y.[p]) + 1)%Z.

Fixpoint highest (k : nat) (Y : array int) (p step : int) : Z :=
  match k with O => 0%Z | S l => Z.max (modulus Y p) (highest l Y (p + step)%uint63 step) end.

(* What a layer of these sizes and a column of weights give. *)
Fixpoint weighed (l : list Z) (Y : array int) (p step : int) : Z :=
  match l with
  | nil => 0%Z
  | z :: rest => (z * modulus Y p + weighed rest Y (p + step)%uint63 step)%Z
  end.

Definition row (s : Z) (l : list Z) (w : nat) (Y : array int) (j : nat) : Z :=
  (weighed l Y (idx j) (idx w) / 2 ^ s + 1)%Z.

Definition largest_of (l : list Z) : Z := fold_right Z.max 0%Z l.

(* The largest modulus in a column of a table that follows from the parameters. *)
Definition column (s : Z) (T : held) (j : nat) : Z :=
  ((highest (rows T) (digits T) (idx j) (idx (width T)) + error T) / 2 ^ (scale T - s) + 1)%Z.

(* What a sum of n terms is off by: the terms, of this size together, are off by so much together. *)
Definition off_by (n : nat) (size off : Z) : Z :=
  (off + ((size + off + Z.of_nat n) * Z.of_nat n / (2 ^ 24 - Z.of_nat n) + 1))%Z.

(* Twice the error of a logit, in units of 2^-2k, rounded up. *)
Definition error_of (s k most : Z) : Z := (2 * most * 2 ^ (2 * k) / 2 ^ s + 1)%Z.

(* What a program finds: whether all checks on the way have passed, and the largest error of a logit. *)
Record bound := Bound { sound : bool; most : Z }.

(* No bits of a table are those of a number below the smallest normal one, but for zero. *)
Definition no_subnormal (m w : nat) (X : array int) : bool :=
  every (m * w) (fun p =>
    negb ((X.[p] / 8388608) mod 256 =? 0) || (X.[p] mod 8388608 =? 0))%uint63.

Definition readable (m w : nat) (s : Z) (X : array int) : bool := decodable m w s X && no_subnormal m w X.

(* An exact number is no larger than a whole number of units, and what a machine gets is no further from it. *)
Definition sized (s : Z) (e : expression) (z : Z) : Prop := Rabs (exact e) * IZR (2 ^ s) <= IZR z.
Definition off (s : Z) (e : expression) (z : Z) : Prop :=
  forall y, gives e y -> Rabs (y - exact e) * IZR (2 ^ s) <= IZR z.

(* Proofs. *)

Lemma sum_plus_one f k : sum f (S k) = f O + sum (fun m => f (S m)) k.
Proof. induction k; [simpl; ring|]. change (sum f (S (S k))) with (sum f (S k) + f (S k)). rewrite IHk. simpl. ring. Qed.

Lemma total_map f g k : total f (map g (seq 0 k)) = sum (fun m => f (g m)) k.
Proof. induction k; [reflexivity|]. rewrite seq_S, map_app, total_app, IHk. simpl. ring. Qed.

Lemma plus_map f k : plus (map f (seq 0 k)) = sum f k.
Proof. induction k; [reflexivity|]. rewrite seq_S, map_app, plus_app, IHk. unfold plus. simpl. ring. Qed.

Lemma products_exact k x Y j : total exact (products k x Y j) = through k (fun m => exact (x m)) Y j.
Proof. apply total_map. Qed.

Lemma products_length k x Y j : length (products k x Y j) = k.
Proof. unfold products. now rewrite map_length, seq_length. Qed.

Lemma at_table w f j : (j < w)%nat -> at_ (table w f) j = f j.
Proof.
  intros J. unfold at_, table. rewrite (nth_indep _ 0%Z (f O)) by (now rewrite map_length, seq_length).
  rewrite map_nth, seq_nth by assumption. reflexivity.
Qed.

Lemma table_length w f : length (table w f) = w.
Proof. unfold table. now rewrite map_length, seq_length. Qed.

Lemma largest_of_spec l m : (at_ l m <= largest_of l)%Z.
Proof.
  unfold at_. revert m. induction l as [|z l IH]; intros [|m]; simpl; try lia. specialize (IH m). lia.
Qed.

(* A parameter, and the largest of a column. *)
Lemma readable_spec m w s X : readable m w s X = true -> decodable m w s X = true /\ (0 < s)%Z /\
  forall i j, (i < m)%nat -> (j < w)%nat -> normal (float32 X w i j).
Proof.
  unfold readable. rewrite andb_true_iff. intros [D N]. split; [assumption|]. split.
  { unfold decodable in D. rewrite !andb_true_iff, Z.ltb_lt in D. tauto. }
  intros i j I J.
  pose proof (every_spec _ _ N (i * w + j)%nat ltac:(nia)) as E. cbv beta in E. clear N D.
  unfold float32, value. set (x := X.[idx (i * w + j)]) in *. pose proof (to_Z_bounded x) as B.
  set (b := to_Z x) in *. assert (F : to_Z ((x / 8388608) mod 256) = exponent_field b)
    by (now rewrite mod_spec, div_spec).
  assert (M : to_Z (x mod 8388608) = (b mod 2 ^ 23)%Z) by (now rewrite mod_spec).
  assert (G : (0 <= exponent_field b < 2 ^ 8)%Z) by (apply Z.mod_pos_bound; lia).
  assert (H : (0 <= b mod 2 ^ 23 < 2 ^ 23)%Z) by (apply Z.mod_pos_bound; lia).
  rewrite orb_true_iff, negb_true_iff in E. unfold normal, mantissa.
  destruct (Z.eqb_spec (exponent_field b) 0) as [Z0|Z0].
  - left. destruct E as [E|E].
    + exfalso. apply eqb_false_spec in E. apply E. apply to_Z_inj. now rewrite F.
    + apply eqb_spec in E. rewrite E in M. change (to_Z 0) with 0%Z in M. rewrite <- M.
      rewrite Z.add_0_r, Z.mul_0_r, Z.mul_0_l. unfold Rdiv. apply Rmult_0_l.
  - right. assert (X1 : (1 <= exponent b)%Z) by (unfold exponent; lia).
    assert (L : (2 ^ 24 <= (b mod 2 ^ 23 + 2 ^ 23) * 2 ^ exponent b)%Z).
    { replace (2 ^ 24)%Z with (2 ^ 23 * 2 ^ 1)%Z by reflexivity.
      apply Z.mul_le_mono_nonneg; [lia|lia|lia|]. apply Z.pow_le_mono_r; lia. }
    apply IZR_le in L. unfold Rdiv. rewrite Rabs_mult, <- abs_IZR.
    rewrite (Rabs_pos_eq (/ IZR (2 ^ 150))) by (left; apply Rinv_0_lt_compat, IZR_lt; reflexivity).
    assert (A : (Z.abs (sign b * (b mod 2 ^ 23 + 2 ^ 23) * 2 ^ exponent b) =
                 (b mod 2 ^ 23 + 2 ^ 23) * 2 ^ exponent b)%Z).
    { assert (0 < 2 ^ exponent b)%Z by (apply Z.pow_pos_nonneg; lia).
      rewrite !Z.abs_mul, (Z.abs_eq (2 ^ exponent b)), (Z.abs_eq (_ + _)) by lia.
      unfold sign. destruct (b <? 2 ^ 31)%Z; simpl Z.abs; ring. }
    rewrite A. apply Rle_trans with (IZR (2 ^ 24) * / IZR (2 ^ 150)).
    + change (IZR (2 ^ 24)) with 16777216. change (2 ^ 150)%Z with (2 ^ 24 * 2 ^ 126)%Z. rewrite mult_IZR.
      change (IZR (2 ^ 24)) with 16777216. replace (IZR (2 ^ 126)) with (2 ^ 126).
      * assert (0 < 2 ^ 126) by (apply pow_lt; lra). right. field.
      * symmetry. exact (eq_sym (pow_IZR 2 126)).
    + apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, IZR_lt; reflexivity|exact L].
Qed.

Lemma parameter_sized m w s X i j : readable m w s X = true -> (i < m)%nat -> (j < w)%nat ->
  sized s (Number (float32 X w i j)) (modulus (decoded m w s X) (idx (i * w + j))).
Proof.
  intros V I J. apply readable_spec in V as [D _].
  pose proof (decoded_approx _ _ _ _ D i j I J) as N. unfold sized, modulus, entry in *. cbn [exact].
  set (y := val _) in *. assert (0 < IZR (2 ^ s)).
  { apply IZR_lt, Z.pow_pos_nonneg; [lia|]. unfold decodable in D. rewrite !andb_true_iff, Z.ltb_lt in D. lia. }
  rewrite plus_IZR, abs_IZR. rewrite <- (Rabs_pos_eq (IZR (2 ^ s))) by lra. rewrite <- Rabs_mult.
  pose proof (Rabs_triang (float32 X w i j * IZR (2 ^ s) - IZR y) (IZR y)) as T.
  replace (float32 X w i j * IZR (2 ^ s) - IZR y + IZR y) with (float32 X w i j * IZR (2 ^ s)) in T by ring. lra.
Qed.

Lemma parameter_off m w s X i j : readable m w s X = true -> (i < m)%nat -> (j < w)%nat ->
  off s (Number (float32 X w i j)) 0.
Proof.
  intros V I J y G. apply readable_spec in V as [_ [_ N]]. apply normal_given in G; [|now apply N].
  subst y. cbn [exact]. replace (_ - _) with 0 by ring. rewrite Rabs_R0. lra.
Qed.

Lemma highest_spec Y w : forall k p i, (i < k)%nat ->
  (modulus Y (idx (i * w + p)) <= highest k Y (idx p) (idx w))%Z.
Proof.
  induction k; intros p i I; [lia|]. cbn [highest]. rewrite idx_plus. destruct i as [|i]; [simpl; lia|].
  specialize (IHk (p + w)%nat i ltac:(lia)). replace (i * w + (p + w))%nat with (S i * w + p)%nat in IHk by lia. lia.
Qed.

Lemma weighed_spec Y w : forall l p (x y : nat -> R),
  (forall m, (m < length l)%nat -> 0 <= x m <= IZR (at_ l m)) ->
  (forall m, (m < length l)%nat -> 0 <= y m <= IZR (modulus Y (idx (p + m * w)))) ->
  sum (fun m => x m * y m) (length l) <= IZR (weighed l Y (idx p) (idx w)).
Proof.
  induction l as [|z l IH]; intros p x y X Z; [simpl; lra|].
  cbn [length weighed]. rewrite sum_plus_one, idx_plus, plus_IZR, mult_IZR. apply Rplus_le_compat.
  - specialize (X O ltac:(simpl; lia)). specialize (Z O ltac:(simpl; lia)). unfold at_ in X. simpl in X, Z.
    rewrite Nat.add_0_r in Z. apply Rmult_le_compat; lra.
  - apply (IH (p + w)%nat (fun m => x (S m)) (fun m => y (S m))).
    + intros m M. apply (X (S m)). simpl. lia.
    + intros m M. replace (p + w + m * w)%nat with (p + S m * w)%nat by lia. apply Z. simpl. lia.
Qed.

Lemma above_quotient x a q : (0 < q)%Z -> x * IZR q <= IZR a -> x <= IZR (a / q + 1).
Proof.
  intros Q H. pose proof (Z.div_mod a q ltac:(lia)) as D. pose proof (Z.mod_pos_bound a q Q) as M.
  assert (L : (a <= (a / q + 1) * q)%Z) by lia. apply IZR_le in L. rewrite mult_IZR in L. apply IZR_lt in Q.
  apply Rmult_le_reg_r with (IZR q); lra.
Qed.

Lemma two_t s : (0 < s <= 50)%Z -> 0 <= 2 * t * IZR (2 ^ s) <= 1 /\ 0 <= 2 * t * (IZR (2 ^ s) * IZR (2 ^ s)) <= 1.
Proof.
  intros S. pose proof t_positive as T. assert (P : 1 <= IZR (2 ^ s) <= 2 ^ 50).
  { replace (2 ^ 50) with (IZR (2 ^ 50)) by (change (2 ^ 50)%Z with 1125899906842624%Z; ring).
    split; apply IZR_le; [|apply Z.pow_le_mono_r; lia]. apply (Z.pow_le_mono_r 2 0); lia. }
  assert (E : 2 * t * (2 ^ 50 * 2 ^ 50) <= 1).
  { unfold t. apply Rmult_le_reg_r with (2 ^ 102); [lra|].
    replace (2 * / 2 ^ 102 * (2 ^ 50 * 2 ^ 50) * 2 ^ 102) with (2 * (2 ^ 50 * 2 ^ 50) * (/ 2 ^ 102 * 2 ^ 102)) by ring.
    rewrite Rinv_l by lra. lra. }
  set (p := IZR (2 ^ s)) in *. assert (p * p <= 2 ^ 50 * 2 ^ 50) by (apply Rmult_le_compat; lra).
  assert (p <= p * p) by nra. assert (0 <= t * p) by (apply Rmult_le_pos; lra).
  assert (0 <= t * (p * p)) by (apply Rmult_le_pos; nra).
  assert (t * (p * p) <= t * (2 ^ 50 * 2 ^ 50)) by (apply Rmult_le_compat_l; lra).
  assert (t * p <= t * (p * p)) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Lemma column_spec s T X i j : holds T X -> valid T = true -> (0 <= s <= scale T)%Z -> (i < rows T)%nat ->
  (j < width T)%nat -> Rabs (X i j) * IZR (2 ^ s) <= IZR (column s T j).
Proof.
  intros H V S I J. specialize (H V i j I J). unfold column.
  assert (Q : (0 < 2 ^ (scale T - s))%Z) by (apply Z.pow_pos_nonneg; lia). apply above_quotient; [assumption|].
  pose proof (highest_spec (digits T) (width T) (rows T) j i I) as L. unfold modulus, entry in *.
  apply IZR_le in L. rewrite plus_IZR, abs_IZR in L. rewrite plus_IZR, Rmult_assoc, <- mult_IZR.
  rewrite <- Z.pow_add_r by lia. replace (s + (scale T - s))%Z with (scale T) by ring.
  assert (0 < IZR (2 ^ scale T)) by (apply IZR_lt, Z.pow_pos_nonneg; lia).
  rewrite <- (Rabs_pos_eq (IZR (2 ^ scale T))) by lra. rewrite <- Rabs_mult.
  set (y := val _) in *. pose proof (Rabs_triang (X i j * IZR (2 ^ scale T) - IZR y) (IZR y)) as A.
  replace (X i j * IZR (2 ^ scale T) - IZR y + IZR y) with (X i j * IZR (2 ^ scale T)) in A by ring. lra.
Qed.

(* Terms that are summed: how large they are together, and how far off. *)
Definition terms (s : Z) (l : list expression) (v r : Z) : Prop :=
  total (fun e => Rabs (exact e)) l * IZR (2 ^ s) <= IZR v /\
  exists rs, Forall2 within_of l rs /\ plus rs * IZR (2 ^ s) <= IZR r.

Lemma no_terms s : terms s [] 0 0.
Proof. split; [|exists []; split; [constructor|]]; unfold total, plus; simpl; lra. Qed.

Lemma terms_app s l m v r v' r' : terms s l v r -> terms s m v' r' -> terms s (l ++ m) (v + v') (r + r').
Proof.
  intros [V [rs [W R]]] [V' [rs' [W' R']]]. split.
  - rewrite total_app, plus_IZR. lra.
  - exists (rs ++ rs'). split; [now apply Forall2_app|]. rewrite plus_app, plus_IZR. lra.
Qed.

Definition plain (e : expression) : Prop := match e with Product _ _ => False | _ => True end.

Lemma sums_plain l e : sums l e -> Exists plain l -> plain e.
Proof.
  induction 1 as [e|l m e f _ _ _ _|l x y e _ _|l m e P _ IH]; intros X; try exact Logic.I.
  - inversion X as [? ? H|? ? H]; subst; [exact H|inversion H].
  - apply IH. apply Exists_exists in X as [f [F Y]]. apply Exists_exists. exists f. split; [|exact Y].
    now apply (Permutation.Permutation_in _ (Permutation.Permutation_sym P)).
Qed.

Lemma one_term s e v r : (0 < s)%Z -> plain e -> sized s e v -> off s e r -> terms s [e] v r.
Proof.
  intros S P V R. assert (Q : 0 < IZR (2 ^ s)) by (apply IZR_lt, Z.pow_pos_nonneg; lia). split.
  - unfold total, sized in *. simpl. lra.
  - exists [IZR r / IZR (2 ^ s)]. split.
    + constructor; [|constructor]. intros y G. apply Rmult_le_reg_r with (IZR (2 ^ s)); [assumption|].
      unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. apply R. destruct e; try exact G. destruct P.
    + unfold plus. simpl. right. field. lra.
Qed.

(* The products of a row. *)
Lemma row_spec s k w l x X j : readable k w s X = true -> length l = k -> (j < w)%nat ->
  (forall m, (m < k)%nat -> 0 <= x m) -> (forall m, (m < k)%nat -> x m * IZR (2 ^ s) <= IZR (at_ l m)) ->
  sum (fun m => x m * Rabs (float32 X w m j)) k * IZR (2 ^ s) <= IZR (row s l w (decoded k w s X) j).
Proof.
  intros D L J X0 H. destruct (readable_spec _ _ _ _ D) as [_ [S _]].
  assert (Q : (0 < 2 ^ s)%Z) by (apply Z.pow_pos_nonneg; lia). unfold row. apply above_quotient; [assumption|].
  apply IZR_lt in Q. rewrite Rmult_assoc, <- sum_scale_r.
  rewrite (sum_ext _ (fun m => (x m * IZR (2 ^ s)) * (Rabs (float32 X w m j) * IZR (2 ^ s)))) by (intros; ring).
  rewrite <- L at 1. apply weighed_spec; rewrite L; intros m M.
  - split; [apply Rmult_le_pos; [now apply X0|lra]|now apply H].
  - split; [apply Rmult_le_pos; [apply Rabs_pos|lra]|]. rewrite Nat.add_comm.
    apply (parameter_sized k w s X m j D M J).
Qed.

Lemma products_terms s k w v r x X j : readable k w s X = true -> length v = k -> length r = k -> (j < w)%nat ->
  (forall m, (m < k)%nat -> sized s (x m) (at_ v m)) -> (forall m, (m < k)%nat -> off s (x m) (at_ r m)) ->
  terms s (products k x (float32 X w) j) (row s v w (decoded k w s X) j) (row s r w (decoded k w s X) j).
Proof.
  intros D V R J SX OX. destruct (readable_spec _ _ _ _ D) as [_ [S N]].
  assert (Q : 0 < IZR (2 ^ s)) by (apply IZR_lt, Z.pow_pos_nonneg; lia). split.
  - unfold products. rewrite total_map. cbn [exact].
    rewrite (sum_ext _ (fun m => Rabs (exact (x m)) * Rabs (float32 X w m j))) by (intros; apply Rabs_mult).
    apply (row_spec s k w v (fun m => Rabs (exact (x m)))); auto. intros; apply Rabs_pos.
  - exists (map (fun m => IZR (at_ r m) / IZR (2 ^ s) * Rabs (float32 X w m j)) (seq 0 k)). split.
    + unfold products. assert (M : forall m, In m (seq 0 k) -> (m < k)%nat) by (intros m I; apply in_seq in I; lia).
      revert M. generalize (seq 0 k) as ms. induction ms as [|m ms IH]; intros M; simpl; constructor; [|apply IH].
      * intros y [x' [z [GX [GZ ->]]]]. specialize (M m (or_introl eq_refl)).
        apply normal_given in GZ; [|now apply N]. subst z. cbn [exact].
        replace (x' * float32 X w m j - exact (x m) * float32 X w m j) with
          ((x' - exact (x m)) * float32 X w m j) by ring.
        rewrite Rabs_mult. apply Rmult_le_compat_r; [apply Rabs_pos|].
        apply Rmult_le_reg_r with (IZR (2 ^ s)); [assumption|].
        unfold Rdiv. rewrite (Rmult_assoc (IZR _)), Rinv_l, Rmult_1_r by lra. now apply (OX m M).
      * intros m' I. apply M. now right.
    + rewrite plus_map. apply (row_spec s k w r (fun m => IZR (at_ r m) / IZR (2 ^ s))); auto.
      * intros m M. assert (0 <= IZR (at_ r m)).
        { eapply Rle_trans; [|apply (OX m M _ (exact_is_given _))].
          apply Rmult_le_pos; [apply Rabs_pos|lra]. }
        apply Rmult_le_pos; [assumption|]. left. now apply Rinv_0_lt_compat.
      * intros m M. right. field. lra.
Qed.

(* Half of each of two numbers. *)
Lemma halves_terms s x y vx vy rx ry : (0 < s)%Z -> sized s x vx -> sized s y vy -> off s x rx -> off s y ry ->
  terms s [Product x (Number (1 / 2)); Product y (Number (1 / 2))] ((vx + vy) / 2 + 1) ((rx + ry) / 2 + 1).
Proof.
  intros S VX VY RX RY. assert (Q : 0 < IZR (2 ^ s)) by (apply IZR_lt, Z.pow_pos_nonneg; lia).
  assert (H : Rabs (1 / 2) = 1 / 2) by (apply Rabs_pos_eq; lra). split.
  - apply above_quotient; [lia|]. unfold total, sized in *. cbn [fold_right exact].
    rewrite !Rabs_mult, H, plus_IZR. lra.
  - exists [IZR rx / IZR (2 ^ s) * (1 / 2); IZR ry / IZR (2 ^ s) * (1 / 2)]. split.
    + assert (W : forall e r, off s e r -> within_of (Product e (Number (1 / 2))) (IZR r / IZR (2 ^ s) * (1 / 2))).
      { intros e r O y' [x' [z [GX [GZ ->]]]]. apply normal_given in GZ.
        - subst z. cbn [exact]. replace (x' * (1 / 2) - exact e * (1 / 2)) with ((x' - exact e) * (1 / 2)) by ring.
          rewrite Rabs_mult, H. apply Rmult_le_compat_r; [lra|].
          apply Rmult_le_reg_r with (IZR (2 ^ s)); [assumption|].
          unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. now apply O.
        - right. rewrite H. apply Rle_trans with (/ 2 ^ 1); [|simpl; lra].
          apply Rinv_le_contravar; [apply pow_lt; lra|]. apply Rle_pow; [lra|lia]. }
      constructor; [now apply W|constructor; [now apply W|constructor]].
    + apply above_quotient; [lia|]. unfold plus. cbn [fold_right]. rewrite plus_IZR. right. field. lra.
Qed.

(* A sum of terms. *)
Lemma sum_sized s l e v r : (0 < s)%Z -> sums l e -> terms s l v r -> sized s e v.
Proof.
  intros S E [V _]. unfold sized. rewrite (sums_exact _ _ E). eapply Rle_trans; [|exact V].
  apply Rmult_le_compat_r; [left; apply IZR_lt, Z.pow_pos_nonneg; lia|]. clear.
  unfold total. induction l as [|e l IH]; simpl; [rewrite Rabs_R0; lra|].
  pose proof (Rabs_triang (exact e) (fold_right (fun f a => exact f + a) 0 l)). lra.
Qed.

Lemma sum_off s n l e v r : (0 < s <= 50)%Z -> (Z.of_nat n < 2 ^ 24)%Z -> length l = n -> sums l e -> terms s l v r ->
  off s e (off_by n v r).
Proof.
  intros S N L E [V [rs [W R]]] y G. subst n. pose proof (error_of_sum l e y rs E G W) as B.
  assert (Q : 0 < IZR (2 ^ s)) by (apply IZR_lt, Z.pow_pos_nonneg; lia).
  destruct (two_t s S) as [T _]. set (k := length l) in *. unfold off_by.
  assert (K : INR k < 2 ^ 24).
  { apply IZR_lt in N. rewrite <- INR_IZR_INZ in N. change (2 ^ 24)%Z with 16777216%Z in N. lra. }
  pose proof (growth_bound k N) as U. pose proof (growth_at_least k) as U0. pose proof (pos_INR k).
  assert (A : total (fun f => Rabs (exact f) + 2 * t) l = total (fun f => Rabs (exact f)) l + 2 * t * INR k).
  { unfold k, total. clear. induction l as [|e l IH]; [simpl; ring|]. cbn [fold_right length]. rewrite IH, S_INR. ring. }
  rewrite A in B. set (a := total _ l) in *. set (p := plus rs) in *.
  assert (P0 : 0 <= p).
  { unfold p, plus. clear -W. induction W as [|f r' l rs F W IH]; simpl; [lra|].
    assert (0 <= r'); [|lra]. assert (X : term_gives f (exact f)).
    { destruct f; simpl; try apply exact_is_given. eexists _, _. repeat split; apply exact_is_given. }
    eapply Rle_trans; [apply Rabs_pos|apply (F _ X)]. }
  assert (A0 : 0 <= a).
  { unfold a, total. clear. induction l as [|e l IH]; simpl; [lra|]. pose proof (Rabs_pos (exact e)). lra. }
  rewrite plus_IZR. apply Rle_trans with ((p + (growth k - 1) * (a + 2 * t * INR k + p)) * IZR (2 ^ s));
    [apply Rmult_le_compat_r; lra|].
  rewrite Rmult_plus_distr_r. apply Rplus_le_compat; [exact R|]. apply above_quotient; [lia|].
  rewrite mult_IZR, minus_IZR, !plus_IZR, <- INR_IZR_INZ. change (IZR (2 ^ 24)) with 16777216.
  assert (D : 0 < 16777216 - INR k) by lra. replace (2 ^ 24) with 16777216 in U by ring.
  apply Rle_trans with (INR k / (16777216 - INR k) * ((a + 2 * t * INR k + p) * IZR (2 ^ s)) * (16777216 - INR k)).
  - apply Rmult_le_compat_r; [lra|]. rewrite Rmult_assoc. apply Rmult_le_compat_r; [|exact U].
    pose proof t_positive. apply Rmult_le_pos; [|lra]. assert (0 <= 2 * t * INR k) by (apply Rmult_le_pos; lra). lra.
  - replace (INR k / (16777216 - INR k) * ((a + 2 * t * INR k + p) * IZR (2 ^ s)) * (16777216 - INR k)) with
      ((a * IZR (2 ^ s) + p * IZR (2 ^ s) + 2 * t * IZR (2 ^ s) * INR k) * INR k) by (field; lra).
    apply Rmult_le_compat_r; [assumption|]. assert (2 * t * IZR (2 ^ s) * INR k <= 1 * INR k)
      by (apply Rmult_le_compat_r; lra). lra.
Qed.

Lemma relu_off s e r : off s e r -> off s (Relu e) r.
Proof.
  intros O y G. inversion G as [| | | |? x X]; subst. specialize (O x X). cbn [exact].
  eapply Rle_trans; [|exact O]. apply Rmult_le_compat_r; [apply IZR_le, Z.pow_nonneg; lia|].
  apply relu_near, Rle_refl.
Qed.

Lemma relu_sized s e v : sized s e v -> sized s (Relu e) v.
Proof.
  unfold sized. intros V. cbn [exact]. eapply Rle_trans; [|exact V]. apply Rmult_le_compat_r.
  - apply IZR_le, Z.pow_nonneg. lia.
  - unfold relu, Rmax, Rabs. destruct (Rle_dec _ _); repeat destruct Rcase_abs; lra.
Qed.

(* Where the exact logits lead by twice the error, the computed ones are in the same order. *)
Lemma lead_outlasts_rounding n s k most (runs : nat -> nat -> nat -> expression -> Prop) logits :
  (0 < s)%Z -> (0 <= k)%Z ->
  (forall a b c e, (a < n)%nat -> (b < n)%nat -> (c < n)%nat -> runs a b c e ->
    exact e = logits a b c /\ off s e most) ->
  ahead n (IZR (error_of s k most) / (IZR (2 ^ k) * IZR (2 ^ k))) logits -> adds_as_it_runs n runs.
Proof.
  intros S0 K0 R H a b c la lb lc wrong e f y z E F Y Z.
  assert (lt : ((a + b) mod n < n)%nat) by (apply Nat.mod_upper_bound; lia).
  specialize (H a b c la lb lc wrong). destruct (R a b c e la lb lc E) as [XE OE].
  destruct (R a b _ f la lb lt F) as [XF OF]. apply OE in Y. apply OF in Z. rewrite XE in Y. rewrite XF in Z.
  assert (Q : 0 < IZR (2 ^ s)) by (apply IZR_lt, Z.pow_pos_nonneg; lia).
  assert (P : 0 < IZR (2 ^ k)) by (apply IZR_lt, Z.pow_pos_nonneg; lia).
  assert (room : 2 * IZR most <= IZR (error_of s k most) / (IZR (2 ^ k) * IZR (2 ^ k)) * IZR (2 ^ s)).
  { assert (B : 2 * IZR most * (IZR (2 ^ k) * IZR (2 ^ k)) / IZR (2 ^ s) <= IZR (error_of s k most)).
    { unfold error_of. apply above_quotient; [apply Z.pow_pos_nonneg; lia|].
      rewrite !mult_IZR. replace (2 * k)%Z with (k + k)%Z by ring. rewrite Z.pow_add_r, mult_IZR by assumption.
      right. field. lra. }
    apply Rmult_le_reg_r with ((IZR (2 ^ k) * IZR (2 ^ k)) / IZR (2 ^ s)).
    - apply Rmult_lt_0_compat; [nra|now apply Rinv_0_lt_compat].
    - replace (IZR (error_of s k most) / (IZR (2 ^ k) * IZR (2 ^ k)) * IZR (2 ^ s) *
        (IZR (2 ^ k) * IZR (2 ^ k) / IZR (2 ^ s))) with (IZR (error_of s k most)) by (field; lra).
      replace (2 * IZR most * (IZR (2 ^ k) * IZR (2 ^ k) / IZR (2 ^ s))) with
        (2 * IZR most * (IZR (2 ^ k) * IZR (2 ^ k)) / IZR (2 ^ s)) by (unfold Rdiv; ring). exact B. }
  set (lead := IZR (error_of s k most) / _) in *.
  apply Rmult_lt_reg_r with (IZR (2 ^ s)); [assumption|].
  assert ((logits a b c + lead) * IZR (2 ^ s) < logits a b ((a + b) mod n)%nat * IZR (2 ^ s))
    by now apply Rmult_lt_compat_r.
  set (q := IZR (2 ^ s)) in *. rewrite <- (Rabs_pos_eq q) in Y, Z by lra. rewrite <- Rabs_mult in Y, Z.
  rewrite Rmult_minus_distr_r in Y, Z. rewrite Rmult_plus_distr_r in H0.
  unfold Rabs in Y, Z. destruct (Rcase_abs _) in Y; destruct (Rcase_abs _) in Z; lra.
Qed.

Lemma through_below k x y Y j : (forall m, (m < k)%nat -> x m = y m) -> through k x Y j = through k y Y j.
Proof. intros E. apply sum_ext. intros m M. now rewrite E. Qed.

Section TwoLayer.
  Variables (n d h : nat) (p : two_layer).

  Definition two_layer_runs (a b c : nat) (logit : expression) : Prop :=
    exists hidden : nat -> expression,
    let embedded j := Sum (Number (float32 (M_E p) d a j)) (Number (float32 (M_E p) d b j)) in
    (forall i, (i < h)%nat -> sums (products d embedded (float32 (M_in p) h) i) (hidden i)) /\
    sums (products h (fun i => Relu (hidden i)) (float32 (M_U p) n) c) logit.

  Definition two_layer_bound (s : Z) : bound :=
    let E := decoded n d s (M_E p) in
    let In := decoded d h s (M_in p) in
    let U := decoded h n s (M_U p) in
    let both := product s (decode n d s (M_E p)) (decode d h s (M_in p)) in
    let embedded := table d (fun j => let x := highest n E (idx j) (idx d) in x + x)%Z in
    let embedded_off := table d (fun j => off_by 2 (at_ embedded j) 0) in
    let hidden := table h (fun i => let x := column s both i in x + x)%Z in
    let hidden_off := table h (fun i => off_by d (row s embedded h In i) (row s embedded_off h In i)) in
    let logits := table n (fun c => off_by h (row s hidden n U c) (row s hidden_off n U c)) in
    Bound ((0 <? s) && (s <=? 50) && (Z.of_nat (d + h + 2) <? 2 ^ 24) && readable n d s (M_E p) &&
      readable d h s (M_in p) && readable h n s (M_U p) && valid both)%Z (largest_of logits).

  Theorem two_layer_adds_as_it_runs s k : (0 <= k)%Z -> sound (two_layer_bound s) = true ->
    ahead n (IZR (error_of s k (most (two_layer_bound s))) / (IZR (2 ^ k) * IZR (2 ^ k))) (two_layer_logits n d h p) ->
    adds_as_it_runs n two_layer_runs.
  Proof.
    intros K V. unfold two_layer_bound in V. cbv zeta in V. cbn [sound] in V.
    rewrite !andb_true_iff, Z.leb_le, !Z.ltb_lt in V. destruct V as [[[[[[S0 S] N] VE] VI] VU] VB].
    apply lead_outlasts_rounding; [assumption|assumption|].
    intros a b c e la lb lc [hidden [H E]]. cbv zeta in H.
    set (embedded := fun j => Sum (Number (float32 (M_E p) d a j)) (Number (float32 (M_E p) d b j))) in *.
    set (E' := decoded n d s (M_E p)). set (In := decoded d h s (M_in p)). set (U := decoded h n s (M_U p)).
    set (both := product s (decode n d s (M_E p)) (decode d h s (M_in p))) in *.
    set (xv := table d (fun j => highest n E' (idx j) (idx d) + highest n E' (idx j) (idx d))%Z).
    set (xr := table d (fun j => off_by 2 (at_ xv j) 0)).
    set (hv := table h (fun i => column s both i + column s both i)%Z).
    set (hr := table h (fun i => off_by d (row s xv h In i) (row s xr h In i))).
    set (ls := table n (fun c => off_by h (row s hv n U c) (row s hr n U c))).
    change (most (two_layer_bound s)) with (largest_of ls).
    assert (TX : forall j, (j < d)%nat ->
      terms s [Number (float32 (M_E p) d a j); Number (float32 (M_E p) d b j)] (at_ xv j) 0).
    { intros j J. unfold xv. rewrite at_table by assumption. apply (terms_app s [_] [_] _ 0 _ 0);
      (apply one_term; [assumption|exact I| |now apply (parameter_off n d s (M_E p))];
       eapply Rle_trans; [apply (parameter_sized n d s (M_E p)); assumption|apply IZR_le, highest_spec; assumption]). }
    assert (SX : forall j, sums [Number (float32 (M_E p) d a j); Number (float32 (M_E p) d b j)] (embedded j)).
    { intros j. apply (sums_join [_] [_]); apply sums_one. }
    assert (TH : forall i, (i < h)%nat -> terms s (products d embedded (float32 (M_in p) h) i)
      (row s xv h In i) (row s xr h In i)).
    { intros i I. apply products_terms; [assumption|apply table_length|apply table_length|assumption| |]; intros j J.
      - apply (sum_sized s _ _ _ _ S0 (SX j) (TX j J)).
      - unfold xr. rewrite at_table by assumption. now refine (sum_off s 2 _ _ _ _ (conj S0 S) eq_refl _ (SX j) (TX j J)). }
    assert (XH : forall i, (i < h)%nat ->
      exact (hidden i) = through d (fun m => exact (embedded m)) (float32 (M_in p) h) i).
    { intros i I. rewrite (sums_exact _ _ (H i I)). apply products_exact. }
    assert (TL : terms s (products h (fun i => Relu (hidden i)) (float32 (M_U p) n) c) (row s hv n U c) (row s hr n U c)).
    { apply products_terms; [assumption|apply table_length|apply table_length|assumption| |]; intros i I.
      - apply relu_sized. unfold sized, hv. rewrite at_table, XH, plus_IZR by assumption. unfold through.
        assert (B : forall x, (x < n)%nat ->
          Rabs (sum (fun m => float32 (M_E p) d x m * float32 (M_in p) h m i) d) * IZR (2 ^ s) <= IZR (column s both i)).
        { intros x X. apply (column_spec s both _ x i (product_holds s _ _ _ _ (decode_holds n d s (M_E p))
            (decode_holds d h s (M_in p)))); [assumption|simpl; lia|assumption|assumption]. }
        rewrite (sum_ext _ (fun m => float32 (M_E p) d a m * float32 (M_in p) h m i +
          float32 (M_E p) d b m * float32 (M_in p) h m i)) by (intros; simpl; ring).
        rewrite sum_plus. pose proof (B a la). pose proof (B b lb).
        eapply Rle_trans; [apply Rmult_le_compat_r; [apply IZR_le, Z.pow_nonneg; lia|apply Rabs_triang]|lra].
      - apply relu_off. unfold hr. rewrite at_table by assumption.
        apply (sum_off s d _ _ _ _ (conj S0 S) ltac:(lia) (products_length _ _ _ _) (H i I) (TH i I)). }
    split.
    - rewrite (sums_exact _ _ E), products_exact. apply through_below. intros i I. cbn [exact]. f_equal. now apply XH.
    - pose proof (sum_off s h _ _ _ _ (conj S0 S) ltac:(lia) (products_length _ _ _ _) E TL) as O.
      intros y G. eapply Rle_trans; [apply (O y G)|]. apply IZR_le.
      transitivity (at_ ls c); [unfold ls; rewrite at_table by assumption; lia|apply largest_of_spec].
  Qed.
End TwoLayer.

Section Embedding.
  Variables (n d h : nat) (p : embedding).

  Definition embedding_runs (a b c : nat) (logit : expression) : Prop :=
    exists hidden : nat -> expression,
    let of_a := products d (fun j => Number (float32 (E_a p) d a j)) (float32 (C_a p) h) in
    let of_b := products d (fun j => Number (float32 (E_b p) d b j)) (float32 (C_b p) h) in
    (forall i, (i < h)%nat -> sums (Number (float32 (c_in p) h 0 i) :: of_a i ++ of_b i) (hidden i)) /\
    sums (Number (float32 (c_out p) n 0 c) :: products h (fun i => Relu (hidden i)) (float32 (C_out p) n) c) logit.

  Definition embedding_bound (s : Z) : bound :=
    let Ca := decoded d h s (C_a p) in
    let Cb := decoded d h s (C_b p) in
    let Co := decoded h n s (C_out p) in
    let bi := decoded 1 h s (c_in p) in
    let bo := decoded 1 n s (c_out p) in
    let A := product s (decode n d s (E_a p)) (decode d h s (C_a p)) in
    let B := added_row (product s (decode n d s (E_b p)) (decode d h s (C_b p))) (decode 1 h s (c_in p)) in
    let Ea := decoded n d s (E_a p) in
    let Eb := decoded n d s (E_b p) in
    let at_a := table d (fun j => highest n Ea (idx j) (idx d)) in
    let at_b := table d (fun j => highest n Eb (idx j) (idx d)) in
    let none := table d (fun _ => 0)%Z in
    let hidden := table h (fun i => column s A i + column s B i)%Z in
    let hidden_off := table h (fun i => off_by (2 * d + 1)
      (modulus bi (idx i) + (row s at_a h Ca i + row s at_b h Cb i))
      (0 + (row s none h Ca i + row s none h Cb i)))%Z in
    let logits := table n (fun c =>
      off_by (h + 1) (modulus bo (idx c) + row s hidden n Co c) (0 + row s hidden_off n Co c))%Z in
    Bound ((0 <? s) && (s <=? 50) && (Z.of_nat (2 * d + h + 1) <? 2 ^ 24) && readable n d s (E_a p) &&
      readable n d s (E_b p) && readable d h s (C_a p) && readable d h s (C_b p) && readable 1 h s (c_in p) &&
      readable h n s (C_out p) && readable 1 n s (c_out p) && valid A && valid B)%Z (largest_of logits).

  Theorem embedding_adds_as_it_runs s k : (0 <= k)%Z -> sound (embedding_bound s) = true ->
    ahead n (IZR (error_of s k (most (embedding_bound s))) / (IZR (2 ^ k) * IZR (2 ^ k))) (embedding_logits n d h p) ->
    adds_as_it_runs n embedding_runs.
  Proof.
    intros K V. unfold embedding_bound in V. cbv zeta in V. cbn [sound] in V.
    rewrite !andb_true_iff, Z.leb_le, !Z.ltb_lt in V.
    destruct V as [[[[[[[[[[[S0 S] N] VEa] VEb] VCa] VCb] VI] VO] Vo] VA] VB].
    apply lead_outlasts_rounding; [assumption|assumption|].
    intros a b c e la lb lc [hidden [H E]]. cbv zeta in H.
    set (ea := fun j => Number (float32 (E_a p) d a j)) in *. set (eb := fun j => Number (float32 (E_b p) d b j)) in *.
    set (Ca := decoded d h s (C_a p)). set (Cb := decoded d h s (C_b p)). set (Co := decoded h n s (C_out p)).
    set (bi := decoded 1 h s (c_in p)). set (bo := decoded 1 n s (c_out p)).
    set (A := product s (decode n d s (E_a p)) (decode d h s (C_a p))) in *.
    set (B := added_row (product s (decode n d s (E_b p)) (decode d h s (C_b p))) (decode 1 h s (c_in p))) in *.
    set (xa := table d (fun j => highest n (decoded n d s (E_a p)) (idx j) (idx d))).
    set (xb := table d (fun j => highest n (decoded n d s (E_b p)) (idx j) (idx d))).
    set (none := table d (fun _ => 0%Z)).
    set (hv := table h (fun i => column s A i + column s B i)%Z).
    set (hr := table h (fun i => off_by (2 * d + 1) (modulus bi (idx i) + (row s xa h Ca i + row s xb h Cb i))
      (0 + (row s none h Ca i + row s none h Cb i)))%Z).
    set (ls := table n (fun c => off_by (h + 1) (modulus bo (idx c) + row s hv n Co c) (0 + row s hr n Co c))%Z).
    change (most (embedding_bound s)) with (largest_of ls).
    assert (TA : forall i, (i < h)%nat ->
      terms s (products d ea (float32 (C_a p) h) i) (row s xa h Ca i) (row s none h Ca i)).
    { intros i I. apply products_terms; [assumption|apply table_length|apply table_length|assumption| |]; intros j J.
      - unfold xa. rewrite at_table by assumption.
        eapply Rle_trans; [apply (parameter_sized n d s (E_a p)); assumption|apply IZR_le, highest_spec; assumption].
      - unfold none. rewrite at_table by assumption. now apply (parameter_off n d s (E_a p)). }
    assert (TB : forall i, (i < h)%nat ->
      terms s (products d eb (float32 (C_b p) h) i) (row s xb h Cb i) (row s none h Cb i)).
    { intros i I. apply products_terms; [assumption|apply table_length|apply table_length|assumption| |]; intros j J.
      - unfold xb. rewrite at_table by assumption.
        eapply Rle_trans; [apply (parameter_sized n d s (E_b p)); assumption|apply IZR_le, highest_spec; assumption].
      - unfold none. rewrite at_table by assumption. now apply (parameter_off n d s (E_b p)). }
    assert (TH : forall i, (i < h)%nat ->
      terms s (Number (float32 (c_in p) h 0 i) ::
          products d ea (float32 (C_a p) h) i ++ products d eb (float32 (C_b p) h) i)
        (modulus bi (idx i) + (row s xa h Ca i + row s xb h Cb i)) (0 + (row s none h Ca i + row s none h Cb i))).
    { intros i I.
      refine (terms_app s [_] _ (modulus bi (idx i)) 0 _ _ _ (terms_app s _ _ _ _ _ _ (TA i I) (TB i I))).
      apply one_term; [assumption|exact Logic.I| |].
      - apply (parameter_sized 1 h s (c_in p) 0 i); auto.
      - apply (parameter_off 1 h s (c_in p) 0 i); auto. }
    assert (XH : forall i, (i < h)%nat -> exact (hidden i) = through d (float32 (E_a p) d a) (float32 (C_a p) h) i +
        through d (float32 (E_b p) d b) (float32 (C_b p) h) i + float32 (c_in p) h 0 i).
    { intros i I. rewrite (sums_exact _ _ (H i I)). cbn [total fold_right exact].
      fold (total exact (products d ea (float32 (C_a p) h) i ++ products d eb (float32 (C_b p) h) i)).
      rewrite total_app, !products_exact. unfold ea, eb. cbn [exact]. unfold through. ring. }
    assert (TL : terms s (Number (float32 (c_out p) n 0 c) :: products h (fun i => Relu (hidden i)) (float32 (C_out p) n) c)
      (modulus bo (idx c) + row s hv n Co c) (0 + row s hr n Co c)).
    { refine (terms_app s [_] _ (modulus bo (idx c)) 0 _ _ _ _).
      { apply one_term; [assumption|exact Logic.I| |].
        - apply (parameter_sized 1 n s (c_out p) 0 c); auto.
        - apply (parameter_off 1 n s (c_out p) 0 c); auto. }
      apply products_terms; [assumption|apply table_length|apply table_length|assumption| |]; intros i I.
      - apply relu_sized. unfold sized, hv. rewrite at_table, XH, plus_IZR, Rplus_assoc by assumption.
        pose proof (column_spec s A _ a i (product_holds s _ _ _ _ (decode_holds n d s (E_a p))
          (decode_holds d h s (C_a p))) VA ltac:(simpl; lia) la I) as BA.
        pose proof (column_spec s B _ b i (added_row_holds _ _ _ _ (product_holds s _ _ _ _ (decode_holds n d s (E_b p))
          (decode_holds d h s (C_b p))) (decode_holds 1 h s (c_in p))) VB ltac:(simpl; lia) lb I) as BB.
        cbn [width decode] in BA, BB. unfold through.
        eapply Rle_trans; [apply Rmult_le_compat_r; [apply IZR_le, Z.pow_nonneg; lia|apply Rabs_triang]|].
        rewrite Rmult_plus_distr_r. apply Rplus_le_compat; assumption.
      - apply relu_off. unfold hr. rewrite at_table by assumption.
        refine (sum_off s _ _ _ _ _ (conj S0 S) _ _ (H i I) (TH i I)); [lia|].
        cbn [length]. rewrite app_length, !products_length. lia. }
    split.
    - rewrite (sums_exact _ _ E). cbn [total fold_right exact].
      fold (total exact (products h (fun i => Relu (hidden i)) (float32 (C_out p) n) c)). rewrite products_exact.
      unfold embedding_logits. cbv zeta. rewrite Rplus_comm. f_equal.
      apply through_below. intros i I. cbn [exact]. f_equal. now apply XH.
    - assert (O : off s e (off_by (h + 1) (modulus bo (idx c) + row s hv n Co c) (0 + row s hr n Co c))).
      { refine (sum_off s _ _ _ _ _ (conj S0 S) _ _ E TL); [lia|]. cbn [length]. rewrite products_length. lia. }
      intros y G. eapply Rle_trans; [apply (O y G)|]. apply IZR_le.
      transitivity (at_ ls c); [unfold ls; rewrite at_table by assumption; lia|apply largest_of_spec].
  Qed.
End Embedding.

Section Pizza.
  Variables (n d v h : nat) (p : pizza).

  Definition pizza_runs (a b c : nat) (logit : expression) : Prop :=
    exists value_a value_b mixed residual hidden out : nat -> expression,
    let at_a j := Sum (Number (float32 (W_E p) d a j)) (Number (float32 (W_pos_a p) d 0 j)) in
    let at_b j := Sum (Number (float32 (W_E p) d b j)) (Number (float32 (W_pos_b p) d 0 j)) in
    let half x := Product x (Number (1 / 2)) in
    (forall i, (i < v)%nat -> sums (products d at_a (float32 (W_V p) v) i) (value_a i)) /\
    (forall i, (i < v)%nat -> sums (products d at_b (float32 (W_V p) v) i) (value_b i)) /\
    (forall i, (i < v)%nat -> sums [half (value_a i); half (value_b i)] (mixed i)) /\
    (forall j, (j < d)%nat -> sums (at_b j :: products v mixed (float32 (W_O p) d) j) (residual j)) /\
    (forall i, (i < h)%nat ->
      sums (Number (float32 (b_in p) h 0 i) :: products d residual (float32 (W_in p) h) i) (hidden i)) /\
    (forall j, (j < d)%nat -> sums (residual j :: Number (float32 (b_out p) d 0 j) ::
      products h (fun i => Relu (hidden i)) (float32 (W_out p) d) j) (out j)) /\
    sums (products d out (float32 (W_U p) n) c) logit.

  Definition pizza_bound (s : Z) : bound :=
    let E := decode n d s (W_E p) in
    let V := decode d v s (W_V p) in
    let O_ := decode v d s (W_O p) in
    let In := decode d h s (W_in p) in
    let at_a := added_row E (decode 1 d s (W_pos_a p)) in
    let at_b := added_row E (decode 1 d s (W_pos_b p)) in
    let value_a := product s at_a V in
    let value_b := product s at_b V in
    let from_a := halved (product s value_a O_) in
    let from_b := added at_b (halved (product s value_b O_)) in
    let A := product s from_a In in
    let B := added_row (product s from_b In) (decode 1 h s (b_in p)) in
    let pa := decoded 1 d s (W_pos_a p) in
    let pb := decoded 1 d s (W_pos_b p) in
    let bi := decoded 1 h s (b_in p) in
    let Out := decoded h d s (W_out p) in
    let bo := decoded 1 d s (b_out p) in
    let U := decoded d n s (W_U p) in
    let xa := table d (fun j => highest n (digits E) (idx j) (idx d) + modulus pa (idx j))%Z in
    let xb := table d (fun j => highest n (digits E) (idx j) (idx d) + modulus pb (idx j))%Z in
    let xa_off := table d (fun j => off_by 2 (at_ xa j) 0) in
    let xb_off := table d (fun j => off_by 2 (at_ xb j) 0) in
    let va_off := table v (fun i => off_by d (row s xa v (digits V) i) (row s xa_off v (digits V) i)) in
    let vb_off := table v (fun i => off_by d (row s xb v (digits V) i) (row s xb_off v (digits V) i)) in
    let mixed := table v (fun i => (column s value_a i + column s value_b i) / 2 + 1)%Z in
    let mixed_off := table v (fun i => off_by 2 (at_ mixed i) ((at_ va_off i + at_ vb_off i) / 2 + 1))%Z in
    let residual := table d (fun j => column s from_a j + column s from_b j)%Z in
    let residual_off := table d (fun j =>
      off_by (v + 1) (at_ xb j + row s mixed d (digits O_) j) (at_ xb_off j + row s mixed_off d (digits O_) j))%Z in
    let hidden := table h (fun i => column s A i + column s B i)%Z in
    let hidden_off := table h (fun i =>
      off_by (d + 1) (modulus bi (idx i) + row s residual h (digits In) i) (0 + row s residual_off h (digits In) i))%Z in
    let out := table d (fun j => at_ residual j + (modulus bo (idx j) + row s hidden d Out j))%Z in
    let out_off := table d (fun j => off_by (h + 2) (at_ out j) (at_ residual_off j + (0 + row s hidden_off d Out j)))%Z in
    let logits := table n (fun c => off_by d (row s out n U c) (row s out_off n U c)) in
    Bound ((0 <? s) && (s <=? 50) && (Z.of_nat (d + v + h + 2) <? 2 ^ 24) && readable n d s (W_E p) &&
      readable 1 d s (W_pos_a p) && readable 1 d s (W_pos_b p) && readable d v s (W_V p) && readable v d s (W_O p) &&
      readable d h s (W_in p) && readable 1 h s (b_in p) && readable h d s (W_out p) && readable 1 d s (b_out p) &&
      readable d n s (W_U p) && valid value_a && valid value_b && valid from_a && valid from_b && valid A && valid B)%Z
      (largest_of logits).

  Theorem pizza_adds_as_it_runs s k : (0 <= k)%Z -> sound (pizza_bound s) = true ->
    ahead n (IZR (error_of s k (most (pizza_bound s))) / (IZR (2 ^ k) * IZR (2 ^ k))) (pizza_logits n d v h p) ->
    adds_as_it_runs n pizza_runs.
  Proof.
    intros K C. unfold pizza_bound in C. cbv zeta in C. cbn [sound] in C.
    rewrite !andb_true_iff, Z.leb_le, !Z.ltb_lt in C.
    destruct C as [[[[[[[[[[[[[[[[[[S0 S] N] RE] Ra] Rb] RV] RO] RI] Ri] RW] Ro] RU] VVa] VVb] VFa] VFb] VA] VB].
    apply lead_outlasts_rounding; [assumption|assumption|].
    intros a b c e la lb lc [value_a [value_b [mixed [residual [hidden [out [HA [HB [HM [HR [HH [HO E]]]]]]]]]]]].
    cbv zeta in HM.
    set (at_a := fun j => Sum (Number (float32 (W_E p) d a j)) (Number (float32 (W_pos_a p) d 0 j))) in *.
    set (at_b := fun j => Sum (Number (float32 (W_E p) d b j)) (Number (float32 (W_pos_b p) d 0 j))) in *.
    assert (XE := decode_holds n d s (W_E p)). assert (XV := decode_holds d v s (W_V p)).
    assert (XO := decode_holds v d s (W_O p)). assert (XI := decode_holds d h s (W_in p)).
    assert (XA := added_row_holds _ _ _ _ XE (decode_holds 1 d s (W_pos_a p))).
    assert (XB := added_row_holds _ _ _ _ XE (decode_holds 1 d s (W_pos_b p))).
    assert (YA := product_holds s _ _ _ _ XA XV). assert (YB := product_holds s _ _ _ _ XB XV).
    assert (FA := halved_holds _ _ (product_holds s _ _ _ _ YA XO)).
    assert (FB := added_holds _ _ _ _ XB (halved_holds _ _ (product_holds s _ _ _ _ YB XO))).
    assert (GA := product_holds s _ _ _ _ FA XI).
    assert (GB := added_row_holds _ _ _ _ (product_holds s _ _ _ _ FB XI) (decode_holds 1 h s (b_in p))).
    set (E' := decode n d s (W_E p)) in *. set (V := decode d v s (W_V p)) in *. set (O_ := decode v d s (W_O p)) in *.
    set (In := decode d h s (W_in p)) in *.
    set (ta := added_row E' (decode 1 d s (W_pos_a p))) in *. set (tb := added_row E' (decode 1 d s (W_pos_b p))) in *.
    set (Va := product s ta V) in *. set (Vb := product s tb V) in *.
    set (fa := halved (product s Va O_)) in *. set (fb := added tb (halved (product s Vb O_))) in *.
    set (A := product s fa In) in *. set (B := added_row (product s fb In) (decode 1 h s (b_in p))) in *.
    set (xa := table d (fun j => highest n (digits E') (idx j) (idx d) + modulus (decoded 1 d s (W_pos_a p)) (idx j))%Z).
    set (xb := table d (fun j => highest n (digits E') (idx j) (idx d) + modulus (decoded 1 d s (W_pos_b p)) (idx j))%Z).
    set (xa_off := table d (fun j => off_by 2 (at_ xa j) 0)). set (xb_off := table d (fun j => off_by 2 (at_ xb j) 0)).
    set (va_off := table v (fun i => off_by d (row s xa v (digits V) i) (row s xa_off v (digits V) i))).
    set (vb_off := table v (fun i => off_by d (row s xb v (digits V) i) (row s xb_off v (digits V) i))).
    set (mv := table v (fun i => (column s Va i + column s Vb i) / 2 + 1)%Z).
    set (mr := table v (fun i => off_by 2 (at_ mv i) ((at_ va_off i + at_ vb_off i) / 2 + 1))%Z).
    set (rv := table d (fun j => column s fa j + column s fb j)%Z).
    set (rr := table d (fun j =>
      off_by (v + 1) (at_ xb j + row s mv d (digits O_) j) (at_ xb_off j + row s mr d (digits O_) j))%Z).
    set (hv := table h (fun i => column s A i + column s B i)%Z).
    set (hr := table h (fun i => off_by (d + 1) (modulus (decoded 1 h s (b_in p)) (idx i) + row s rv h (digits In) i)
      (0 + row s rr h (digits In) i))%Z).
    set (ov := table d (fun j =>
      at_ rv j + (modulus (decoded 1 d s (b_out p)) (idx j) + row s hv d (decoded h d s (W_out p)) j))%Z).
    set (or := table d (fun j => off_by (h + 2) (at_ ov j) (at_ rr j + (0 + row s hr d (decoded h d s (W_out p)) j)))%Z).
    set (ls := table n (fun c => off_by d (row s ov n (decoded d n s (W_U p)) c) (row s or n (decoded d n s (W_U p)) c))).
    change (most (pizza_bound s)) with (largest_of ls).
    assert (P0 : 0 <= IZR (2 ^ s)) by (apply IZR_le, Z.pow_nonneg; lia).
    (* The two positions. *)
    assert (TX : forall x w P, (x < n)%nat -> readable 1 d s P = true ->
      w = table d (fun j => highest n (digits E') (idx j) (idx d) + modulus (decoded 1 d s P) (idx j))%Z ->
      forall j, (j < d)%nat -> terms s [Number (float32 (W_E p) d x j); Number (float32 P d 0 j)] (at_ w j) 0).
    { intros x w P X R -> j J. rewrite at_table by assumption. refine (terms_app s [_] [_] _ 0 _ 0 _ _).
      - apply one_term; [assumption|exact Logic.I| |now apply (parameter_off n d s (W_E p))].
        eapply Rle_trans; [apply (parameter_sized n d s (W_E p)); assumption|apply IZR_le, highest_spec; assumption].
      - apply one_term; [assumption|exact Logic.I| |].
        + apply (parameter_sized 1 d s P 0 j); auto.
        + apply (parameter_off 1 d s P 0 j); auto. }
    assert (SX : forall x y : expression, sums [x; y] (Sum x y)) by (intros; apply (sums_join [_] [_]); apply sums_one).
    assert (SA : forall j, (j < d)%nat -> sized s (at_a j) (at_ xa j))
      by (intros j J; exact (sum_sized s _ _ _ _ S0 (SX _ _) (TX a xa _ la Ra eq_refl j J))).
    assert (SB : forall j, (j < d)%nat -> sized s (at_b j) (at_ xb j))
      by (intros j J; exact (sum_sized s _ _ _ _ S0 (SX _ _) (TX b xb _ lb Rb eq_refl j J))).
    assert (OA : forall j, (j < d)%nat -> off s (at_a j) (at_ xa_off j)).
    { intros j J. unfold xa_off. rewrite at_table by assumption.
      now refine (sum_off s 2 _ _ _ _ (conj S0 S) eq_refl _ (SX _ _) (TX a xa _ la Ra eq_refl j J)). }
    assert (OB : forall j, (j < d)%nat -> off s (at_b j) (at_ xb_off j)).
    { intros j J. unfold xb_off. rewrite at_table by assumption.
      now refine (sum_off s 2 _ _ _ _ (conj S0 S) eq_refl _ (SX _ _) (TX b xb _ lb Rb eq_refl j J)). }
    (* The values. *)
    assert (OVa : forall i, (i < v)%nat -> off s (value_a i) (at_ va_off i)).
    { intros i I. unfold va_off. rewrite at_table by assumption.
      refine (sum_off s d _ _ _ _ (conj S0 S) _ (products_length _ _ _ _) (HA i I) _); [lia|].
      apply products_terms; [assumption|apply table_length|apply table_length|assumption|assumption|assumption]. }
    assert (OVb : forall i, (i < v)%nat -> off s (value_b i) (at_ vb_off i)).
    { intros i I. unfold vb_off. rewrite at_table by assumption.
      refine (sum_off s d _ _ _ _ (conj S0 S) _ (products_length _ _ _ _) (HB i I) _); [lia|].
      apply products_terms; [assumption|apply table_length|apply table_length|assumption|assumption|assumption]. }
    set (value := fun (P : array int) x i =>
      sum (fun m => (float32 (W_E p) d x m + float32 P d 0 m) * float32 (W_V p) v m i) d).
    assert (XVa : forall i, (i < v)%nat -> exact (value_a i) = value (W_pos_a p) a i)
      by (intros i I; rewrite (sums_exact _ _ (HA i I)), products_exact; reflexivity).
    assert (XVb : forall i, (i < v)%nat -> exact (value_b i) = value (W_pos_b p) b i)
      by (intros i I; rewrite (sums_exact _ _ (HB i I)), products_exact; reflexivity).
    assert (SVa : forall i, (i < v)%nat -> sized s (value_a i) (column s Va i)).
    { intros i I. unfold sized. rewrite XVa by assumption.
      exact (column_spec s Va _ a i YA VVa ltac:(simpl; lia) la I). }
    assert (SVb : forall i, (i < v)%nat -> sized s (value_b i) (column s Vb i)).
    { intros i I. unfold sized. rewrite XVb by assumption.
      exact (column_spec s Vb _ b i YB VVb ltac:(simpl; lia) lb I). }
    assert (TM : forall i, (i < v)%nat -> terms s
      [Product (value_a i) (Number (1 / 2)); Product (value_b i) (Number (1 / 2))] (at_ mv i)
      ((at_ va_off i + at_ vb_off i) / 2 + 1)).
    { intros i I. unfold mv. rewrite at_table by assumption. apply halves_terms; auto. }
    assert (SM : forall i, (i < v)%nat -> sized s (mixed i) (at_ mv i))
      by (intros i I; exact (sum_sized s _ _ _ _ S0 (HM i I) (TM i I))).
    assert (OM : forall i, (i < v)%nat -> off s (mixed i) (at_ mr i)).
    { intros i I. unfold mr. rewrite at_table by assumption.
      now refine (sum_off s 2 _ _ _ _ (conj S0 S) eq_refl _ (HM i I) (TM i I)). }
    (* The residual. *)
    assert (TR : forall j, (j < d)%nat -> terms s (at_b j :: products v mixed (float32 (W_O p) d) j)
      (at_ xb j + row s mv d (digits O_) j) (at_ xb_off j + row s mr d (digits O_) j)).
    { intros j J. refine (terms_app s [_] _ _ _ _ _ (one_term s (at_b j) _ _ S0 Logic.I (SB j J) (OB j J)) _).
      apply products_terms; [assumption|apply table_length|apply table_length|assumption|assumption|assumption]. }
    assert (OR : forall j, (j < d)%nat -> off s (residual j) (at_ rr j)).
    { intros j J. unfold rr. rewrite at_table by assumption.
      refine (sum_off s _ _ _ _ _ (conj S0 S) _ _ (HR j J) (TR j J)); [lia|].
      cbn [length]. rewrite products_length. lia. }
    set (from_a := fun j => sum (fun m => value (W_pos_a p) a m * float32 (W_O p) d m j) v / 2).
    set (from_b := fun j => float32 (W_E p) d b j + float32 (W_pos_b p) d 0 j +
      sum (fun m => value (W_pos_b p) b m * float32 (W_O p) d m j) v / 2).
    assert (XR : forall j, (j < d)%nat -> exact (residual j) = from_a j + from_b j).
    { intros j J. rewrite (sums_exact _ _ (HR j J)). cbn [total fold_right exact].
      fold (total exact (products v mixed (float32 (W_O p) d) j)). rewrite products_exact. unfold through.
      rewrite (sum_ext _ (fun m => / 2 * (value (W_pos_a p) a m * float32 (W_O p) d m j) +
        / 2 * (value (W_pos_b p) b m * float32 (W_O p) d m j))).
      - rewrite sum_plus, !sum_scale. unfold from_a, from_b. field.
      - intros i I. rewrite (sums_exact _ _ (HM i I)). cbn [total fold_right exact].
        rewrite XVa, XVb by assumption. field. }
    assert (SR : forall j, (j < d)%nat -> sized s (residual j) (at_ rv j)).
    { intros j J. unfold sized, rv. rewrite at_table, XR, plus_IZR by assumption.
      pose proof (column_spec s fa _ a j FA VFa ltac:(simpl; lia) la J) as BA.
      pose proof (column_spec s fb _ b j FB VFb ltac:(simpl; lia) lb J) as BB.
      change (Rabs (from_a j) * IZR (2 ^ s) <= IZR (column s fa j)) in BA.
      change (Rabs (from_b j) * IZR (2 ^ s) <= IZR (column s fb j)) in BB.
      pose proof (Rabs_triang (from_a j) (from_b j)). nra. }
    (* The hidden layer. *)
    assert (OH : forall i, (i < h)%nat -> off s (hidden i) (at_ hr i)).
    { intros i I. unfold hr. rewrite at_table by assumption.
      refine (sum_off s _ _ _ _ _ (conj S0 S) _ _ (HH i I) _); [lia| |].
      - cbn [length]. rewrite products_length. lia.
      - refine (terms_app s [_] _ _ 0 _ _ (one_term s (Number _) _ _ S0 Logic.I _ _) _).
        + apply (parameter_sized 1 h s (b_in p) 0 i); auto.
        + apply (parameter_off 1 h s (b_in p) 0 i); auto.
        + apply products_terms; [assumption|apply table_length|apply table_length|assumption|assumption|assumption]. }
    set (hidden_a := fun i => sum (fun m => from_a m * float32 (W_in p) h m i) d).
    set (hidden_b := fun i => sum (fun m => from_b m * float32 (W_in p) h m i) d + float32 (b_in p) h 0 i).
    assert (XH : forall i, (i < h)%nat -> exact (hidden i) = hidden_a i + hidden_b i).
    { intros i I. rewrite (sums_exact _ _ (HH i I)). cbn [total fold_right exact].
      fold (total exact (products d residual (float32 (W_in p) h) i)). rewrite products_exact. unfold through.
      rewrite (sum_ext _ (fun m => from_a m * float32 (W_in p) h m i + from_b m * float32 (W_in p) h m i))
        by (intros j J; rewrite XR by assumption; ring).
      rewrite sum_plus. unfold hidden_a, hidden_b. ring. }
    assert (SH : forall i, (i < h)%nat -> sized s (hidden i) (at_ hv i)).
    { intros i I. unfold sized, hv. rewrite at_table, XH, plus_IZR by assumption.
      pose proof (column_spec s A _ a i GA VA ltac:(simpl; lia) la I) as BA.
      pose proof (column_spec s B _ b i GB VB ltac:(simpl; lia) lb I) as BB.
      change (Rabs (hidden_a i) * IZR (2 ^ s) <= IZR (column s A i)) in BA.
      change (Rabs (hidden_b i) * IZR (2 ^ s) <= IZR (column s B i)) in BB.
      pose proof (Rabs_triang (hidden_a i) (hidden_b i)). nra. }
    (* What is read out. *)
    assert (TO : forall j, (j < d)%nat -> terms s (residual j :: Number (float32 (b_out p) d 0 j) ::
      products h (fun i => Relu (hidden i)) (float32 (W_out p) d) j) (at_ ov j)
      (at_ rr j + (0 + row s hr d (decoded h d s (W_out p)) j))).
    { intros j J. unfold ov. rewrite at_table by assumption.
      assert (PR : plain (residual j)) by (apply (sums_plain _ _ (HR j J)); now left).
      refine (terms_app s [_] _ _ _ _ _ (one_term s _ _ _ S0 PR (SR j J) (OR j J)) _).
      refine (terms_app s [_] _ _ 0 _ _ (one_term s (Number _) _ _ S0 Logic.I _ _) _).
      - apply (parameter_sized 1 d s (b_out p) 0 j); auto.
      - apply (parameter_off 1 d s (b_out p) 0 j); auto.
      - apply products_terms; [assumption|apply table_length|apply table_length|assumption| |]; intros i I;
          [now apply relu_sized, SH|now apply relu_off, OH]. }
    assert (OO : forall j, (j < d)%nat -> off s (out j) (at_ or j)).
    { intros j J. unfold or. rewrite at_table by assumption.
      refine (sum_off s _ _ _ _ _ (conj S0 S) _ _ (HO j J) (TO j J)); [lia|].
      cbn [length]. rewrite products_length. lia. }
    assert (TL : terms s (products d out (float32 (W_U p) n) c) (row s ov n (decoded d n s (W_U p)) c)
      (row s or n (decoded d n s (W_U p)) c)).
    { apply products_terms; [assumption|apply table_length|apply table_length|assumption| |assumption]. intros j J.
      exact (sum_sized s _ _ _ _ S0 (HO j J) (TO j J)). }
    split.
    - rewrite (sums_exact _ _ E), products_exact. unfold pizza_logits. cbv zeta. apply through_below. intros j J.
      rewrite (sums_exact _ _ (HO j J)). cbn [total fold_right exact].
      fold (total exact (products h (fun i => Relu (hidden i)) (float32 (W_out p) d) j)). rewrite products_exact.
      assert (XR' : forall j, (j < d)%nat -> exact (residual j) = float32 (W_E p) d b j + float32 (W_pos_b p) d 0 j +
        (times v (times d (fun i e => float32 (W_E p) d i e + float32 (W_pos_a p) d 0 e) (float32 (W_V p) v))
           (float32 (W_O p) d) a j / 2 +
         times v (times d (fun i e => float32 (W_E p) d i e + float32 (W_pos_b p) d 0 e) (float32 (W_V p) v))
           (float32 (W_O p) d) b j / 2)).
      { intros m M. rewrite XR by assumption. unfold from_a, from_b, times, through, value. ring. }
      rewrite XR' by assumption. f_equal. rewrite Rplus_comm. f_equal.
      apply through_below. intros i I. cbn [exact]. f_equal.
      rewrite (sums_exact _ _ (HH i I)). cbn [total fold_right exact].
      fold (total exact (products d residual (float32 (W_in p) h) i)). rewrite products_exact, Rplus_comm. f_equal.
      now apply through_below.
    - assert (O : off s e (off_by d (row s ov n (decoded d n s (W_U p)) c) (row s or n (decoded d n s (W_U p)) c)))
        by (refine (sum_off s d _ _ _ _ (conj S0 S) _ (products_length _ _ _ _) E TL); lia).
      intros y G. eapply Rle_trans; [apply (O y G)|]. apply IZR_le.
      transitivity (at_ ls c); [unfold ls; rewrite at_table by assumption; lia|apply largest_of_spec].
  Qed.
End Pizza.
