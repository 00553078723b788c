(* The three architectures as they are published, on float32 parameters, and their tables.

   Each has its forward pass, its separable form with a proof that this has the same logits, and a program that computes
   the tables from the bits of the parameters and compares them with the printed ones. *)

From Coq Require Import Reals ZArith Lia Lra Bool Uint63 PArray.
From Modadd Require Import Network Ball Machine Answers Parameters Products Flips Trained.
Open Scope R_scope.

(* A vector through a matrix, and a matrix through another, row by row. *)
Definition through (k : nat) (x : nat -> R) (Y : nat -> nat -> R) (j : nat) : R := sum (fun m => x m * Y m j) k.
Definition times (k : nat) (X Y : nat -> nat -> R) (i : nat) : nat -> R := through k (X i) Y.

Lemma through_ext k x y Y j : (forall m, x m = y m) -> through k x Y j = through k y Y j.
Proof. intros E. apply sum_ext. intros. now rewrite E. Qed.

Lemma through_plus k x y Y j : through k (fun m => x m + y m) Y j = through k x Y j + through k y Y j.
Proof. unfold through. rewrite <- sum_plus. apply sum_ext. intros. ring. Qed.

Lemma through_through k l x Y Z j : through l (through k x Y) Z j = through k x (times l Y Z) j.
Proof.
  unfold times, through. rewrite (sum_ext _ (fun m => sum (fun i => x i * Y i m * Z m j) k)) by (intros;
    now rewrite sum_scale_r).
  rewrite sum_swap. apply sum_ext. intros i _. rewrite <- sum_scale. apply sum_ext. intros. ring.
Qed.

(* A transformer of one layer with attention one half to either position; logits at the position of b. The heads stand
   side by side: W_V maps the d entries of a position to the v entries of all heads, W_O maps these back. *)
Record pizza := Pizza {
  W_E : array int; W_pos_a : array int; W_pos_b : array int; W_V : array int; W_O : array int;
  W_in : array int; b_in : array int; W_out : array int; b_out : array int; W_U : array int
}.

Section Pizza.
  Variables (n d v h : nat) (p : pizza).

  Definition pizza_sizes : Prop :=
    of_size n d (W_E p) /\ of_size 1 d (W_pos_a p) /\ of_size 1 d (W_pos_b p) /\ of_size d v (W_V p) /\
    of_size v d (W_O p) /\ of_size d h (W_in p) /\ of_size 1 h (b_in p) /\ of_size h d (W_out p) /\
    of_size 1 d (b_out p) /\ of_size d n (W_U p).

  Let at_a i e := float32 (W_E p) d i e + float32 (W_pos_a p) d 0 e.
  Let at_b i e := float32 (W_E p) d i e + float32 (W_pos_b p) d 0 e.
  Let heads x := times v (times d x (float32 (W_V p) v)) (float32 (W_O p) d).

  Definition pizza_logits (a b c : nat) : R :=
    let residual e := at_b b e + (heads at_a a e / 2 + heads at_b b e / 2) in
    let hidden i := relu (through d residual (float32 (W_in p) h) i + float32 (b_in p) h 0 i) in
    let out e := residual e + (through h hidden (float32 (W_out p) d) e + float32 (b_out p) d 0 e) in
    through d out (float32 (W_U p) n) c.

  Let from_a i e := heads at_a i e / 2.
  Let from_b i e := at_b i e + heads at_b i e / 2.

  Definition pizza_network : network := Network
    (times d from_a (float32 (W_in p) h))
    (fun b i => times d from_b (float32 (W_in p) h) b i + float32 (b_in p) h 0 i)
    (times d (float32 (W_out p) d) (float32 (W_U p) n))
    (times d from_a (float32 (W_U p) n))
    (times d (fun b e => from_b b e + float32 (b_out p) d 0 e) (float32 (W_U p) n)).

  Lemma pizza_separable a b c : pizza_logits a b c = logit h pizza_network a b c.
  Proof.
    unfold pizza_logits, logit, pizza_network. cbn [A B W C D].
    assert (E : forall e, at_b b e + (heads at_a a e / 2 + heads at_b b e / 2) = from_a a e + from_b b e)
      by (intros; unfold from_a, from_b; ring).
    rewrite (through_ext _ _ (fun e => (from_a a e + (from_b b e + float32 (b_out p) d 0 e)) +
      through h (fun i => relu (A pizza_network a i + B pizza_network b i)) (float32 (W_out p) d) e)).
    - rewrite !through_plus, through_through. unfold times at 4.
      change (times d (fun b e => from_b b e + float32 (b_out p) d 0 e) (float32 (W_U p) n) b c) with
        (through d (fun e => from_b b e + float32 (b_out p) d 0 e) (float32 (W_U p) n) c).
      rewrite through_plus. unfold through at 4. unfold pizza_network, times. cbn [A B]. ring.
    - intros e. rewrite E, (through_ext h _ (fun i => relu (A pizza_network a i + B pizza_network b i))); [ring|].
      intros i. rewrite (through_ext _ _ _ _ _ E), through_plus. unfold pizza_network, times. cbn [A B]. f_equal. ring.
  Qed.

  (* The same from the bits, with s binary places. *)
  Variable s : Z.
  Definition pizza_close (k r : Z) (P : printed) : bool :=
    let E := decode n d s (W_E p) in
    let V := decode d v s (W_V p) in
    let O_ := decode v d s (W_O p) in
    let In := decode d h s (W_in p) in
    let U := decode d n s (W_U p) in
    let xa := added_row E (decode 1 d s (W_pos_a p)) in
    let xb := added_row E (decode 1 d s (W_pos_b p)) in
    let fa := halved (product s (product s xa V) O_) in
    let fb := added xb (halved (product s (product s xb V) O_)) in
    close_table n h k r (product s fa In) (PA P) &&
    close_table n h k r (added_row (product s fb In) (decode 1 h s (b_in p))) (PB P) &&
    close_table h n k r (product s (decode h d s (W_out p)) U) (PW P) &&
    close_table n n k r (product s fa U) (PC P) &&
    close_table n n k r (product s (added_row fb (decode 1 d (s + 1) (b_out p))) U) (PD P).

  Lemma pizza_near k r P : pizza_close k r P = true -> near n h (2 ^ k) r pizza_network (tables_of n h P).
  Proof.
    unfold pizza_close. rewrite !andb_true_iff. intros [[[[HA HB] HW] HC] HD].
    assert (X1 := decode_holds n d s (W_E p)). assert (V1 := decode_holds d v s (W_V p)).
    assert (O1 := decode_holds v d s (W_O p)). assert (I1 := decode_holds d h s (W_in p)).
      assert (U1 := decode_holds d n s (W_U p)).
    assert (XA := added_row_holds _ _ _ _ X1 (decode_holds 1 d s (W_pos_a p))).
    assert (XB := added_row_holds _ _ _ _ X1 (decode_holds 1 d s (W_pos_b p))).
    assert (FA := halved_holds _ _ (product_holds s _ _ _ _ (product_holds s _ _ _ _ XA V1) O1)).
    assert (FB := added_holds _ _ _ _ XB (halved_holds _ _ (product_holds s _ _ _ _ (product_holds s _ _ _ _ XB V1)
      O1))).
    split; cbn [A B W C D pizza_network tables_of IA IB IW IC ID].
    - apply (close_table_spec n h k r _ _ _ (product_holds s _ _ _ _ FA I1) HA).
    - apply (close_table_spec n h k r _ _ _ (added_row_holds _ _ _ _ (product_holds s _ _ _ _ FB I1)
      (decode_holds 1 h s (b_in p))) HB).
    - apply (close_table_spec h n k r _ _ _ (product_holds s _ _ _ _ (decode_holds h d s (W_out p)) U1) HW).
    - apply (close_table_spec n n k r _ _ _ (product_holds s _ _ _ _ FA U1) HC).
    - apply (close_table_spec n n k r _ _ _ (product_holds s _ _ _ _ (added_row_holds _ _ _ _ FB (decode_holds 1 d (s
      + 1) (b_out p))) U1) HD).
  Qed.

  Theorem pizza_ahead k r extra P : pizza_close k r P = true -> ball_ahead n h k r extra P ->
    ahead n (IZR extra / (IZR (2 ^ k) * IZR (2 ^ k))) pizza_logits.
  Proof.
    intros N R a b c la lb lc wrong. rewrite !pizza_separable.
    now apply (R _ (pizza_near k r P N)).
  Qed.

  Theorem pizza_adds k r extra P : (0 <= k)%Z -> pizza_close k r P = true ->
    (0 <= extra)%Z /\ ball_ahead n h k r extra P -> adds n pizza_logits.
  Proof.
    intros K N [E R]. apply (units_ahead_add n (2 ^ k) extra); [assumption|apply Z.pow_pos_nonneg; lia|].
    now apply (pizza_ahead k r extra P).
  Qed.
End Pizza.

(* Two layers: one embedding for both numbers, summed before the ReLU, no biases. *)
Record two_layer := TwoLayer { M_E : array int; M_in : array int; M_U : array int }.

Section TwoLayer.
  Variables (n d h : nat) (p : two_layer).

  Definition two_layer_sizes : Prop := of_size n d (M_E p) /\ of_size d h (M_in p) /\ of_size h n (M_U p).

  Definition two_layer_logits (a b c : nat) : R :=
    let embedded e := float32 (M_E p) d a e + float32 (M_E p) d b e in
    let hidden i := relu (through d embedded (float32 (M_in p) h) i) in
    through h hidden (float32 (M_U p) n) c.

  Definition two_layer_network : network :=
    let both := times d (float32 (M_E p) d) (float32 (M_in p) h) in
    Network both both (float32 (M_U p) n) (fun _ _ => 0) (fun _ _ => 0).

  Lemma two_layer_separable a b c : two_layer_logits a b c = logit h two_layer_network a b c.
  Proof.
    unfold two_layer_logits, logit, two_layer_network, times. cbn [A B W C D]. rewrite !Rplus_0_r.
    unfold through at 1. apply sum_ext. intros i _. now rewrite through_plus.
  Qed.

  Variable s : Z.
  Definition two_layer_close (k r : Z) (P : printed) : bool :=
    let both := product s (decode n d s (M_E p)) (decode d h s (M_in p)) in
    close_table n h k r both (PA P) && close_table n h k r both (PB P) &&
      close_table h n k r (decode h n s (M_U p)) (PW P) &&
    within (n * n) r (PC P) && within (n * n) r (PD P).

  Lemma two_layer_near k r P : two_layer_close k r P = true -> near n h (2 ^ k) r two_layer_network (tables_of n h P).
  Proof.
    unfold two_layer_close. rewrite !andb_true_iff. intros [[[[HA HB] HW] HC] HD].
    assert (X := product_holds s _ _ _ _ (decode_holds n d s (M_E p)) (decode_holds d h s (M_in p))).
    split; cbn [A B W C D two_layer_network tables_of IA IB IW IC ID].
    - apply (close_table_spec n h k r _ _ _ X HA).
    - apply (close_table_spec n h k r _ _ _ X HB).
    - apply (close_table_spec h n k r _ _ _ (decode_holds h n s (M_U p)) HW).
    - apply (close_nothing n n k r _ HC).
    - apply (close_nothing n n k r _ HD).
  Qed.

  Theorem two_layer_ahead k r extra P : two_layer_close k r P = true -> ball_ahead n h k r extra P ->
    ahead n (IZR extra / (IZR (2 ^ k) * IZR (2 ^ k))) two_layer_logits.
  Proof.
    intros N R a b c la lb lc wrong. rewrite !two_layer_separable.
    now apply (R _ (two_layer_near k r P N)).
  Qed.

  Theorem two_layer_adds k r extra P : (0 <= k)%Z -> two_layer_close k r P = true ->
    (0 <= extra)%Z /\ ball_ahead n h k r extra P -> adds n two_layer_logits.
  Proof.
    intros K N [E R]. apply (units_ahead_add n (2 ^ k) extra); [assumption|apply Z.pow_pos_nonneg; lia|].
    now apply (two_layer_ahead k r extra P).
  Qed.
End TwoLayer.

(* An embedding for each number, concatenated before a hidden layer with biases. The weights of the hidden layer are two
   tables, for either number. *)
Record embedding := Embedding {
  E_a : array int; E_b : array int; C_a : array int; C_b : array int; c_in : array int; C_out : array int;
    c_out : array int
}.

Section Embedding.
  Variables (n d h : nat) (p : embedding).

  Definition embedding_sizes : Prop :=
    of_size n d (E_a p) /\ of_size n d (E_b p) /\ of_size d h (C_a p) /\ of_size d h (C_b p) /\
    of_size 1 h (c_in p) /\ of_size h n (C_out p) /\ of_size 1 n (c_out p).

  Definition embedding_logits (a b c : nat) : R :=
    let hidden i := relu (through d (float32 (E_a p) d a) (float32 (C_a p) h) i +
                          through d (float32 (E_b p) d b) (float32 (C_b p) h) i + float32 (c_in p) h 0 i) in
    through h hidden (float32 (C_out p) n) c + float32 (c_out p) n 0 c.

  Definition embedding_network : network := Network
    (times d (float32 (E_a p) d) (float32 (C_a p) h))
    (fun b i => times d (float32 (E_b p) d) (float32 (C_b p) h) b i + float32 (c_in p) h 0 i)
    (float32 (C_out p) n) (fun _ _ => 0) (fun _ c => float32 (c_out p) n 0 c).

  Lemma embedding_separable a b c : embedding_logits a b c = logit h embedding_network a b c.
  Proof.
    unfold embedding_logits, logit, embedding_network, times. cbn [A B W C D]. rewrite Rplus_0_r. f_equal.
    unfold through at 1. apply sum_ext. intros i _. now rewrite Rplus_assoc.
  Qed.

  Variable s : Z.
  Definition embedding_close (k r : Z) (P : printed) : bool :=
    close_table n h k r (product s (decode n d s (E_a p)) (decode d h s (C_a p))) (PA P) &&
    close_table n h k r (added_row (product s (decode n d s (E_b p)) (decode d h s (C_b p))) (decode 1 h s (c_in p)))
      (PB P) &&
    close_table h n k r (decode h n s (C_out p)) (PW P) &&
    within (n * n) r (PC P) && close_row n n k r (decode 1 n s (c_out p)) (PD P).

  Lemma embedding_near k r P : embedding_close k r P = true -> near n h (2 ^ k) r embedding_network (tables_of n h P).
  Proof.
    unfold embedding_close. rewrite !andb_true_iff. intros [[[[HA HB] HW] HC] HD].
    assert (X := product_holds s _ _ _ _ (decode_holds n d s (E_a p)) (decode_holds d h s (C_a p))).
    assert (Y := product_holds s _ _ _ _ (decode_holds n d s (E_b p)) (decode_holds d h s (C_b p))).
    split; cbn [A B W C D embedding_network tables_of IA IB IW IC ID].
    - apply (close_table_spec n h k r _ _ _ X HA).
    - apply (close_table_spec n h k r _ _ _ (added_row_holds _ _ _ _ Y (decode_holds 1 h s (c_in p))) HB).
    - apply (close_table_spec h n k r _ _ _ (decode_holds h n s (C_out p)) HW).
    - apply (close_nothing n n k r _ HC).
    - apply (close_row_spec n n k r _ _ _ (decode_holds 1 n s (c_out p)) HD).
  Qed.

  Theorem embedding_ahead k r extra P : embedding_close k r P = true -> ball_ahead n h k r extra P ->
    ahead n (IZR extra / (IZR (2 ^ k) * IZR (2 ^ k))) embedding_logits.
  Proof.
    intros N R a b c la lb lc wrong. rewrite !embedding_separable.
    now apply (R _ (embedding_near k r P N)).
  Qed.

  Theorem embedding_adds k r extra P : (0 <= k)%Z -> embedding_close k r P = true ->
    (0 <= extra)%Z /\ ball_ahead n h k r extra P -> adds n embedding_logits.
  Proof.
    intros K N [E R]. apply (units_ahead_add n (2 ^ k) extra); [assumption|apply Z.pow_pos_nonneg; lia|].
    now apply (embedding_ahead k r extra P).
  Qed.
End Embedding.
