(* The network that runs: the forward passes as a machine computes them, with a rounding at every operation.

   A forward pass is an expression: the sums of each layer in any order, with fused operations or without. From the bits
   of the parameters a program computes how large the sum of moduli of a logit can be, whatever the input, so how far a
   computed logit can lie from the exact one. Where twice that is less than the lead of the right answer, the machine
   answers right. Sizes are whole numbers of units of 2^-s, each rounded up. *)

From Coq Require Import Reals ZArith Lia Lra Bool Uint63 PArray List.
From Modadd Require Import Network Ball Machine Answers Parameters Trained Architectures Rounding.
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
  ((weighed l Y (idx j) (idx w) + Z.of_nat (length l)) / 2 ^ s + 1)%Z.

Definition largest_of (l : list Z) : Z := fold_right Z.max 0%Z l.

(* Twice the error of a logit of this size after so many roundings, in units of 2^-2k, rounded up. *)
Definition error_of (s k : Z) (steps : nat) (most : Z) : Z :=
  (2 * Z.of_nat steps * most * 2 ^ (2 * k) / ((2 ^ 24 - Z.of_nat steps) * 2 ^ s) + 1)%Z.

(* An expression is no larger than a whole number of units. *)
Definition fits_in (s : Z) (e : expression) (z : Z) : Prop := size e * IZR (2 ^ s) <= IZR z.

(* Proofs. *)

Lemma sum_plus_one f k : sum f (S k) = f O + sum (fun m => f (S m)) k.
Proof. induction k; [simpl; ring|]. change (sum f (S (S k))) with (sum f (S k) + f (S k)). rewrite IHk. simpl. ring. Qed.

Lemma total_map f g k : total f (map g (seq 0 k)) = sum (fun m => f (g m)) k.
Proof. induction k; [reflexivity|]. rewrite seq_S, map_app, total_app, IHk. simpl. ring. Qed.

Lemma products_exact k x Y j : total exact (products k x Y j) = through k (fun m => exact (x m)) Y j.
Proof. apply total_map. Qed.

Lemma products_length k x Y j : length (products k x Y j) = k.
Proof. unfold products. now rewrite map_length, seq_length. Qed.

Lemma products_depth k x Y j d : (forall m, (m < k)%nat -> (depth (x m) <= d)%nat) ->
  Forall (fun e => (depth e <= S d)%nat) (products k x Y j).
Proof.
  intros D. apply Forall_forall. intros e I. apply in_map_iff in I as [m [E M]]. apply in_seq in M. subst e.
  simpl. specialize (D m ltac:(lia)). lia.
Qed.

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
Lemma parameter_fits m w s X i j : decodable m w s X = true -> (i < m)%nat -> (j < w)%nat ->
  fits_in s (Number (float32 X w i j)) (modulus (decoded m w s X) (idx (i * w + j))).
Proof.
  intros D I J. pose proof (decoded_approx _ _ _ _ D i j I J) as N. unfold fits_in, modulus, entry in *. cbn [size].
  set (y := val _) in *. assert (0 < IZR (2 ^ s)).
  { apply IZR_lt, Z.pow_pos_nonneg; [lia|]. unfold decodable in D. rewrite !andb_true_iff, Z.ltb_lt in D. lia. }
  rewrite plus_IZR, abs_IZR. rewrite <- (Rabs_pos_eq (IZR (2 ^ s))) by lra. rewrite <- Rabs_mult.
  pose proof (Rabs_triang (float32 X w i j * IZR (2 ^ s) - IZR y) (IZR y)) as T.
  replace (float32 X w i j * IZR (2 ^ s) - IZR y + IZR y) with (float32 X w i j * IZR (2 ^ s)) in T by ring. lra.
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

(* The terms of a row, with what their roundings add. *)
Lemma row_fits s k w l x X j : (s <= 50)%Z -> decodable k w s X = true -> length l = k -> (j < w)%nat ->
  (forall m, (m < k)%nat -> fits_in s (x m) (at_ l m)) ->
  total (fun e => size e + t) (products k x (float32 X w) j) * IZR (2 ^ s) <= IZR (row s l w (decoded k w s X) j).
Proof.
  intros S D L J H. assert (S0 : (0 < s)%Z) by (unfold decodable in D; rewrite !andb_true_iff, Z.ltb_lt in D; tauto).
  assert (Q : (0 < 2 ^ s)%Z) by (apply Z.pow_pos_nonneg; lia). unfold row. apply above_quotient; [assumption|].
  unfold products. rewrite total_map. cbn [size].
  destruct (two_t s ltac:(lia)) as [_ T]. apply IZR_lt in Q. set (q := IZR (2 ^ s)) in *.
  rewrite (sum_ext _ (fun m => size (x m) * Rabs (float32 X w m j) + 2 * t)) by (intros; ring).
  rewrite sum_plus, sum_const, Rmult_assoc, Rmult_plus_distr_r, plus_IZR, <- INR_IZR_INZ, L. apply Rplus_le_compat.
  - rewrite <- sum_scale_r. rewrite (sum_ext _ (fun m => (size (x m) * q) * (Rabs (float32 X w m j) * q)))
      by (intros; ring).
    rewrite <- L at 1. apply weighed_spec; rewrite L; intros m M.
    + split; [apply Rmult_le_pos; [apply size_nonnegative|lra]|now apply H].
    + split; [apply Rmult_le_pos; [apply Rabs_pos|lra]|]. rewrite Nat.add_comm.
      apply (parameter_fits k w s X m j D M J).
  - rewrite Rmult_assoc. rewrite <- (Rmult_1_r (INR k)) at 2. apply Rmult_le_compat_l; [apply pos_INR|lra].
Qed.

(* A term beside them. *)
Lemma term_fits s e z : (0 < s <= 50)%Z -> fits_in s e z -> (size e + t) * IZR (2 ^ s) <= IZR (z + 1).
Proof. intros S F. destruct (two_t s S) as [T _]. unfold fits_in in F. rewrite plus_IZR. lra. Qed.

Lemma sums_fit s l e z : (0 < s)%Z -> sums l e -> total (fun f => size f + t) l * IZR (2 ^ s) <= IZR z -> fits_in s e z.
Proof.
  intros S E H. apply sums_size in E. assert (0 < IZR (2 ^ s)) by (apply IZR_lt, Z.pow_pos_nonneg; lia).
  unfold fits_in. eapply Rle_trans; [|exact H]. apply Rmult_le_compat_r; lra.
Qed.

(* Where the exact logits lead by twice the error, the computed ones are in the same order. *)
Lemma lead_outlasts_rounding n s k steps most (runs : nat -> nat -> nat -> expression -> Prop) logits :
  (0 < s)%Z -> (0 <= k)%Z -> (Z.of_nat steps < 2 ^ 24)%Z ->
  (forall a b c e, (a < n)%nat -> (b < n)%nat -> (c < n)%nat -> runs a b c e ->
    exact e = logits a b c /\ fits_in s e most /\ (depth e <= steps)%nat) ->
  ahead n (IZR (error_of s k steps most) / (IZR (2 ^ k) * IZR (2 ^ k))) logits -> adds_as_it_runs n runs.
Proof.
  intros S0 K0 K R H a b c la lb lc wrong e f y z E F Y Z.
  assert (lt : ((a + b) mod n < n)%nat) by (apply Nat.mod_upper_bound; lia).
  specialize (H a b c la lb lc wrong). destruct (R a b c e la lb lc E) as [XE [SE DE]].
  destruct (R a b _ f la lb lt F) as [XF [SF DF]]. apply error_of_rounding in Y, Z.
  rewrite XE in Y. rewrite XF in Z.
  assert (Q : 0 < IZR (2 ^ s)) by (apply IZR_lt, Z.pow_pos_nonneg; lia).
  assert (P : 0 < IZR (2 ^ k)) by (apply IZR_lt, Z.pow_pos_nonneg; lia).
  set (bound := INR steps / (2 ^ 24 - INR steps)). 
  assert (K' : INR steps < 2 ^ 24).
  { apply IZR_lt in K. rewrite <- INR_IZR_INZ in K. change (2 ^ 24)%Z with 16777216%Z in K. lra. }
  assert (near : forall g x v, (depth g <= steps)%nat -> fits_in s g most ->
    Rabs (x - v) <= (growth (depth g) - 1) * size g -> Rabs (x - v) * IZR (2 ^ s) <= bound * IZR most).
  { intros g x v D N A. pose proof (growth_monotone _ _ D). pose proof (growth_bound steps K) as B. fold bound in B.
    pose proof (size_nonnegative g). unfold fits_in in N. pose proof (growth_at_least (depth g)).
    apply Rle_trans with ((growth (depth g) - 1) * (size g * IZR (2 ^ s))); [nra|].
    apply Rle_trans with (bound * (size g * IZR (2 ^ s))); [apply Rmult_le_compat_r; nra|].
    apply Rmult_le_compat_l; lra. }
  apply (near e) in Y; [|assumption|assumption]. apply (near f) in Z; [|assumption|assumption]. clear near.
  assert (room : 2 * bound * IZR most <= IZR (error_of s k steps most) / (IZR (2 ^ k) * IZR (2 ^ k)) * IZR (2 ^ s)).
  { assert (B : 2 * bound * IZR most * (IZR (2 ^ k) * IZR (2 ^ k)) / IZR (2 ^ s) <= IZR (error_of s k steps most)).
    { unfold error_of. apply above_quotient; [apply Z.mul_pos_pos; [lia|apply Z.pow_pos_nonneg; lia]|].
      rewrite !mult_IZR, minus_IZR, <- INR_IZR_INZ. replace (2 * k)%Z with (k + k)%Z by ring.
      rewrite Z.pow_add_r, mult_IZR by assumption. change (IZR (2 ^ 24)) with 16777216.
      unfold bound. right. field. lra. }
    apply Rmult_le_reg_r with ((IZR (2 ^ k) * IZR (2 ^ k)) / IZR (2 ^ s)).
    - apply Rmult_lt_0_compat; [nra|now apply Rinv_0_lt_compat].
    - replace (IZR (error_of s k steps most) / (IZR (2 ^ k) * IZR (2 ^ k)) * IZR (2 ^ s) *
        (IZR (2 ^ k) * IZR (2 ^ k) / IZR (2 ^ s))) with (IZR (error_of s k steps most)) by (field; lra). 
      replace (2 * bound * IZR most * (IZR (2 ^ k) * IZR (2 ^ k) / IZR (2 ^ s))) with
        (2 * bound * IZR most * (IZR (2 ^ k) * IZR (2 ^ k)) / IZR (2 ^ s)) by (unfold Rdiv; ring). exact B. }
  set (lead := IZR (error_of s k steps most) / _) in *.
  apply Rmult_lt_reg_r with (IZR (2 ^ s)); [assumption|].
  assert ((logits a b c + lead) * IZR (2 ^ s) < logits a b ((a + b) mod n)%nat * IZR (2 ^ s))
    by now apply Rmult_lt_compat_r.
  unfold Rabs in Y, Z. destruct (Rcase_abs _) in Y; destruct (Rcase_abs _) in Z; nra.
Qed.

Lemma sum_fits s e f x y : (0 < s <= 50)%Z -> fits_in s e x -> fits_in s f y -> fits_in s (Sum e f) (x + y + 1).
Proof.
  intros S E F. destruct (two_t s S) as [T _]. unfold fits_in in *. cbn [size]. rewrite !plus_IZR. lra.
Qed.

(* The terms beside a matrix product: none, one, two. *)
Definition terms_fit (s : Z) (rest : list expression) (r : Z) : Prop :=
  total (fun e => size e + t) rest * IZR (2 ^ s) <= IZR r.

Lemma no_terms_fit s : terms_fit s [] 0.
Proof. unfold terms_fit. simpl. lra. Qed.

Lemma one_more_fits s e z rest r : (0 < s <= 50)%Z -> fits_in s e z -> terms_fit s rest r ->
  terms_fit s (e :: rest) (z + 1 + r).
Proof.
  intros S E R. apply (term_fits s e z S) in E. unfold terms_fit in *. cbn [total fold_right].
  rewrite plus_IZR, Rmult_plus_distr_r. unfold total in R. lra.
Qed.

(* One number of the next layer: its size, its depth, and what it is exactly. *)
Lemma layer_runs s k w l x X j rest r D e : (s <= 50)%Z -> decodable k w s X = true -> length l = k -> (j < w)%nat ->
  (forall m, (m < k)%nat -> fits_in s (x m) (at_ l m)) -> (forall m, (m < k)%nat -> (depth (x m) <= D)%nat) ->
  terms_fit s rest r -> Forall (fun f => (depth f <= S D)%nat) rest -> sums (rest ++ products k x (float32 X w) j) e ->
  fits_in s e (r + row s l w (decoded k w s X) j) /\ (depth e <= D + length rest + k)%nat /\
  exact e = total exact rest + through k (fun m => exact (x m)) (float32 X w) j.
Proof.
  intros S V L J F H R B E. assert (S0 : (0 < s)%Z) by (unfold decodable in V; rewrite !andb_true_iff, Z.ltb_lt in V; tauto).
  repeat split.
  - apply (sums_fit s _ e _ S0 E). rewrite total_app, plus_IZR, Rmult_plus_distr_r.
    apply Rplus_le_compat; [exact R|now apply row_fits].
  - pose proof (sums_depth _ _ (Datatypes.S D) E) as G. rewrite Forall_app, app_length, products_length in G.
    specialize (G (conj B (products_depth _ _ _ _ _ H))). lia.
  - rewrite (sums_exact _ _ E), total_app, products_exact. reflexivity.
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

  Definition two_layer_steps : nat := d + h + 1.

  Definition two_layer_decodes (s : Z) : bool :=
    (s <=? 50)%Z && (Z.of_nat two_layer_steps <? 2 ^ 24)%Z &&
    decodable n d s (M_E p) && decodable d h s (M_in p) && decodable h n s (M_U p).

  Definition two_layer_most (s : Z) : Z :=
    let E := decoded n d s (M_E p) in
    let In := decoded d h s (M_in p) in
    let U := decoded h n s (M_U p) in
    let embedded := table d (fun j => let x := highest n E (idx j) (idx d) in x + x + 1)%Z in
    let hidden := table h (row s embedded h In) in
    largest_of (table n (row s hidden n U)).

  Theorem two_layer_adds_as_it_runs s k : (0 <= k)%Z -> two_layer_decodes s = true ->
    ahead n (IZR (error_of s k two_layer_steps (two_layer_most s)) / (IZR (2 ^ k) * IZR (2 ^ k)))
      (two_layer_logits n d h p) -> adds_as_it_runs n two_layer_runs.
  Proof.
    unfold two_layer_decodes. rewrite !andb_true_iff, Z.leb_le, Z.ltb_lt. intros K [[[[S N] VE] VI] VU].
    assert (S0 : (0 < s)%Z) by (unfold decodable in VE; rewrite !andb_true_iff, Z.ltb_lt in VE; tauto).
    apply lead_outlasts_rounding; [assumption|assumption|assumption|].
    intros a b c e la lb lc [hidden [H E]]. cbv zeta in H.
    set (embedded := fun j => Sum (Number (float32 (M_E p) d a j)) (Number (float32 (M_E p) d b j))) in *.
    unfold two_layer_most.
    set (xs := table d _). set (hs := table h (row s xs h _)). set (ls := table n _).
    assert (FX : forall j, (j < d)%nat -> fits_in s (embedded j) (at_ xs j)).
    { intros j J. unfold xs. rewrite at_table by assumption. apply sum_fits; [lia| |];
      (eapply Rle_trans; [apply (parameter_fits n d s (M_E p)); assumption|apply IZR_le, highest_spec; assumption]). }
    assert (L1 : forall i, (i < h)%nat -> fits_in s (hidden i) (at_ hs i) /\ (depth (hidden i) <= 1 + 0 + d)%nat /\
      exact (hidden i) = 0 + through d (fun m => exact (embedded m)) (float32 (M_in p) h) i).
    { intros i I. unfold hs. rewrite at_table by assumption. 
      apply (layer_runs s d h xs embedded (M_in p) i [] 0 1 (hidden i)); auto using no_terms_fit; [apply table_length|exact (H i I)]. }
    destruct (layer_runs s h n hs (fun i => Relu (hidden i)) (M_U p) c [] 0 (1 + 0 + d) e) as [F [D X]];
      auto using no_terms_fit; try apply table_length; try (intros m M; apply (L1 m M)).
    repeat split.
    - rewrite X. unfold two_layer_logits. cbn [total fold_right]. rewrite Rplus_0_l. apply through_below. intros i I.
      cbn [exact]. f_equal. destruct (L1 i I) as [_ [_ Y]]. rewrite Y. apply Rplus_0_l.
    - eapply Rle_trans; [exact F|]. apply IZR_le. rewrite Z.add_0_l.
      transitivity (at_ ls c); [unfold ls; rewrite at_table by assumption; lia|apply largest_of_spec].
    - unfold two_layer_steps. simpl in D. lia.
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

  Definition embedding_steps : nat := 2 * d + h + 2.

  Definition embedding_decodes (s : Z) : bool :=
    (s <=? 50)%Z && (Z.of_nat embedding_steps <? 2 ^ 24)%Z && decodable n d s (E_a p) && decodable n d s (E_b p) &&
    decodable d h s (C_a p) && decodable d h s (C_b p) && decodable 1 h s (c_in p) && decodable h n s (C_out p) &&
    decodable 1 n s (c_out p).

  Definition embedding_most (s : Z) : Z :=
    let Ea := decoded n d s (E_a p) in
    let Eb := decoded n d s (E_b p) in
    let Ca := decoded d h s (C_a p) in
    let Cb := decoded d h s (C_b p) in
    let ci := decoded 1 h s (c_in p) in
    let Co := decoded h n s (C_out p) in
    let co := decoded 1 n s (c_out p) in
    let xa := table d (fun j => highest n Ea (idx j) (idx d)) in
    let xb := table d (fun j => highest n Eb (idx j) (idx d)) in
    let hidden := table h (fun i => modulus ci (idx i) + 1 + row s xa h Ca i + row s xb h Cb i)%Z in
    largest_of (table n (fun c => modulus co (idx c) + 1 + 0 + row s hidden n Co c)%Z).

  Theorem embedding_adds_as_it_runs s k : (0 <= k)%Z -> embedding_decodes s = true ->
    ahead n (IZR (error_of s k embedding_steps (embedding_most s)) / (IZR (2 ^ k) * IZR (2 ^ k)))
      (embedding_logits n d h p) -> adds_as_it_runs n embedding_runs.
  Proof.
    unfold embedding_decodes. rewrite !andb_true_iff, Z.leb_le, Z.ltb_lt.
    intros K [[[[[[[[S N] VA] VB] WA] WB] VI] WO] VO].
    assert (S0 : (0 < s)%Z) by (unfold decodable in VA; rewrite !andb_true_iff, Z.ltb_lt in VA; tauto).
    apply lead_outlasts_rounding; [assumption|assumption|assumption|].
    intros a b c e la lb lc [hidden [H E]]. cbv zeta in H.
    set (ea := fun j => Number (float32 (E_a p) d a j)) in *. set (eb := fun j => Number (float32 (E_b p) d b j)) in *.
    unfold embedding_most.
    set (xa := table d _). set (xb := table d (fun j => highest n (decoded n d s (E_b p)) _ _)).
    set (hs := table h _). set (ls := table n _).
    assert (FA : forall j, (j < d)%nat -> fits_in s (ea j) (at_ xa j)).
    { intros j J. unfold xa. rewrite at_table by assumption.
      eapply Rle_trans; [apply (parameter_fits n d s (E_a p)); assumption|apply IZR_le, highest_spec; assumption]. }
    assert (FB : forall j, (j < d)%nat -> fits_in s (eb j) (at_ xb j)).
    { intros j J. unfold xb. rewrite at_table by assumption.
      eapply Rle_trans; [apply (parameter_fits n d s (E_b p)); assumption|apply IZR_le, highest_spec; assumption]. }
    assert (L1 : forall i, (i < h)%nat -> fits_in s (hidden i) (at_ hs i) /\ (depth (hidden i) <= 2 * d + 1)%nat /\
      exact (hidden i) = through d (float32 (E_a p) d a) (float32 (C_a p) h) i +
        through d (float32 (E_b p) d b) (float32 (C_b p) h) i + float32 (c_in p) h 0 i).
    { intros i I. unfold hs. rewrite at_table by assumption.
      destruct (layer_runs s d h xb eb (C_b p) i
        (Number (float32 (c_in p) h 0 i) :: products d ea (float32 (C_a p) h) i)
        (modulus (decoded 1 h s (c_in p)) (idx i) + 1 + row s xa h (decoded d h s (C_a p)) i) 0 (hidden i))
        as [F [D X]]; auto.
      - apply table_length.
      - apply one_more_fits; [lia|apply (parameter_fits 1 h s (c_in p) 0 i); auto|].
        apply row_fits; auto; apply table_length.
      - constructor; [simpl; lia|apply products_depth; auto].
      - exact (H i I).
      - repeat split; [exact F|cbn [length] in D; rewrite products_length in D; lia|].
        rewrite X. cbn [total fold_right]. fold (total exact (products d ea (float32 (C_a p) h) i)).
        rewrite products_exact. unfold ea, eb. cbn [exact]. unfold through. ring. }
    destruct (layer_runs s h n hs (fun i => Relu (hidden i)) (C_out p) c [Number (float32 (c_out p) n 0 c)]
      (modulus (decoded 1 n s (c_out p)) (idx c) + 1 + 0) (2 * d + 1) e) as [F [D X]]; auto.
    - apply table_length.
    - intros m M. apply (L1 m M).
    - intros m M. apply (L1 m M).
    - apply one_more_fits; [lia|apply (parameter_fits 1 n s (c_out p) 0 c); auto|apply no_terms_fit].
    - constructor; [simpl; lia|constructor].
    - repeat split.
      + rewrite X. unfold embedding_logits. cbn [total fold_right exact]. rewrite Rplus_0_r, Rplus_comm. f_equal.
        apply through_below. intros i I. f_equal. apply (L1 i I).
      + eapply Rle_trans; [exact F|]. apply IZR_le.
        transitivity (at_ ls c); [unfold ls; rewrite at_table by assumption; lia|apply largest_of_spec].
      + unfold embedding_steps. simpl in D. lia.
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

  Definition pizza_steps : nat := 3 * d + v + h + 8.

  Definition pizza_decodes (s : Z) : bool :=
    (s <=? 50)%Z && (Z.of_nat pizza_steps <? 2 ^ 24)%Z &&
    decodable n d s (W_E p) && decodable 1 d s (W_pos_a p) && decodable 1 d s (W_pos_b p) &&
    decodable d v s (W_V p) && decodable v d s (W_O p) && decodable d h s (W_in p) && decodable 1 h s (b_in p) &&
    decodable h d s (W_out p) && decodable 1 d s (b_out p) && decodable d n s (W_U p).

  Definition pizza_most (s : Z) : Z :=
    let E := decoded n d s (W_E p) in
    let pa := decoded 1 d s (W_pos_a p) in
    let pb := decoded 1 d s (W_pos_b p) in
    let V := decoded d v s (W_V p) in
    let O_ := decoded v d s (W_O p) in
    let In := decoded d h s (W_in p) in
    let bi := decoded 1 h s (b_in p) in
    let Out := decoded h d s (W_out p) in
    let bo := decoded 1 d s (b_out p) in
    let U := decoded d n s (W_U p) in
    let xa := table d (fun j => highest n E (idx j) (idx d) + modulus pa (idx j) + 1)%Z in
    let xb := table d (fun j => highest n E (idx j) (idx d) + modulus pb (idx j) + 1)%Z in
    let va := table v (row s xa v V) in
    let vb := table v (row s xb v V) in
    let mixed := table v (fun i => (at_ va i + at_ vb i + 4) / 2 + 1)%Z in
    let residual := table d (fun j => at_ xb j + 1 + 0 + row s mixed d O_ j)%Z in
    let hidden := table h (fun i => modulus bi (idx i) + 1 + 0 + row s residual h In i)%Z in
    let out := table d (fun j => at_ residual j + 1 + (modulus bo (idx j) + 1 + 0) + row s hidden d Out j)%Z in
    largest_of (table n (row s out n U)).

  Lemma halves_fit s x y e zx zy : (0 < s <= 50)%Z -> fits_in s x zx -> fits_in s y zy ->
    sums [Product x (Number (1 / 2)); Product y (Number (1 / 2))] e -> fits_in s e ((zx + zy + 4) / 2 + 1).
  Proof.
    intros S X Y E. apply (sums_fit s _ e _ (proj1 S) E). destruct (two_t s S) as [T _]. unfold fits_in in *.
    apply above_quotient; [lia|]. cbn [total fold_right size]. rewrite (Rabs_pos_eq (1 / 2)) by lra.
    rewrite !plus_IZR. lra.
  Qed.

  Theorem pizza_adds_as_it_runs s k : (0 <= k)%Z -> pizza_decodes s = true ->
    ahead n (IZR (error_of s k pizza_steps (pizza_most s)) / (IZR (2 ^ k) * IZR (2 ^ k)))
      (pizza_logits n d v h p) -> adds_as_it_runs n pizza_runs.
  Proof.
    unfold pizza_decodes. rewrite !andb_true_iff, Z.leb_le, Z.ltb_lt.
    intros K [[[[[[[[[[[S N] VE] Va] Vb] VV] VO] VI] Vi] VW] Vo] VU].
    assert (S0 : (0 < s)%Z) by (unfold decodable in VE; rewrite !andb_true_iff, Z.ltb_lt in VE; tauto).
    apply lead_outlasts_rounding; [assumption|assumption|assumption|].
    intros a b c e la lb lc [value_a [value_b [mixed [residual [hidden [out [HA [HB [HM [HR [HH [HO E]]]]]]]]]]]].
    set (at_a := fun j => Sum (Number (float32 (W_E p) d a j)) (Number (float32 (W_pos_a p) d 0 j))) in *.
    set (at_b := fun j => Sum (Number (float32 (W_E p) d b j)) (Number (float32 (W_pos_b p) d 0 j))) in *.
    cbv zeta in HM. unfold pizza_most.
    set (top := fun j => highest n (decoded n d s (W_E p)) (idx j) (idx d)).
    set (xa := table d (fun j => (top j + modulus (decoded 1 d s (W_pos_a p)) (idx j) + 1)%Z)).
    set (xb := table d (fun j => (top j + modulus (decoded 1 d s (W_pos_b p)) (idx j) + 1)%Z)).
    set (va := table v (row s xa v (decoded d v s (W_V p)))). set (vb := table v (row s xb v (decoded d v s (W_V p)))).
    set (ms := table v (fun i => ((at_ va i + at_ vb i + 4) / 2 + 1)%Z)).
    set (rs := table d (fun j => (at_ xb j + 1 + 0 + row s ms d (decoded v d s (W_O p)) j)%Z)).
    set (hs := table h (fun i =>
      (modulus (decoded 1 h s (b_in p)) (idx i) + 1 + 0 + row s rs h (decoded d h s (W_in p)) i)%Z)).
    set (os := table d (fun j => (at_ rs j + 1 + (modulus (decoded 1 d s (b_out p)) (idx j) + 1 + 0) +
      row s hs d (decoded h d s (W_out p)) j)%Z)).
    set (ls := table n (row s os n (decoded d n s (W_U p)))).
    assert (E1 : forall x j, (x < n)%nat -> (j < d)%nat ->
      fits_in s (Number (float32 (W_E p) d x j)) (top j)).
    { intros x j X J.
      eapply Rle_trans; [apply (parameter_fits n d s (W_E p)); assumption|apply IZR_le, highest_spec; assumption]. }
    assert (FA : forall j, (j < d)%nat -> fits_in s (at_a j) (at_ xa j)).
    { intros j J. unfold xa. rewrite at_table by assumption.
      apply sum_fits; [lia|now apply E1|apply (parameter_fits 1 d s (W_pos_a p) 0 j); auto]. }
    assert (FB : forall j, (j < d)%nat -> fits_in s (at_b j) (at_ xb j)).
    { intros j J. unfold xb. rewrite at_table by assumption.
      apply sum_fits; [lia|now apply E1|apply (parameter_fits 1 d s (W_pos_b p) 0 j); auto]. }
    clear E1.
    assert (LA : forall i, (i < v)%nat -> fits_in s (value_a i) (at_ va i) /\ (depth (value_a i) <= 1 + 0 + d)%nat /\
      exact (value_a i) = 0 + through d (fun j => exact (at_a j)) (float32 (W_V p) v) i).
    { intros i I. unfold va. rewrite at_table by assumption.
      apply (layer_runs s d v xa at_a (W_V p) i [] 0 1 (value_a i)); auto using no_terms_fit;
        [apply table_length|exact (HA i I)]. }
    assert (LB : forall i, (i < v)%nat -> fits_in s (value_b i) (at_ vb i) /\ (depth (value_b i) <= 1 + 0 + d)%nat /\
      exact (value_b i) = 0 + through d (fun j => exact (at_b j)) (float32 (W_V p) v) i).
    { intros i I. unfold vb. rewrite at_table by assumption.
      apply (layer_runs s d v xb at_b (W_V p) i [] 0 1 (value_b i)); auto using no_terms_fit;
        [apply table_length|exact (HB i I)]. }
    assert (LM : forall i, (i < v)%nat -> fits_in s (mixed i) (at_ ms i) /\ (depth (mixed i) <= d + 3)%nat /\
      exact (mixed i) = exact (value_a i) / 2 + exact (value_b i) / 2).
    { intros i I. unfold ms. rewrite at_table by assumption. destruct (LA i I) as [F [D _]].
      destruct (LB i I) as [F' [D' _]]. repeat split.
      - now apply (halves_fit s (value_a i) (value_b i)); [lia| | |apply HM].
      - pose proof (sums_depth _ _ (d + 2) (HM i I)) as G. cbn [length] in G.
        enough (depth (mixed i) + 1 <= d + 2 + 2)%nat by lia. apply G.
        constructor; [simpl in *; lia|constructor; [simpl in *; lia|constructor]].
      - rewrite (sums_exact _ _ (HM i I)). cbn [total fold_right exact]. lra. }
    assert (LR : forall j, (j < d)%nat -> fits_in s (residual j) (at_ rs j) /\
      (depth (residual j) <= d + v + 4)%nat /\
      exact (residual j) = exact (at_b j) + 0 + through v (fun i => exact (mixed i)) (float32 (W_O p) d) j).
    { intros j J. unfold rs. rewrite at_table by assumption.
      destruct (layer_runs s v d ms mixed (W_O p) j [at_b j] (at_ xb j + 1 + 0) (d + 3) (residual j))
        as [F [D X]]; auto.
      - apply table_length.
      - intros m M. apply (LM m M).
      - intros m M. apply (LM m M).
      - apply one_more_fits; [lia|now apply FB|apply no_terms_fit].
      - constructor; [simpl; lia|constructor].
      - exact (HR j J).
      - repeat split; [exact F|simpl in D; lia|exact X]. }
    assert (LH : forall i, (i < h)%nat -> fits_in s (hidden i) (at_ hs i) /\
      (depth (hidden i) <= 2 * d + v + 5)%nat /\ exact (hidden i) =
        float32 (b_in p) h 0 i + 0 + through d (fun j => exact (residual j)) (float32 (W_in p) h) i).
    { intros i I. unfold hs. rewrite at_table by assumption.
      destruct (layer_runs s d h rs residual (W_in p) i [Number (float32 (b_in p) h 0 i)]
        (modulus (decoded 1 h s (b_in p)) (idx i) + 1 + 0) (d + v + 4) (hidden i)) as [F [D X]]; auto.
      - apply table_length.
      - intros m M. apply (LR m M).
      - intros m M. apply (LR m M).
      - apply one_more_fits; [lia|apply (parameter_fits 1 h s (b_in p) 0 i); auto|apply no_terms_fit].
      - constructor; [simpl; lia|constructor].
      - exact (HH i I).
      - repeat split; [exact F|simpl in D; lia|exact X]. }
    assert (LO : forall j, (j < d)%nat -> fits_in s (out j) (at_ os j) /\
      (depth (out j) <= 2 * d + v + h + 7)%nat /\ exact (out j) = exact (residual j) + (float32 (b_out p) d 0 j + 0) +
        through h (fun i => relu (exact (hidden i))) (float32 (W_out p) d) j).
    { intros j J. unfold os. rewrite at_table by assumption. destruct (LR j J) as [FR [DR _]].
      destruct (layer_runs s h d hs (fun i => Relu (hidden i)) (W_out p) j
        [residual j; Number (float32 (b_out p) d 0 j)]
        (at_ rs j + 1 + (modulus (decoded 1 d s (b_out p)) (idx j) + 1 + 0)) (2 * d + v + 5) (out j))
        as [F [D X]]; auto.
      - apply table_length.
      - intros m M. apply (LH m M).
      - intros m M. apply (LH m M).
      - apply one_more_fits; [lia|assumption|].
        apply one_more_fits; [lia|apply (parameter_fits 1 d s (b_out p) 0 j); auto|apply no_terms_fit].
      - constructor; [lia|constructor; [simpl; lia|constructor]].
      - exact (HO j J).
      - repeat split; [exact F|simpl in D; lia|exact X]. }
    destruct (layer_runs s d n os out (W_U p) c [] 0 (2 * d + v + h + 7) e) as [F [D X]]; auto using no_terms_fit.
    - apply table_length.
    - intros m M. apply (LO m M).
    - intros m M. apply (LO m M).
    - repeat split.
      + rewrite X. unfold pizza_logits. cbv zeta. cbn [total fold_right]. rewrite Rplus_0_l.
        assert (XR : forall j, (j < d)%nat -> exact (residual j) = exact (at_b j) +
          (times v (times d (fun i e => float32 (W_E p) d i e + float32 (W_pos_a p) d 0 e) (float32 (W_V p) v))
             (float32 (W_O p) d) a j / 2 +
           times v (times d (fun i e => float32 (W_E p) d i e + float32 (W_pos_b p) d 0 e) (float32 (W_V p) v))
             (float32 (W_O p) d) b j / 2)).
        { intros j J. destruct (LR j J) as [_ [_ Y]]. rewrite Y, Rplus_0_r. f_equal.
          rewrite (through_below v _ (fun i => / 2 * exact (value_a i) + / 2 * exact (value_b i)))
            by (intros i I; destruct (LM i I) as [_ [_ Z]]; rewrite Z; field).
          rewrite through_plus. unfold through at 1 2. unfold times, through at 1 3.
          unfold Rdiv. rewrite !(Rmult_comm (sum _ _) (/ 2)), <- !sum_scale. f_equal; apply sum_ext; intros i I.
          - destruct (LA i I) as [_ [_ Z]]. rewrite Z, Rplus_0_l. apply Rmult_assoc.
          - destruct (LB i I) as [_ [_ Z]]. rewrite Z, Rplus_0_l. apply Rmult_assoc. }
        apply through_below. intros j J. destruct (LO j J) as [_ [_ Y]]. rewrite Y, Rplus_0_r, Rplus_assoc, XR by assumption.
        f_equal. rewrite (Rplus_comm (float32 (b_out p) d 0 j)). f_equal.
        apply through_below. intros i I. f_equal. destruct (LH i I) as [_ [_ Z]]. rewrite Z, Rplus_0_r, Rplus_comm.
        f_equal. now apply through_below.
      + eapply Rle_trans; [exact F|]. apply IZR_le. rewrite Z.add_0_l.
        transitivity (at_ ls c); [unfold ls; rewrite at_table by assumption; lia|apply largest_of_spec].
      + unfold pizza_steps. simpl in D. lia.
  Qed.
End Pizza.
