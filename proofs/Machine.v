(* What the machine computes with: 63-bit integers, arrays of them, and loops.

   Arithmetic of primitive integers drops what passes 2^63. `of_Z` does the same to true integers, so it carries sums and
   products over as they are, whatever their size. Only where a number is read back must it be known to be small. *)

From Coq Require Import ZArith Lia Bool Uint63 PArray.
From Coq Require Sint63.
Open Scope uint63_scope.

Notation of_Z := Uint63.of_Z.
Notation val := Sint63.to_Z. (* with sign: from -2^62 to 2^62 - 1 *)
Definition idx (m : nat) : int := of_Z (Z.of_nat m).

(* Row r and column c of a table that is written row by row, w to the row. *)
Definition entry (X : array int) (w r c : nat) : Z := val X.[idx (r * w + c)].

Definition half : Z := Eval vm_compute in (2 ^ 62)%Z.

(* Sums and products. *)

Lemma of_Z_plus x y : of_Z x + of_Z y = of_Z (x + y).
Proof. apply to_Z_inj. rewrite add_spec, !of_Z_spec. symmetry. apply Zplus_mod. Qed.

Lemma of_Z_times x y : of_Z x * of_Z y = of_Z (x * y).
Proof. apply to_Z_inj. rewrite mul_spec, !of_Z_spec. symmetry. apply Zmult_mod. Qed.

Lemma of_Z_minus x y : of_Z x - of_Z y = of_Z (x - y).
Proof. apply to_Z_inj. rewrite sub_spec, !of_Z_spec. symmetry. apply Zminus_mod. Qed.

Lemma plus_comm x y : x + y = y + x.
Proof. apply to_Z_inj. now rewrite !add_spec, Z.add_comm. Qed.

Lemma of_Z_val x : of_Z (val x) = x.
Proof. apply Sint63.of_to_Z. Qed.

Lemma val_of_Z z : (- half <= z < half)%Z -> val (of_Z z) = z.
Proof. intros H. rewrite Sint63.of_Z_spec. apply Sint63.cmod_small. change (wB / 2)%Z with half. lia. Qed.

(* Positions. *)

Lemma idx_plus m k : idx m + idx k = idx (m + k).
Proof. unfold idx. rewrite of_Z_plus. f_equal. lia. Qed.

Lemma idx_times m k : idx m * idx k = idx (m * k).
Proof. unfold idx. rewrite of_Z_times. f_equal. lia. Qed.

Lemma idx_succ m : idx m + 1 = idx (S m).
Proof. change 1 with (idx 1). rewrite idx_plus. f_equal. lia. Qed.

Lemma idx_at r w c : idx r * idx w + idx c = idx (r * w + c).
Proof. now rewrite idx_times, idx_plus. Qed.

Lemma idx_val m : (Z.of_nat m < half)%Z -> val (idx m) = Z.of_nat m.
Proof. intros H. apply val_of_Z. unfold half in *. lia. Qed.

Lemma idx_inj m k : (Z.of_nat m < half)%Z -> (Z.of_nat k < half)%Z -> idx m = idx k -> m = k.
Proof. intros M K E. apply (f_equal val) in E. rewrite !idx_val in E by assumption. lia. Qed.

(* Comparisons. *)

Lemma less_val x y : Sint63.ltb x y = (val x <? val y)%Z.
Proof. destruct (Sint63.ltbP x y); symmetry; [apply Z.ltb_lt|apply Z.ltb_ge]; lia. Qed.

Lemma at_most_val x y : Sint63.leb x y = (val x <=? val y)%Z.
Proof. destruct (Sint63.lebP x y); symmetry; [apply Z.leb_le|apply Z.leb_gt]; lia. Qed.

(* A test of the positions from i on, k of them. *)
Fixpoint every_from (k : nat) (test : int -> bool) (i : int) : bool :=
  match k with O => true | S l => if test i then every_from l test (i + 1) else false end.
Definition every (k : nat) (test : int -> bool) : bool := every_from k test 0.

Lemma every_from_spec k test : forall i, every_from k test (idx i) = true -> forall m, (m < k)%nat ->
  test (idx (i + m)) = true.
Proof.
  induction k; intros i H m M; [lia|]. simpl in H. destruct (test (idx i)) eqn:E; [|discriminate].
  rewrite idx_succ in H. destruct m; [now rewrite Nat.add_0_r|].
  replace (i + S m)%nat with (S i + m)%nat by lia. apply IHk; [assumption|lia].
Qed.

Lemma every_spec k test : every k test = true -> forall m, (m < k)%nat -> test (idx m) = true.
Proof. exact (every_from_spec k test 0). Qed.

(* No entry of a table exceeds a limit. *)
Definition within (count : nat) (limit : Z) (X : array int) : bool :=
  let low := of_Z (- limit) in
  let high := of_Z limit in
  ((0 <=? limit) && (limit <? half))%Z && every count (fun i => Sint63.leb low X.[i] && Sint63.leb X.[i] high).

Lemma within_spec count limit X : within count limit X = true -> forall m, (m < count)%nat ->
  (Z.abs (val X.[idx m]) <= limit)%Z.
Proof.
  unfold within. intros H m M. rewrite !andb_true_iff in H. destruct H as [[H1 H2] H].
  apply Z.leb_le in H1. apply Z.ltb_lt in H2. apply (every_spec _ _ H) in M. cbv beta in M.
  rewrite andb_true_iff, !at_most_val, !Z.leb_le, !val_of_Z in M by lia. lia.
Qed.

Lemma within_at r w limit X i j : within (r * w) limit X = true -> (i < r)%nat -> (j < w)%nat ->
  (Z.abs (val X.[idx (i * w + j)]) <= limit)%Z.
Proof. intros H I J. apply (within_spec _ _ _ H). nia. Qed.

Lemma within_entry r w limit X : within (r * w) limit X = true ->
  forall i j, (i < r)%nat -> (j < w)%nat -> (Z.abs (entry X w i j) <= limit)%Z.
Proof. intros H i j. now apply within_at. Qed.
