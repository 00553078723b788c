(* What is to be proven: a network of real tables that adds mod n.

   A network is separable: a sum of two tables before its only ReLU. Sums run over indices below a bound. *)

From Coq Require Import Reals Lra Lia Arith.
Open Scope R_scope.

Fixpoint sum (f : nat -> R) (k : nat) : R :=
  match k with O => 0 | S m => sum f m + f m end.

Definition relu (x : R) : R := Rmax x 0.

Record network := Network {
  A : nat -> nat -> R; (* residue a, neuron i *)
  B : nat -> nat -> R; (* residue b, neuron i *)
  W : nat -> nat -> R; (* neuron i, answer c *)
  C : nat -> nat -> R; (* residue a, answer c *)
  D : nat -> nat -> R  (* residue b, answer c *)
}.

Definition logit (h : nat) (N : network) (a b c : nat) : R :=
  sum (fun i => relu (A N a i + B N b i) * W N i c) h + C N a c + D N b c.

(* The right answer of every input has a greater logit than any other answer. *)
Definition adds (n : nat) (logits : nat -> nat -> nat -> R) : Prop :=
  forall a b c, (a < n)%nat -> (b < n)%nat -> (c < n)%nat -> c <> ((a + b) mod n)%nat ->
  logits a b c < logits a b ((a + b) mod n)%nat.

(* What sums obey. *)

Lemma sum_ext f g k : (forall m, (m < k)%nat -> f m = g m) -> sum f k = sum g k.
Proof. induction k; intros E; simpl; [reflexivity|]. rewrite IHk, E; auto. Qed.

Lemma sum_plus f g k : sum (fun m => f m + g m) k = sum f k + sum g k.
Proof. induction k; simpl; [ring|rewrite IHk; ring]. Qed.

Lemma sum_scale x f k : sum (fun m => x * f m) k = x * sum f k.
Proof. induction k; simpl; [ring|rewrite IHk; ring]. Qed.

Lemma sum_scale_r f x k : sum (fun m => f m * x) k = sum f k * x.
Proof. induction k; simpl; [ring|rewrite IHk; ring]. Qed.

Lemma sum_swap f k l : sum (fun m => sum (f m) l) k = sum (fun j => sum (fun m => f m j) k) l.
Proof.
  induction k; simpl.
  - induction l; simpl; [reflexivity|rewrite <- IHl; ring].
  - rewrite IHk. symmetry. apply (sum_plus (fun j => sum (fun m => f m j) k) (f k)).
Qed.

Lemma sum_le f g k : (forall m, (m < k)%nat -> f m <= g m) -> sum f k <= sum g k.
Proof. induction k; intros E; simpl; [lra|]. specialize (IHk (fun m p => E m (Nat.lt_lt_succ_r _ _ p))).
  assert (f k <= g k) by (apply E; lia). lra. Qed.

Lemma sum_const x k : sum (fun _ => x) k = INR k * x.
Proof. induction k; [simpl; ring|]. rewrite S_INR; simpl. rewrite IHk. ring. Qed.

(* Two sums lie as near to each other as their terms do together. *)
Lemma sum_near f g e k : (forall m, (m < k)%nat -> Rabs (f m - g m) <= e m) -> Rabs (sum f k - sum g k) <= sum e k.
Proof.
  induction k; intros E; simpl; [rewrite Rminus_0_r, Rabs_R0; lra|].
  replace (sum f k + f k - (sum g k + g k)) with ((sum f k - sum g k) + (f k - g k)) by ring.
  pose proof (Rabs_triang (sum f k - sum g k) (f k - g k)).
  assert (Rabs (f k - g k) <= e k) by (apply E; lia).
  assert (Rabs (sum f k - sum g k) <= sum e k) by (apply IHk; intros; apply E; lia). lra.
Qed.

(* ReLU moves no two numbers apart, and makes none negative. *)
Lemma relu_near x y e : Rabs (x - y) <= e -> Rabs (relu x - relu y) <= e.
Proof.
  unfold relu, Rmax. intros H.
  destruct (Rle_dec x 0), (Rle_dec y 0); unfold Rabs in *; repeat destruct Rcase_abs; lra.
Qed.

Lemma relu_nonnegative x : 0 <= relu x.
Proof. unfold relu. apply Rmax_r. Qed.

(* Products of factors that are near are near. *)
Lemma product_near x y x' y' e f :
  Rabs (x - x') <= e -> Rabs (y - y') <= f -> Rabs (x * y - x' * y') <= e * Rabs y' + f * Rabs x' + e * f.
Proof.
  intros E F. replace (x * y - x' * y') with ((x - x') * y' + (y - y') * x' + (x - x') * (y - y')) by ring.
  pose proof (Rabs_pos (x - x')). pose proof (Rabs_pos (y - y')).
  eapply Rle_trans; [apply Rabs_triang|]. apply Rplus_le_compat.
  - eapply Rle_trans; [apply Rabs_triang|]. rewrite !Rabs_mult.
    apply Rplus_le_compat; apply Rmult_le_compat_r; auto using Rabs_pos.
  - rewrite Rabs_mult. apply Rmult_le_compat; auto.
Qed.
