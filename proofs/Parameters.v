(* From the bits of the stored parameters to the tables, in fixed point, with a bound on every rounding.

   A parameter is a float32: its 32 bits, as they stand in the network's file, are the only numbers that are taken over.
   A table X of real numbers is represented by integers Y in units of 2^-s, each off by at most e units: `approx`. The
   programs below decode parameters, add tables and multiply them, and a lemma for each says how e grows. *)

From Coq Require Import Reals ZArith Lia Lra Bool Uint63 PArray.
From Coq Require Sint63.
From Modadd Require Import Network Ball Machine Answers.
Open Scope uint63_scope.

(* IEEE 754, binary32: sign, 8 bits of exponent, 23 bits of fraction. All bits of the exponent set would be infinite or no
   number; the checks below refuse it. *)
Definition exponent_field (bits : Z) : Z := ((bits / 2 ^ 23) mod 2 ^ 8)%Z.
Definition sign (bits : Z) : Z := if (bits <? 2 ^ 31)%Z then 1 else (-1).
Definition mantissa (bits : Z) : Z := (bits mod 2 ^ 23 + if exponent_field bits =? 0 then 0 else 2 ^ 23)%Z.
Definition exponent (bits : Z) : Z := Z.max 1 (exponent_field bits).
Definition value (bits : Z) : R := (IZR (sign bits * mantissa bits * 2 ^ exponent bits) / IZR (2 ^ 150))%R.

(* A table of parameters, row by row. *)
Definition float32 (X : array int) (w r c : nat) : R := value (to_Z X.[idx (r * w + c)]).

(* A table has as many entries as its rows and columns need: none is taken from beyond its end, where arrays read as 0. *)
Definition of_size (m w : nat) (X : array int) : Prop := length X = idx (m * w).

Definition approx (m w : nat) (s e : Z) (X : nat -> nat -> R) (Y : array int) : Prop :=
  forall i j, (i < m)%nat -> (j < w)%nat -> (Rabs (X i j * IZR (2 ^ s) - IZR (entry Y w i j)) <= IZR e)%R.

(* An array whose entry at i is f i. *)
Fixpoint fill (k : nat) (f : int -> int) (i : int) (t : array int) : array int :=
  match k with O => t | S l => fill l f (i + 1) t.[i <- f i] end.
Definition tabulate (k : nat) (f : int -> int) : array int := fill k f 0 (make (idx k) 0).

Definition fits (k : nat) : bool := (Z.of_nat k <=? to_Z max_length)%Z.

Lemma max_length_small : (to_Z max_length < half)%Z.
Proof. reflexivity. Qed.

Lemma idx_to_Z m : (Z.of_nat m < half)%Z -> to_Z (idx m) = Z.of_nat m.
Proof. intros H. unfold idx. rewrite of_Z_spec. apply Z.mod_small. change wB with (2 * half)%Z. unfold half in *.
  lia. Qed.

(* What Coq assumes of arrays, for arrays of integers: from Rocq 9 on it no longer finds the type of the entries itself. *)

Lemma size_set (t : array int) i x : length t.[i <- x] = length t.
Proof. exact (length_set int t i x). Qed.

Lemma set_other (t : array int) i j x : i <> j -> t.[i <- x].[j] = t.[j].
Proof. exact (get_set_other int t i j x). Qed.

Lemma set_same (t : array int) i x : (i <? length t) = true -> t.[i <- x].[i] = x.
Proof. exact (get_set_same int t i x). Qed.

Lemma size_make n (x : int) : length (make n x) = if n <=? max_length then n else max_length.
Proof. exact (length_make int n x). Qed.

Lemma fill_spec k f : forall i t, (Z.of_nat (i + k) <= to_Z (length t))%Z -> (to_Z (length t) < half)%Z ->
  forall m, (m < i + k)%nat ->
  (fill k f (idx i) t).[idx m] = if (m <? i)%nat then t.[idx m] else f (idx m).
Proof.
  induction k; intros i t H B m M; simpl.
  - replace (m <? i)%nat with true by (symmetry; apply Nat.ltb_lt; lia). reflexivity.
  - rewrite idx_succ, IHk by (rewrite ?size_set; lia).
    destruct (Nat.ltb_spec m (S i)) as [U|U].
    + destruct (Nat.ltb_spec m i) as [V|V].
      * apply set_other. intros E. apply idx_inj in E; lia.
      * replace m with i by lia. apply set_same. apply ltb_spec. rewrite idx_to_Z; lia.
    + replace (m <? i)%nat with false by (symmetry; apply Nat.ltb_ge; lia). reflexivity.
Qed.

Lemma tabulate_spec k f : fits k = true -> forall m, (m < k)%nat -> (tabulate k f).[idx m] = f (idx m).
Proof.
  unfold fits. rewrite Z.leb_le. intros H m M. unfold tabulate. change 0 with (idx 0) at 1.
  pose proof max_length_small.
  assert (E : length (make (idx k) 0) = idx k).
  { rewrite size_make. replace (idx k <=? max_length) with true; [reflexivity|].
    symmetry. apply leb_spec. rewrite idx_to_Z; lia. }
  rewrite (fill_spec k f 0) by (rewrite ?E, ?idx_to_Z; lia). reflexivity.
Qed.

Lemma tabulate_entry m w f i j : fits (m * w) = true -> (i < m)%nat -> (j < w)%nat ->
  entry (tabulate (m * w) f) w i j = val (f (idx (i * w + j))).
Proof. intros. unfold entry. rewrite tabulate_spec; [reflexivity|assumption|nia]. Qed.

(* A position of a table: its row and its column. *)
Lemma idx_row m w i j : fits (m * w) = true -> (i < m)%nat -> (j < w)%nat -> idx (i * w + j) / idx w = idx i.
Proof.
  unfold fits. rewrite Z.leb_le. intros F I J. pose proof max_length_small.
  apply to_Z_inj. rewrite div_spec, (idx_to_Z (i * w + j)), (idx_to_Z w), (idx_to_Z i) by nia.
  rewrite Nat2Z.inj_add, Nat2Z.inj_mul, Z.div_add_l, Z.div_small; lia.
Qed.

Lemma idx_column m w i j : fits (m * w) = true -> (i < m)%nat -> (j < w)%nat -> idx (i * w + j) mod idx w = idx j.
Proof.
  unfold fits. rewrite Z.leb_le. intros F I J. pose proof max_length_small.
  apply to_Z_inj. rewrite mod_spec, (idx_to_Z (i * w + j)), (idx_to_Z w), (idx_to_Z j) by nia.
  rewrite Nat2Z.inj_add, Nat2Z.inj_mul, Z.add_comm, Z.mod_add, Z.mod_small; lia.
Qed.

(* Decoding: units of 2^-s, towards zero. *)
Definition fixed (s : Z) (x : int) : int :=
  let field := (x / 8388608) mod 256 in
  let fraction := x mod 8388608 in
  let normal := negb (field =? 0) in
  let m := if normal then fraction + 8388608 else fraction in
  let e := if normal then field else 1 in
  let size := (m << 31) >> (of_Z (181 - s) - e) in
  if x <? 2147483648 then size else 0 - size.

Definition decodes (s : Z) (x : int) : bool := (x / 8388608) mod 256 <=? of_Z (181 - s).

Definition decoded (m w : nat) (s : Z) (X : array int) : array int := tabulate (m * w) (fun p => fixed s X.[p]).

Definition decodable (m w : nat) (s : Z) (X : array int) : bool :=
  fits (m * w) && (0 <? s)%Z && (s <=? 150)%Z && every (m * w) (fun p => decodes s X.[p]).

Lemma fixed_near s x : (0 < s <= 150)%Z -> decodes s x = true ->
  (Rabs (value (to_Z x) * IZR (2 ^ s) - IZR (val (fixed s x))) <= 1)%R.
Proof.
  intros S D. unfold decodes in D. apply leb_spec in D. rewrite mod_spec, div_spec, of_Z_spec in D.
  change (to_Z 8388608) with (2 ^ 23)%Z in D. change (to_Z 256) with (2 ^ 8)%Z in D.
  rewrite (Z.mod_small (181 - s)) in D by (change wB with (2 * half)%Z; unfold half; lia).
  pose proof (to_Z_bounded x) as X.
  set (b := to_Z x) in *. fold (exponent_field b) in D.
  assert (F : (0 <= exponent_field b < 2 ^ 8)%Z) by (apply Z.mod_pos_bound; lia).
  assert (G : (0 <= b mod 2 ^ 23 < 2 ^ 23)%Z) by (apply Z.mod_pos_bound; lia).
  assert (M : (0 <= mantissa b < 2 ^ 24)%Z) by (unfold mantissa; destruct (exponent_field b =? 0)%Z; lia).
  assert (E : (1 <= exponent b <= 181 - s)%Z) by (unfold exponent; lia).
  set (q := (2 ^ (181 - s - exponent b))%Z).
  assert (Q : (0 < q)%Z) by (unfold q; apply Z.pow_pos_nonneg; lia).
  assert (T : (0 < 2 ^ 31)%Z) by reflexivity.
  assert (P : (0 <= mantissa b * 2 ^ 31 / q <= mantissa b * 2 ^ 31)%Z).
  { split; [apply Z.div_pos; nia|apply Z.div_le_upper_bound; nia]. }
  assert (V : val (fixed s x) = (sign b * (mantissa b * 2 ^ 31 / q))%Z).
  { unfold fixed. set (field := (x / 8388608) mod 256).
    assert (f : to_Z field = exponent_field b) by (unfold field; now rewrite mod_spec, div_spec).
    set (m := if negb (field =? 0) then x mod 8388608 + 8388608 else x mod 8388608).
    set (e := if negb (field =? 0) then field else 1).
    assert (Z0 : (field =? 0) = (exponent_field b =? 0)%Z).
    { rewrite <- f. destruct (eqb_spec field 0) as [T0 U0]. destruct (Z.eqb_spec (to_Z field) 0) as [V|V].
      - apply U0. now apply to_Z_inj.
      - destruct (field =? 0) eqn:W; [|reflexivity]. exfalso. apply V. now rewrite (T0 eq_refl). }
    assert (m' : to_Z m = mantissa b).
    { unfold m, mantissa. rewrite Z0. destruct (exponent_field b =? 0)%Z; cbn [negb].
      - rewrite mod_spec. change (to_Z 8388608) with (2 ^ 23)%Z. fold b. lia.
      - rewrite add_spec, mod_spec. change (to_Z 8388608) with (2 ^ 23)%Z. fold b. apply Z.mod_small.
        change wB with (2 * half)%Z. unfold half in *. lia. }
    assert (e' : to_Z e = exponent b).
    { unfold e, exponent. rewrite Z0. destruct (Z.eqb_spec (exponent_field b) 0); cbn [negb]; [rewrite e0;
      reflexivity|lia]. }
    assert (size : to_Z ((m << 31) >> (of_Z (181 - s) - e)) = (mantissa b * 2 ^ 31 / q)%Z).
    { rewrite lsr_spec, lsl_spec, sub_spec, of_Z_spec, m', e'. change (to_Z 31) with 31%Z.
      rewrite (Z.mod_small (181 - s)) by (change wB with (2 * half)%Z; unfold half; lia).
      rewrite (Z.mod_small (181 - s - exponent b)) by (change wB with (2 * half)%Z; unfold half; lia).
      rewrite Z.mod_small; [reflexivity|]. change wB with (2 * half)%Z. unfold half in *. lia. }
    cbv zeta. fold m e. rewrite <- (of_to_Z ((m << 31) >> _)), size.
    unfold sign. destruct (Z.ltb_spec b (2 ^ 31)) as [N|N].
    - replace (x <? 2147483648) with true by (symmetry; apply ltb_spec; exact N).
      rewrite val_of_Z; [lia|]. unfold half. lia.
    - replace (x <? 2147483648) with false.
      + change 0 with (of_Z 0). rewrite of_Z_minus, val_of_Z; [lia|]. unfold half. lia.
      + symmetry. destruct (x <? 2147483648) eqn:W; [|reflexivity]. apply ltb_spec in W.
        change (to_Z 2147483648) with (2 ^ 31)%Z in W. fold b in W. lia. }
  rewrite V. unfold value.
  assert (R1 : (IZR (sign b * mantissa b * 2 ^ exponent b) / IZR (2 ^ 150) * IZR (2 ^ s) =
                IZR (sign b) * (IZR (mantissa b * 2 ^ 31) / IZR q))%R).
  { assert (T1 : (2 ^ exponent b * 2 ^ s * q = 2 ^ 31 * 2 ^ 150)%Z).
    { unfold q. rewrite <- !Z.pow_add_r by lia. f_equal. lia. }
    apply (f_equal IZR) in T1. rewrite !mult_IZR in *.
    assert (0 < IZR q)%R by now apply IZR_lt.
    assert (0 < IZR (2 ^ 150))%R by (apply IZR_lt; reflexivity).
    field_simplify; [|lra|lra]. apply Rmult_eq_reg_r with (IZR q * IZR (2 ^ 150))%R; [|nra].
    field_simplify; [|lra|lra].
    replace (IZR (sign b) * IZR (mantissa b) * IZR (2 ^ exponent b) * IZR (2 ^ s) * IZR q)%R with
      (IZR (sign b) * IZR (mantissa b) * (IZR (2 ^ exponent b) * IZR (2 ^ s) * IZR q))%R by ring.
    rewrite T1. ring. }
  rewrite R1, (mult_IZR (sign b)).
  pose proof (Z.div_mod (mantissa b * 2 ^ 31) q ltac:(lia)) as DM.
  pose proof (Z.mod_pos_bound (mantissa b * 2 ^ 31) q Q) as MB.
  set (d := (mantissa b * 2 ^ 31 / q)%Z) in *. set (r := (mantissa b * 2 ^ 31 mod q)%Z) in *.
  rewrite DM, plus_IZR, mult_IZR.
  assert (0 < IZR q)%R by now apply IZR_lt.
  replace (IZR (sign b) * ((IZR q * IZR d + IZR r) / IZR q) - IZR (sign b) * IZR d)%R with
    (IZR (sign b) * (IZR r / IZR q))%R by (field; lra).
  assert (0 <= IZR r / IZR q < 1)%R.
  { assert (0 <= IZR r < IZR q)%R by (split; [apply IZR_le|apply IZR_lt]; lia).
    split; [apply Rmult_le_pos; [lra|left; now apply Rinv_0_lt_compat]|].
    apply Rmult_lt_reg_r with (IZR q); [assumption|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  unfold sign. destruct (b <? 2 ^ 31)%Z; unfold Rabs; destruct Rcase_abs; lra.
Qed.

Lemma decoded_approx m w s X : decodable m w s X = true -> approx m w s 1 (float32 X w) (decoded m w s X).
Proof.
  unfold decodable. rewrite !andb_true_iff, Z.ltb_lt, Z.leb_le. intros [[[F S] S'] D] i j I J.
  unfold decoded. rewrite tabulate_entry by assumption. unfold float32.
  apply fixed_near; [lia|]. apply (every_spec _ _ D (i * w + j)). nia.
Qed.
