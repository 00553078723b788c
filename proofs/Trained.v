(* From the printed tables to real networks, and the trained one among them.

   Tables are printed in units of 2^-k; the ball around them has a radius of r units. `ball_ahead` says that all of it adds,
   with a lead, and two programs can prove it. `close` compares a table that was computed from parameters with the printed one. *)

From Coq Require Import Reals ZArith Lia Lra Bool Uint63 PArray.
From Coq Require Sint63.
From Modadd Require Import Network Ball Machine Answers Parameters Products Flips.
Open Scope uint63_scope.

(* The printed tables as they are checked: their sizes, the sizes of their entries, and what the ball takes off a lead. *)
Definition limits_of (n h : nat) (P : printed) : limits :=
  Limits (Z.max (peak (n * h) (PA P)) (peak (n * h) (PB P))) (peak (h * n) (PW P))
         (Z.max (peak (n * n) (PC P)) (peak (n * n) (PD P))).

(* What a lead must exceed, in units of 2^-2k. *)
Definition lead_of (n h : nat) (k r : Z) (P : printed) : Z :=
  let L := limits_of n h P in 2 * allowance h (2 ^ k) r (inner L) (outer L).

(* Every network of the ball adds, with a lead of more than `extra` units of 2^-2k. *)
Definition ball_ahead (n h : nat) (k r extra : Z) (P : printed) : Prop :=
  forall N, near n h (2 ^ k) r N (tables_of n h P) -> ahead n (IZR extra / (IZR (2 ^ k) * IZR (2 ^ k))) (logit h N).

(* Two programs that prove it: one tries every input, one walks from flip to flip. *)
Definition right_by_trying (n h : nat) (k r extra : Z) (P : printed) : bool :=
  (0 <=? k)%Z && (0 <=? r)%Z && (0 <=? extra)%Z &&
  answers_right_by_trying n h P (2 ^ k) (lead_of n h k r P + extra) (limits_of n h P).

Definition right_by_flips (n h : nat) (k r extra : Z) (P : printed) (G : walking) : bool :=
  (0 <=? k)%Z && (0 <=? r)%Z && (0 <=? extra)%Z &&
  answers_right_by_flips n h P G (2 ^ k) (lead_of n h k r P + extra) (limits_of n h P).

Lemma leads_ball n h k r extra P : (0 <= k)%Z -> (0 <= r)%Z -> sizes_right n h (2 ^ k) (limits_of n h P) P = true ->
  leads n h (2 ^ k) (lead_of n h k r P + extra) (tables_of n h P) -> ball_ahead n h k r extra P.
Proof.
  intros K R S lead N close. apply sizes_bounded in S.
  eapply near_network_ahead; eauto. apply Z.pow_pos_nonneg; lia.
Qed.

Theorem right_by_trying_spec n h k r extra P :
  right_by_trying n h k r extra P = true -> (0 <= extra)%Z /\ ball_ahead n h k r extra P.
Proof.
  unfold right_by_trying. rewrite !andb_true_iff, !Z.leb_le. intros [[[K R] E] H]. split; [assumption|].
  apply leads_ball; auto; [|now apply (answers_right_by_trying_spec n h P (2 ^ k) _ (limits_of n h P))].
  unfold answers_right_by_trying in H. rewrite !andb_true_iff in H. tauto.
Qed.

Theorem right_by_flips_spec n h k r extra P G :
  right_by_flips n h k r extra P G = true -> (0 <= extra)%Z /\ ball_ahead n h k r extra P.
Proof.
  unfold right_by_flips. rewrite !andb_true_iff, !Z.leb_le. intros [[[K R] E] H]. split; [assumption|].
  apply leads_ball; auto; [|now apply (answers_right_by_flips_spec n h P G (2 ^ k) _ (limits_of n h P))].
  unfold answers_right_by_flips in H. rewrite !andb_true_iff in H. tauto.
Qed.

(* A network that is ahead adds. *)
Lemma units_ahead_add n p extra logits : (0 <= extra)%Z -> (0 < p)%Z ->
  ahead n (IZR extra / (IZR p * IZR p)) logits -> adds n logits.
Proof.
  intros E P. apply ahead_adds. apply IZR_le in E. apply IZR_lt in P.
  apply Rmult_le_pos; [assumption|]. left. apply Rinv_0_lt_compat. nra.
Qed.

Theorem ball_adds n h k r extra P : (0 <= k)%Z -> (0 <= extra)%Z /\ ball_ahead n h k r extra P ->
  forall N, near n h (2 ^ k) r N (tables_of n h P) -> adds n (logit h N).
Proof.
  intros K [E H] N close. apply (units_ahead_add n (2 ^ k) extra); [assumption|apply Z.pow_pos_nonneg; lia|now apply H].
Qed.

(* A printed table lies within r units of the real one. *)
Definition close (m w : nat) (k r : Z) (at_ : int -> int) (count : nat) (T : held) (X : array int) : bool :=
  let q := (2 ^ (scale T - k))%Z in
  let factor := of_Z q in
  let x := peak (m * w) X in
  let y := peak count (digits T) in
  let most := (r * q - error T)%Z in
  let low := of_Z (- most) in
  let high := of_Z most in
  valid T && (0 <=? k)%Z && (k <=? scale T)%Z && within (m * w) x X && within count y (digits T) &&
    (x * q + y <? half)%Z &&
  (0 <=? most)%Z && (most <? half)%Z &&
  every (m * w) (fun p => let d := (digits T).[at_ p] - X.[p] * factor in Sint63.leb low d && Sint63.leb d high).

Definition same (p : int) : int := p.

Lemma close_spec m w k r at_ count T X i j l x :
  close m w k r at_ count T X = true -> (i < m)%nat -> (j < w)%nat -> at_ (idx (i * w + j)) = idx l ->
    (l < count)%nat ->
  (Rabs (x * IZR (2 ^ scale T) - IZR (val (digits T).[idx l])) <= IZR (error T))%R ->
  (Rabs (x * IZR (2 ^ k) - IZR (entry X w i j)) <= IZR r)%R.
Proof.
  unfold close. rewrite !andb_true_iff, !Z.leb_le, !Z.ltb_lt. intros [[[[[[[[V K] S] WX] WT] H] M] M'] E] I J A L N.
  set (q := (2 ^ (scale T - k))%Z) in *. set (px := peak (m * w) X) in *. set (py := peak count (digits T)) in *.
  pose proof (every_spec _ _ E (i * w + j)%nat ltac:(nia)) as G. cbv beta zeta in G. clear E.
  pose proof (within_at _ _ _ _ i j WX I J) as BX. pose proof (within_spec _ _ _ WT l L) as BT.
  rewrite A in G. unfold entry. set (d := val (digits T).[idx l]) in *. set (e := val X.[idx (i * w + j)]) in *.
  assert (Q : (0 < q)%Z) by (apply Z.pow_pos_nonneg; lia).
  assert (D : val ((digits T).[idx l] - X.[idx (i * w + j)] * of_Z q) = (d - e * q)%Z).
  { rewrite <- (of_Z_val (digits T).[idx l]), <- (of_Z_val X.[idx (i * w + j)]), of_Z_times, of_Z_minus.
    apply val_of_Z. assert (Z.abs (e * q) <= px * q)%Z by (rewrite Z.abs_mul, (Z.abs_eq q); nia). unfold d, e in *.
      lia. }
  rewrite andb_true_iff, !at_most_val, !Z.leb_le, D, !val_of_Z in G by lia.
  assert (B : (Z.abs (d - e * q) <= r * q - error T)%Z) by lia.
  apply IZR_le in B. apply IZR_lt in Q. rewrite abs_IZR, !minus_IZR, !mult_IZR in B.
  replace (IZR (2 ^ scale T)) with (IZR (2 ^ k) * IZR q)%R in N
    by (unfold q; rewrite <- mult_IZR, <- Z.pow_add_r by lia; do 2 f_equal; lia).
  apply Rmult_le_reg_r with (IZR q); [assumption|].
  rewrite <- (Rabs_pos_eq (IZR q)) at 1 by lra. rewrite <- Rabs_mult.
  replace ((x * IZR (2 ^ k) - IZR e) * IZR q)%R with ((x * (IZR (2 ^ k) * IZR q) - IZR d)
    + (IZR d - IZR e * IZR q))%R by ring.
  eapply Rle_trans; [apply Rabs_triang|]. lra.
Qed.

(* The whole table, a row that stands for all rows, and a table that a network lacks. *)
Definition close_table (m w : nat) (k r : Z) (T : held) (X : array int) : bool :=
  Nat.eqb (rows T) m && Nat.eqb (width T) w && close m w k r same (m * w) T X.

Definition close_row (m w : nat) (k r : Z) (T : held) (X : array int) : bool :=
  let wide := idx w in
  Nat.ltb 0 (rows T) && Nat.eqb (width T) w && fits (m * w) && close m w k r (fun p => p mod wide) w T X.

Definition table_near (m w : nat) (k r : Z) (Y : nat -> nat -> R) (X : array int) : Prop :=
  forall i j, (i < m)%nat -> (j < w)%nat -> (Rabs (Y i j * IZR (2 ^ k) - IZR (entry X w i j)) <= IZR r)%R.

Lemma close_valid m w k r at_ count T X : close m w k r at_ count T X = true -> valid T = true.
Proof. unfold close. rewrite !andb_true_iff. tauto. Qed.

Lemma close_table_spec m w k r T X Y : holds T Y -> close_table m w k r T X = true -> table_near m w k r Y X.
Proof.
  unfold close_table. rewrite !andb_true_iff, !Nat.eqb_eq. intros H [[M W] E] i j I J.
  apply (close_spec m w k r same (m * w) T X i j (i * w + j)); [assumption|assumption|assumption|reflexivity|nia|].
  pose proof (H (close_valid _ _ _ _ _ _ _ _ E) i j ltac:(lia) ltac:(lia)) as A. rewrite W in A. exact A.
Qed.

Lemma close_row_spec m w k r T X Y : holds T Y -> close_row m w k r T X = true ->
  table_near m w k r (fun _ j => Y O j) X.
Proof.
  unfold close_row. rewrite !andb_true_iff, Nat.eqb_eq, Nat.ltb_lt. intros H [[[M W] F] E] i j I J.
  apply (close_spec m w k r (fun p => p mod idx w) w T X i j j); [assumption|assumption|assumption| |assumption|].
  - now apply (idx_column m).
  - pose proof (H (close_valid _ _ _ _ _ _ _ _ E) 0%nat j ltac:(lia) ltac:(lia)) as A. rewrite W in A. exact A.
Qed.

Lemma close_nothing m w k r X : within (m * w) r X = true -> table_near m w k r (fun _ _ => 0%R) X.
Proof.
  intros H i j I J. rewrite Rmult_0_l, Rminus_0_l, Rabs_Ropp, <- abs_IZR. apply IZR_le. now apply (within_entry m).
Qed.
