(* Arithmetic that rounds: how far a computed number can lie from the exact one, in whatever order it is computed.

   An expression is a way of computing a number: which numbers it starts from, and which it adds and multiplies in
   turn, with a rounding after each operation, or one after both of a fused one. The standard model of floating point says
   of a rounding that it moves a number x by at most u|x|, or by so little that it does not matter beside the smallest
   normal number: here by at most u(|x| + t). With u = 2^-24 and ut = 2^-126 it holds of binary32, rounding to the
   nearest, as long as nothing overflows. It holds, too, where a result below 2^-126, the smallest normal number, is
   flushed to zero, or is read as zero by the next operation: either moves it by less than ut. It does not hold of a number
   that the expression starts from: 2^-127 times 2^20 is 0 where operands below 2^-126 are read as zero. So no parameter
   may be such a number; a network with one is refused before Coq is asked. *)

From Coq Require Import Reals Lra Lia List Permutation.
From Modadd Require Import Network.
Import ListNotations.
Open Scope R_scope.

Definition u : R := / 2 ^ 24.
Definition t : R := / 2 ^ 102.

Definition rounds (exact computed : R) : Prop := Rabs (computed - exact) <= u * (Rabs exact + t).

Inductive expression :=
  | Number (x : R)
  | Sum (e f : expression)
  | Product (e f : expression)
  | Fused (e f g : expression) (* e f + g, rounded once *)
  | Relu (e : expression).

Fixpoint exact (e : expression) : R :=
  match e with
  | Number x => x
  | Sum e f => exact e + exact f
  | Product e f => exact e * exact f
  | Fused e f g => exact e * exact f + exact g
  | Relu e => relu (exact e)
  end.

(* What a machine may get. *)
Inductive gives : expression -> R -> Prop :=
  | gives_number x : gives (Number x) x
  | gives_sum e f x y z : gives e x -> gives f y -> rounds (x + y) z -> gives (Sum e f) z
  | gives_product e f x y z : gives e x -> gives f y -> rounds (x * y) z -> gives (Product e f) z
  | gives_fused e f g x y w z : gives e x -> gives f y -> gives g w -> rounds (x * y + w) z -> gives (Fused e f g) z
  | gives_relu e x : gives e x -> gives (Relu e) (relu x).

(* A machine that rounds nothing is among them, so no theorem about what it gives is empty. *)
Lemma exact_is_given e : gives e (exact e).
Proof.
  assert (R : forall x, rounds x x).
  { intros x. unfold rounds. replace (x - x) with 0 by ring. rewrite Rabs_R0. pose proof (Rabs_pos x). unfold u, t.
    apply Rmult_le_pos; [left; apply Rinv_0_lt_compat; lra|].
    apply Rplus_le_le_0_compat; [assumption|left; apply Rinv_0_lt_compat; lra]. }
  induction e; simpl; econstructor; eauto.
Qed.

(* The sum of moduli, with t for each rounding, and how many roundings may follow one upon another. *)
Fixpoint size (e : expression) : R :=
  match e with
  | Number x => Rabs x
  | Sum e f => size e + size f + t
  | Product e f => size e * size f + t
  | Fused e f g => size e * size f + size g + t
  | Relu e => size e
  end.

Fixpoint depth (e : expression) : nat :=
  match e with
  | Number _ => O
  | Sum e f => S (Nat.max (depth e) (depth f))
  | Product e f => S (depth e + depth f)
  | Fused e f g => S (Nat.max (depth e + depth f) (depth g))
  | Relu e => depth e
  end.

Definition growth (k : nat) : R := (1 + u) ^ k.

Lemma u_bounds : 0 < u < 1.
Proof.
  unfold u. split; [apply Rinv_0_lt_compat; lra|].
  apply Rmult_lt_reg_r with (2 ^ 24); [lra|]. rewrite Rinv_l by lra. lra.
Qed.

Lemma t_positive : 0 < t.
Proof. unfold t. apply Rinv_0_lt_compat, pow_lt. lra. Qed.

Lemma growth_S k : growth (S k) = (1 + u) * growth k.
Proof. reflexivity. Qed.

Lemma growth_plus k l : growth (k + l) = growth k * growth l.
Proof. apply pow_add. Qed.

Lemma growth_at_least k : 1 <= growth k.
Proof. pose proof u_bounds. induction k; [unfold growth; simpl; lra|]. rewrite growth_S. nra. Qed.

Lemma growth_monotone k l : (k <= l)%nat -> growth k <= growth l.
Proof. intros H. pose proof u_bounds. apply Rle_pow; [lra|assumption]. Qed.

Lemma product_within v w s r : Rabs v <= s -> Rabs w <= r -> Rabs (v * w) <= s * r.
Proof. intros V W. rewrite Rabs_mult. apply Rmult_le_compat; auto using Rabs_pos. Qed.

Lemma size_exact e : Rabs (exact e) <= size e.
Proof.
  pose proof t_positive as T. induction e as [x|e E f F|e E f F|e E f F g G|e E]; simpl.
  - lra.
  - pose proof (Rabs_triang (exact e) (exact f)). lra.
  - pose proof (product_within _ _ _ _ E F). lra.
  - pose proof (Rabs_triang (exact e * exact f) (exact g)). pose proof (product_within _ _ _ _ E F). lra.
  - eapply Rle_trans; [|exact E]. unfold relu, Rmax, Rabs. destruct (Rle_dec _ _); repeat destruct Rcase_abs; lra.
Qed.

Lemma size_nonnegative e : 0 <= size e.
Proof. eapply Rle_trans; [apply Rabs_pos|apply size_exact]. Qed.

(* What is off by (g - 1) s at most, of a number within s, is off by ((1 + u) g - 1)(s + t) once rounded. *)
Lemma rounded_near v x z s g : 1 <= g -> Rabs v <= s -> Rabs (x - v) <= (g - 1) * s -> rounds x z ->
  Rabs (z - v) <= ((1 + u) * g - 1) * (s + t).
Proof.
  intros G V X Z. unfold rounds in Z. pose proof u_bounds. pose proof t_positive.
  pose proof (Rabs_triang (z - x) (x - v)) as T. replace (z - x + (x - v)) with (z - v) in T by ring.
  pose proof (Rabs_triang (x - v) v) as W. replace (x - v + v) with x in W by ring.
  pose proof (Rabs_pos v). assert (u * Rabs x <= u * (g * s)) by (apply Rmult_le_compat_l; lra).
  assert (0 <= (g - 1) * t) by (apply Rmult_le_pos; lra). assert (0 <= u * ((g - 1) * t)) by (apply Rmult_le_pos; lra).
  nra.
Qed.

Lemma products_near x y v w s r g h : 1 <= g -> 1 <= h -> Rabs v <= s -> Rabs w <= r ->
  Rabs (x - v) <= (g - 1) * s -> Rabs (y - w) <= (h - 1) * r -> Rabs (x * y - v * w) <= (g * h - 1) * (s * r).
Proof.
  intros G H V W X Y. eapply Rle_trans; [apply (product_near _ _ _ _ _ _ X Y)|].
  pose proof (Rabs_pos v). pose proof (Rabs_pos w).
  assert ((g - 1) * s * Rabs w <= (g - 1) * s * r) by (apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|lra]).
  assert ((h - 1) * r * Rabs v <= (h - 1) * r * s) by (apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|lra]).
  nra.
Qed.

Lemma wider x v s k l : (k <= l)%nat -> Rabs v <= s -> Rabs (x - v) <= (growth k - 1) * s ->
  Rabs (x - v) <= (growth l - 1) * s.
Proof.
  intros K V X. pose proof (growth_monotone k l K). pose proof (Rabs_pos v).
  eapply Rle_trans; [exact X|]. apply Rmult_le_compat_r; lra.
Qed.

Theorem error_of_rounding e z : gives e z -> Rabs (z - exact e) <= (growth (depth e) - 1) * size e.
Proof.
  induction 1 as [x|e f x y z _ E _ F Z|e f x y z _ E _ F Z|e f g x y w z _ E _ F _ G Z|e x _ E]; cbn [exact size depth].
  - unfold growth. simpl. replace (x - x) with 0 by ring. rewrite Rabs_R0. lra.
  - rewrite growth_S. set (k := Nat.max (depth e) (depth f)).
    apply (wider _ _ _ _ k (Nat.le_max_l (depth e) (depth f)) (size_exact e)) in E.
    apply (wider _ _ _ _ k (Nat.le_max_r (depth e) (depth f)) (size_exact f)) in F.
    pose proof (size_exact e). pose proof (size_exact f).
    apply (rounded_near _ (x + y)); [apply growth_at_least| | |assumption].
    + pose proof (Rabs_triang (exact e) (exact f)). lra.
    + replace (x + y - (exact e + exact f)) with ((x - exact e) + (y - exact f)) by ring.
      pose proof (Rabs_triang (x - exact e) (y - exact f)). lra.
  - rewrite growth_S, growth_plus. pose proof (size_exact e). pose proof (size_exact f).
    apply (rounded_near _ (x * y)); [| | |assumption].
    + pose proof (growth_at_least (depth e)). pose proof (growth_at_least (depth f)). nra.
    + now apply product_within.
    + apply products_near; auto using growth_at_least.
  - rewrite growth_S. set (k := Nat.max (depth e + depth f) (depth g)).
    pose proof (size_exact e) as S. pose proof (size_exact f) as T. pose proof (size_exact g).
    assert (V : Rabs (exact e * exact f) <= size e * size f) by now apply product_within.
    assert (P : Rabs (x * y - exact e * exact f) <= (growth (depth e + depth f) - 1) * (size e * size f)).
    { rewrite growth_plus. apply products_near; auto using growth_at_least. }
    apply (wider _ _ _ _ k (Nat.le_max_l _ (depth g)) V) in P.
    apply (wider _ _ _ _ k (Nat.le_max_r (depth e + depth f) (depth g)) (size_exact g)) in G.
    apply (rounded_near _ (x * y + w)); [apply growth_at_least| | |assumption].
    + pose proof (Rabs_triang (exact e * exact f) (exact g)). lra.
    + replace (x * y + w - (exact e * exact f + exact g)) with ((x * y - exact e * exact f) + (w - exact g)) by ring.
      pose proof (Rabs_triang (x * y - exact e * exact f) (w - exact g)). lra.
  - now apply relu_near.
Qed.

(* In numbers: (1 + u)^k - 1 is at most k / (2^24 - k). *)
Lemma growth_bound k : (Z.of_nat k < 2 ^ 24)%Z -> growth k - 1 <= INR k / (2 ^ 24 - INR k).
Proof.
  intros K. assert (L : forall l, (l <= k)%nat -> growth l * (1 - INR l * u) <= 1).
  { pose proof u_bounds. induction l; intros H0; [unfold growth; simpl; lra|].
    specialize (IHl ltac:(lia)). rewrite growth_S, S_INR. pose proof (pos_INR l). pose proof (growth_at_least l).
    assert (0 <= growth l * ((INR l + 1) * (u * u))) by (repeat apply Rmult_le_pos; lra). nra. }
  specialize (L k (le_n k)). apply IZR_lt in K. rewrite <- INR_IZR_INZ in K.
  replace (IZR (2 ^ 24)) with (2 ^ 24) in K by (change (2 ^ 24)%Z with 16777216%Z; ring).
  assert (U : u * 2 ^ 24 = 1) by (unfold u; field). pose proof (growth_at_least k).
  apply Rmult_le_reg_r with (2 ^ 24 - INR k); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
  assert (growth k * (2 ^ 24 - INR k) <= 2 ^ 24); [|lra].
  replace (growth k * (2 ^ 24 - INR k)) with (growth k * (1 - INR k * u) * 2 ^ 24).
  - apply Rle_trans with (1 * 2 ^ 24); [apply Rmult_le_compat_r; lra|lra].
  - replace (growth k * (1 - INR k * u) * 2 ^ 24) with (growth k * (2 ^ 24 - INR k * (u * 2 ^ 24))) by ring.
    rewrite U. ring.
Qed.

(* Every way of adding terms: in any order, in any grouping, with any products among them fused with what they are
   added to. A sum that starts from zero, or has zeros in between, gives the same numbers, as adding zero is exact. *)
Inductive sums : list expression -> expression -> Prop :=
  | sums_one e : sums [e] e
  | sums_join l m e f : sums l e -> sums m f -> sums (l ++ m) (Sum e f)
  | sums_fused l x y e : sums l e -> sums (Product x y :: l) (Fused x y e)
  | sums_order l m e : Permutation l m -> sums l e -> sums m e.

Definition total (f : expression -> R) (l : list expression) : R := fold_right (fun e s => f e + s) 0 l.

Lemma total_app f l m : total f (l ++ m) = total f l + total f m.
Proof. induction l; simpl; lra. Qed.

Lemma total_order f l m : Permutation l m -> total f l = total f m.
Proof. induction 1; simpl; lra. Qed.

Lemma sums_exact l e : sums l e -> exact e = total exact l.
Proof. induction 1; simpl; rewrite ?total_app, <- ?(total_order exact _ _ H); lra. Qed.

Lemma sums_some l e : sums l e -> (1 <= length l)%nat.
Proof. induction 1; simpl; rewrite ?app_length; try lia. now rewrite <- (Permutation_length H). Qed.

Lemma sums_size l e : sums l e -> size e <= total (fun f => size f + t) l.
Proof.
  pose proof t_positive as T. intros S.
  enough (size e + t <= total (fun f => size f + t) l) by lra.
  induction S; simpl; rewrite ?total_app, <- ?(total_order _ _ _ H); lra.
Qed.

Lemma sums_depth l e k : sums l e -> Forall (fun f => (depth f <= k)%nat) l -> (depth e + 1 <= k + length l)%nat.
Proof.
  induction 1 as [e|l m e f E IHe F IHf|l x y e E IHe|l m e P E IHe]; intros D.
  - inversion D. simpl. lia.
  - apply Forall_app in D as [D1 D2]. specialize (IHe D1). specialize (IHf D2).
    apply sums_some in E, F. rewrite app_length. simpl. lia.
  - inversion D as [|? ? X Y]. specialize (IHe Y). apply sums_some in E. simpl in *. lia.
  - rewrite <- (Permutation_length P). apply IHe. now apply (Permutation_Forall (Permutation_sym P)).
Qed.
