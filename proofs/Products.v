(* Sums and products of tables in fixed point: the way from parameters to tables, with its rounding errors.

   `held` is a table of integers with its sizes, its scale, a bound on its error, and whether all checks on the way have
   passed. `holds` says what it is worth: if they have, it approximates the table of real numbers it stands for. *)

From Coq Require Import Reals ZArith Lia Lra Bool Uint63 PArray.
From Coq Require Sint63.
From Modadd Require Import Network Ball Machine Answers Parameters.
Open Scope uint63_scope.

Record held := Held { rows : nat; width : nat; scale : Z; error : Z; digits : array int; valid : bool }.

Definition holds (T : held) (X : nat -> nat -> R) : Prop :=
  valid T = true -> approx (rows T) (width T) (scale T) (error T) X (digits T).

(* Parameters, rounded towards zero. *)
Definition decode (m w : nat) (s : Z) (bits : array int) : held :=
  Held m w s 1 (decoded m w s bits) (decodable m w s bits).

Lemma decode_holds m w s bits : holds (decode m w s bits) (float32 bits w).
Proof. intros V. now apply decoded_approx. Qed.

(* Half of a table is the same integers in half the unit. *)
Definition halved (T : held) : held :=
  Held (rows T) (width T) (scale T + 1) (error T) (digits T) (valid T && (0 <=? scale T)%Z).

Lemma halved_holds T X : holds T X -> holds (halved T) (fun i j => X i j / 2)%R.
Proof.
  unfold holds, halved, approx. simpl. rewrite andb_true_iff, Z.leb_le. intros H [V S] i j I J.
  rewrite Z.pow_add_r, mult_IZR by lia. change (IZR (2 ^ 1)) with 2%R.
  replace (X i j / 2 * (IZR (2 ^ scale T) * 2))%R with (X i j * IZR (2 ^ scale T))%R by field. auto.
Qed.

(* The largest entry: looked up, then checked, so that nothing need be proven of the search. *)
Fixpoint largest_from (k : nat) (f : int -> int) (i found : int) : int :=
  match k with
  | O => found
  | S l => let x := f i in largest_from l f (i + 1) (if Sint63.ltb found x then x else found)
  end.
Definition largest (k : nat) (f : int -> int) : Z := val (largest_from k f 0 0).
Definition peak (k : nat) (X : array int) : Z := largest k (fun p => Sint63.abs X.[p]).

(* A table plus another one, finer by 2^up; `at` says which entry of that goes where. *)
Definition plus_at (m w : nat) (up : Z) (at_ : int -> int) (X Y : array int) : array int :=
  let factor := of_Z (2 ^ up) in tabulate (m * w) (fun p => X.[p] * factor + Y.[at_ p]).

Definition added (T U : held) : held :=
  let up := (scale U - scale T)%Z in
  let count := (rows T * width T)%nat in
  let x := peak count (digits T) in
  let y := peak count (digits U) in
  Held (rows T) (width T) (scale U) (error T * 2 ^ up + error U) (plus_at (rows T) (width T) up (fun p => p)
    (digits T) (digits U))
    (valid T && valid U && Nat.eqb (rows U) (rows T) && Nat.eqb (width U) (width T) && (0 <=? up)%Z &&
      (0 <=? scale T)%Z &&
     fits count && within count x (digits T) && within count y (digits U) && (x * 2 ^ up + y <? half)%Z).

(* The same row is added to every row. *)
Definition added_row (T U : held) : held :=
  let up := (scale U - scale T)%Z in
  let count := (rows T * width T)%nat in
  let w := idx (width T) in
  let x := peak count (digits T) in
  let y := peak (width T) (digits U) in
  Held (rows T) (width T) (scale U) (error T * 2 ^ up + error U) (plus_at (rows T) (width T) up (fun p => p mod w)
    (digits T) (digits U))
    (valid T && valid U && Nat.ltb 0 (rows U) && Nat.eqb (width U) (width T) && (0 <=? up)%Z && (0 <=? scale T)%Z &&
     fits count && within count x (digits T) && within (width T) y (digits U) && (x * 2 ^ up + y <? half)%Z).

Lemma plus_near x y s up x' y' e f : (0 <= s)%Z -> (0 <= up)%Z ->
  (Rabs (x * IZR (2 ^ s) - IZR x') <= IZR e)%R -> (Rabs (y * IZR (2 ^ (s + up)) - IZR y') <= IZR f)%R ->
  (Rabs ((x + y) * IZR (2 ^ (s + up)) - IZR (x' * 2 ^ up + y')) <= IZR (e * 2 ^ up + f))%R.
Proof.
  intros S U E F. rewrite !plus_IZR, !mult_IZR. rewrite Z.pow_add_r, mult_IZR in * by assumption.
  assert (P : (0 < IZR (2 ^ up))%R) by (apply IZR_lt, Z.pow_pos_nonneg; lia).
  set (p := IZR (2 ^ up)) in *. set (q := IZR (2 ^ s)) in *.
  replace ((x + y) * (q * p) - (IZR x' * p + IZR y'))%R with ((x * q - IZR x') * p + (y * (q * p) - IZR y'))%R by ring.
  eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_mult, (Rabs_pos_eq p) by lra.
  apply Rplus_le_compat; [|assumption]. apply Rmult_le_compat_r; lra.
Qed.

Lemma plus_digits x y up a b : (Z.abs (val x) <= a)%Z -> (Z.abs (val y) <= b)%Z -> (0 <= up)%Z ->
  (a * 2 ^ up + b < half)%Z ->
  val (x * of_Z (2 ^ up) + y) = (val x * 2 ^ up + val y)%Z.
Proof.
  intros X Y U H. rewrite <- (of_Z_val x) at 1. rewrite <- (of_Z_val y) at 1. rewrite of_Z_times, of_Z_plus.
  assert (0 < 2 ^ up)%Z by (apply Z.pow_pos_nonneg; lia).
  assert (Z.abs (val x * 2 ^ up) <= a * 2 ^ up)%Z by (rewrite Z.abs_mul, (Z.abs_eq (2 ^ up)); nia).
  apply val_of_Z. lia.
Qed.

Lemma added_holds T U X Y : holds T X -> holds U Y -> holds (added T U) (fun i j => X i j + Y i j)%R.
Proof.
  unfold holds, added. simpl. rewrite !andb_true_iff, !Nat.eqb_eq, !Z.leb_le, Z.ltb_lt.
  intros HT HU [[[[[[[[[VT VU] R] W] P] S] F] WT] WU] H] i j I J.
  set (up := (scale U - scale T)%Z) in *. specialize (HT VT i j I J). specialize (HU VU i j ltac:(lia) ltac:(lia)).
  unfold plus_at. rewrite tabulate_entry by assumption. rewrite W in HU. unfold entry in *.
  rewrite (plus_digits _ _ _ _ _ (within_at _ _ _ _ i j WT I J) (within_at _ _ _ _ i j WU I J) P H).
  replace (scale U) with (scale T + up)%Z in * by (unfold up; lia). now apply plus_near.
Qed.

Lemma added_row_holds T U X Y : holds T X -> holds U Y -> holds (added_row T U) (fun i j => X i j + Y O j)%R.
Proof.
  unfold holds, added_row. simpl. rewrite !andb_true_iff, !Nat.eqb_eq, !Z.leb_le, Z.ltb_lt, Nat.ltb_lt.
  intros HT HU [[[[[[[[[VT VU] R] W] P] S] F] WT] WU] H] i j I J.
  set (up := (scale U - scale T)%Z) in *. specialize (HT VT i j I J). specialize (HU VU 0%nat j R ltac:(lia)).
  unfold plus_at. rewrite tabulate_entry by assumption. unfold entry in *. rewrite (idx_column (rows T)) by assumption.
  rewrite (plus_digits _ _ _ _ _ (within_at _ _ _ _ i j WT I J) (within_spec _ _ _ WU j J) P H).
  replace (scale U) with (scale T + up)%Z in * by (unfold up; lia). now apply plus_near.
Qed.

(* Products. The sum of moduli along a row of the first factor or a column of the second carries the other's error. *)
Fixpoint dot (k : nat) (X Y : array int) (p q step sum : int) : int :=
  match k with O => sum | S l => dot l X Y (p + 1) (q + step) step (sum + X.[p] * Y.[q]) end.

Fixpoint moduli (k : nat) (X : array int) (p step sum : int) : int :=
  match k with
  | O => sum
  | S l => let x := X.[p] in moduli l X (p + step) step (if Sint63.ltb x 0 then sum - x else sum + x)
  end.

(* The largest of these sums over some lines: rows of w entries (jump w, step 1) or columns (jump 1, step w). *)
Definition longest (lines k : nat) (X : array int) (jump step : int)
  : Z := largest lines (fun i => moduli k X (i * jump) step 0).

Definition lines_within (lines k : nat) (limit peak_ : Z) (X : array int) (jump step : int) : bool :=
  let most := of_Z limit in
  ((0 <=? limit) && (limit <? half) && (Z.of_nat k * peak_ <? half))%Z &&
  every lines (fun i => Sint63.leb (moduli k X (i * jump) step 0) most).

Definition product (s : Z) (T U : held) : held :=
  let drop := (scale T + scale U - s)%Z in
  let k := width T in
  let w := width U in
  let long := idx k in
  let wide := idx w in
  let shift := of_Z drop in
  let x := peak (rows T * k) (digits T) in
  let y := peak (k * w) (digits U) in
  let along := longest (rows T) k (digits T) long 1 in
  let down := longest w k (digits U) 1 wide in
  Held (rows T) w s ((error T * down + error U * along + Z.of_nat k * (error T * error U)) / 2 ^ drop + 2)
    (tabulate (rows T * w) (fun p => Sint63.asr (dot k (digits T) (digits U) (p / wide * long) (p mod wide) wide 0)
      shift))
    (valid T && valid U && Nat.eqb (rows U) k && (0 <=? scale T)%Z && (0 <=? scale U)%Z && (0 <=? s)%Z &&
      (0 <=? drop)%Z && (drop <? 63)%Z &&
     (0 <=? error T)%Z && (0 <=? error U)%Z &&
     fits (rows T * w) && within (rows T * k) x (digits T) && within (k * w) y (digits U) &&
     lines_within (rows T) k along x (digits T) long 1 && lines_within w k down y (digits U) 1 wide &&
       (along * y <? half)%Z).

Lemma dot_spec X Y v : forall k p q start,
  dot k X Y (idx p) (idx q) (idx v) (of_Z start) =
  of_Z (start + zsum (fun m => val X.[idx (p + m)] * val Y.[idx (q + m * v)]) k)%Z.
Proof.
  induction k; intros; [simpl; f_equal; lia|]. rewrite zsum_plus_one. cbn [dot].
  rewrite idx_succ, idx_plus. rewrite <- (of_Z_val X.[idx p]), <- (of_Z_val Y.[idx q]), of_Z_times, of_Z_plus, IHk.
  f_equal. simpl (0 * v)%nat. rewrite !Nat.add_0_r.
  match goal with |- (_ + zsum ?f k = _ + (_ + zsum ?g k))%Z => assert (E : zsum f k = zsum g k);
    [apply zsum_ext|lia] end.
  intros m _. replace (q + S m * v)%nat with (q + v + m * v)%nat by lia. now rewrite Nat.add_succ_r.
Qed.

Lemma moduli_spec X v : forall k p start,
  moduli k X (idx p) (idx v) (of_Z start) = of_Z (start + zsum (fun m => Z.abs (val X.[idx (p + m * v)])) k)%Z.
Proof.
  induction k; intros; [simpl; f_equal; lia|]. rewrite zsum_plus_one. cbn [moduli]. rewrite idx_plus.
  assert (E : zsum (fun m => Z.abs (val X.[idx (p + S m * v)]))
    k = zsum (fun m => Z.abs (val X.[idx (p + v + m * v)])) k).
  { apply zsum_ext. intros m _. now replace (p + S m * v)%nat with (p + v + m * v)%nat by lia. }
  simpl (0 * v)%nat. rewrite Nat.add_0_r, less_val. change (val 0) with 0%Z.
  destruct (Z.ltb_spec (val X.[idx p]) 0); rewrite <- (of_Z_val X.[idx p]) at 1.
  - rewrite of_Z_minus, IHk. f_equal. lia.
  - rewrite of_Z_plus, IHk. f_equal. lia.
Qed.

Lemma lines_within_spec lines k limit M X jump step :
  lines_within lines k limit M X (idx jump) (idx step) = true -> forall i, (i < lines)%nat ->
  (forall m, (m < k)%nat -> (Z.abs (val X.[idx (i * jump + m * step)]) <= M)%Z) ->
  (zsum (fun m => Z.abs (val X.[idx (i * jump + m * step)])) k <= limit)%Z.
Proof.
  unfold lines_within. rewrite !andb_true_iff, Z.leb_le, !Z.ltb_lt. intros [[[L L'] K] E] i I B.
  apply (every_spec _ _ E) in I. cbv beta in I. rewrite idx_times in I. change 0 with (of_Z 0) in I.
  rewrite moduli_spec, at_most_val in I. 
  pose proof (zsum_limit (fun m => Z.abs (val X.[idx (i * jump + m * step)])) M k ltac:(intros; cbv beta;
    rewrite Z.abs_involutive; auto)).
  rewrite !val_of_Z, Z.leb_le in I by lia. lia.
Qed.

Lemma zsum_products_limit f g along y k : (forall m, (m < k)%nat -> Z.abs (g m) <= y)%Z -> (0 <= y)%Z ->
  (zsum (fun m => Z.abs (f m)) k <= along)%Z -> (Z.abs (zsum (fun m => f m * g m) k) <= along * y)%Z.
Proof.
  intros G Y. revert along. induction k; intros along A; simpl in *; [nia|].
  specialize (IHk (fun m p => G m (Nat.lt_lt_succ_r _ _ p)) (zsum (fun m => Z.abs (f m)) k) ltac:(lia)).
  specialize (G k ltac:(lia)). assert (Z.abs (f k * g k) <= Z.abs (f k) * y)%Z by (rewrite Z.abs_mul; nia). nia.
Qed.

Lemma dot_near X Y p q e f k : (0 <= e)%Z -> (0 <= f)%Z -> 
  (forall m, (m < k)%nat -> Rabs (X m - IZR (p m)) <= IZR e)%R -> (forall m, (m < k)%nat ->
    Rabs (Y m - IZR (q m)) <= IZR f)%R ->
  (Rabs (sum (fun m => X m * Y m) k - IZR (zsum (fun m => p m * q m)%Z k)) <=
   IZR (e * zsum (fun m => Z.abs (q m)) k + f * zsum (fun m => Z.abs (p m)) k + Z.of_nat k * (e * f)))%R.
Proof.
  intros E F EX FY. rewrite !plus_IZR, !mult_IZR, !zsum_real, <- INR_IZR_INZ, <- sum_const, <- !sum_scale, <- !sum_plus.
  apply sum_near. intros m M. rewrite mult_IZR, !abs_IZR. now apply product_near; [apply EX|apply FY].
Qed.

Lemma product_holds s T U X Y : holds T X -> holds U Y ->
  holds (product s T U) (fun i j => sum (fun m => X i m * Y m j)%R (width T)).
Proof.
  unfold holds, product. simpl. rewrite !andb_true_iff, !Nat.eqb_eq, !Z.leb_le, !Z.ltb_lt.
  intros HT HU [[[[[[[[[[[[[[[VT VU] R] ST] SU] S] D] D'] ET] EU] F] WT] WU] LT] LU] H] i j I J.
  set (drop := (scale T + scale U - s)%Z) in *. set (k := width T) in *. set (w := width U) in *.
  set (y := peak (k * w) (digits U)) in *. set (along := longest _ _ (digits T) _ _) in *.
    set (down := longest _ _ (digits U) _ _) in *.
  rewrite tabulate_entry, (idx_row (rows T)), (idx_column (rows T)), idx_times by assumption.
  rewrite Sint63.asr_spec. change (Sint63.to_Z (of_Z drop)) with (val (of_Z drop)).
    rewrite (val_of_Z drop) by (unfold half; lia).
  change 0 with (of_Z 0). rewrite dot_spec, Z.add_0_l.
  set (p := fun m => val (digits T).[idx (i * k + m)]). set (q := fun m => val (digits U).[idx (j + m * w)]).
  assert (Q : forall m, (m < k)%nat -> q m = entry (digits U) w m j) by (intros m _; unfold q, entry;
    now rewrite Nat.add_comm).
  assert (B : forall m, (m < k)%nat -> (Z.abs (q m) <= y)%Z) by (intros; apply (within_spec _ _ _ WU); nia).
  assert (A : (zsum (fun m => Z.abs (p m)) k <= along)%Z).
  { change 1 with (idx 1) in LT. pose proof (lines_within_spec _ _ _ _ _ _ _ LT i I) as G.
    rewrite (zsum_ext _ (fun m => Z.abs (val (digits T).[idx (i * k + m * 1)]))) by (intros m _; unfold p;
      now rewrite Nat.mul_1_r).
    apply G. intros m M. apply (within_spec _ _ _ WT). nia. }
  assert (C : (zsum (fun m => Z.abs (q m)) k <= down)%Z).
  { change 1 with (idx 1) in LU. pose proof (lines_within_spec _ _ _ _ _ _ _ LU j J) as G.
    rewrite (zsum_ext _ (fun m => Z.abs (val (digits U).[idx (j * 1 + m * w)]))) by (intros m _; unfold q;
      now rewrite Nat.mul_1_r).
    apply G. intros m M. apply (within_spec _ _ _ WU). nia. }
  assert (Y0 : (0 <= y)%Z) by (unfold within in WU; rewrite !andb_true_iff, Z.leb_le in WU; tauto).
  assert (G : (Z.abs (zsum (fun m => p m * q m)%Z k) <= along * y)%Z) by now apply zsum_products_limit.
  fold (p 0%nat). change (zsum (fun m => val (digits T).[idx (i * k + m)] * val (digits U).[idx (j + m * w)])%Z k)
    with (zsum (fun m => p m * q m)%Z k).
  rewrite val_of_Z by lia. set (d := zsum (fun m => p m * q m)%Z k) in *.
  pose proof (dot_near (fun m => X i m * IZR (2 ^ scale T))%R (fun m => Y m j * IZR (2 ^ scale U))%R p q (error T)
    (error U) k ET EU) as N.
  specialize (N (fun m M => HT VT i m I M)).
  assert (N' : forall m, (m < k)%nat -> (Rabs (Y m j * IZR (2 ^ scale U) - IZR (q m)) <= IZR (error U))%R)
    by (intros; rewrite Q by assumption; apply (HU VU); [lia|assumption]).
  specialize (N N'). fold d in N.
  set (E := (error T * zsum (fun m => Z.abs (q m)) k + error U * zsum (fun m => Z.abs (p m))
    k + Z.of_nat k * (error T * error U))%Z) in *.
  assert (EE : (E <= error T * down + error U * along + Z.of_nat k * (error T * error U))%Z) by (unfold E; nia).
  set (E' := (error T * down + error U * along + Z.of_nat k * (error T * error U))%Z) in *.
  assert (P : (0 < 2 ^ drop)%Z) by (apply Z.pow_pos_nonneg; lia).
  rewrite (sum_ext _ (fun m => X i m * Y m j * (IZR (2 ^ scale T) * IZR (2 ^ scale U)))%R) in N by (intros; ring).
  rewrite sum_scale_r in N. set (x := sum (fun m => X i m * Y m j)%R k) in *.
  replace (IZR (2 ^ scale T) * IZR (2 ^ scale U))%R with (IZR (2 ^ s) * IZR (2 ^ drop))%R in N
    by (rewrite <- !mult_IZR, <- !Z.pow_add_r by assumption; do 2 f_equal; unfold drop; lia).
  pose proof (Z.div_mod d (2 ^ drop) ltac:(lia)) as DM. pose proof (Z.mod_pos_bound d (2 ^ drop) P) as MB.
  pose proof (Z.div_mod E' (2 ^ drop) ltac:(lia)) as DE. pose proof (Z.mod_pos_bound E' (2 ^ drop) P) as ME.
  apply IZR_le in EE. set (u := (d / 2 ^ drop)%Z) in *. set (v := (E' / 2 ^ drop)%Z) in *.
  set (r := (d mod 2 ^ drop)%Z) in *. set (t := (E' mod 2 ^ drop)%Z) in *.
  rewrite DE in EE. rewrite DM in N. rewrite !plus_IZR, !mult_IZR in *.
  destruct MB as [M1 M2]. destruct ME as [_ M4]. apply IZR_lt in P, M2, M4. apply IZR_le in M1.
  set (Q2 := IZR (2 ^ drop)) in *.
  assert (K : (Rabs (x * IZR (2 ^ s) - IZR u) * Q2 <= (IZR v + 2) * Q2)%R).
  { rewrite <- (Rabs_pos_eq Q2) at 1 by lra. rewrite <- Rabs_mult.
    replace ((x * IZR (2 ^ s) - IZR u) * Q2)%R with ((x * (IZR (2 ^ s) * Q2) - (Q2 * IZR u + IZR r)) + IZR r)%R by ring.
    eapply Rle_trans; [apply Rabs_triang|]. rewrite (Rabs_pos_eq (IZR r)) by assumption. lra. }
  apply Rmult_le_reg_r in K; [|assumption]. exact K.
Qed.
