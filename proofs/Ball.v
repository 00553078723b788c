(* From integers to every real network near them.

   Integer tables stand for real ones in units of 2^-k. If every entry of a real network lies within r units of its
   integer, no logit lies further from the integers' score than `allowance`. So a right answer whose score leads by more
   than twice that is the right answer of the whole ball of real networks, the trained one among them. *)

From Coq Require Import Reals ZArith Lra Lia.
From Modadd Require Import Network.
Open Scope R_scope.

Fixpoint zsum (f : nat -> Z) (k : nat) : Z :=
  match k with O => 0%Z | S m => (zsum f m + f m)%Z end.

Record tables := Tables { IA : nat -> nat -> Z; IB : nat -> nat -> Z; IW : nat -> nat -> Z;
                          IC : nat -> nat -> Z; ID : nat -> nat -> Z }.

(* The logit of the integers, in units of 2^-2k: `unit` is 2^k. *)
Definition score (h : nat) (unit : Z) (T : tables) (a b c : nat) : Z :=
  (zsum (fun i => Z.max (IA T a i + IB T b i) 0 * IW T i c) h + unit * (IC T a c + ID T b c))%Z.

(* Every entry of the real tables lies within r units of its integer. *)
Record near (n h : nat) (unit r : Z) (N : network) (T : tables) : Prop := Near {
  near_A : forall a i, (a < n)%nat -> (i < h)%nat -> Rabs (A N a i * IZR unit - IZR (IA T a i)) <= IZR r;
  near_B : forall b i, (b < n)%nat -> (i < h)%nat -> Rabs (B N b i * IZR unit - IZR (IB T b i)) <= IZR r;
  near_W : forall i c, (i < h)%nat -> (c < n)%nat -> Rabs (W N i c * IZR unit - IZR (IW T i c)) <= IZR r;
  near_C : forall a c, (a < n)%nat -> (c < n)%nat -> Rabs (C N a c * IZR unit - IZR (IC T a c)) <= IZR r;
  near_D : forall b c, (b < n)%nat -> (c < n)%nat -> Rabs (D N b c * IZR unit - IZR (ID T b c)) <= IZR r
}.

(* No entry of A and B exceeds `inner`, none of W `outer`. *)
Record bounded (n h : nat) (inner outer : Z) (T : tables) : Prop := Bounded {
  bounded_A : forall a i, (a < n)%nat -> (i < h)%nat -> (Z.abs (IA T a i) <= inner)%Z;
  bounded_B : forall b i, (b < n)%nat -> (i < h)%nat -> (Z.abs (IB T b i) <= inner)%Z;
  bounded_W : forall i c, (i < h)%nat -> (c < n)%nat -> (Z.abs (IW T i c) <= outer)%Z
}.

(* The most by which a logit of a near network differs from its score, in units of 2^-2k. *)
Definition allowance (h : nat) (unit r inner outer : Z) : Z :=
  (Z.of_nat h * (2 * r * outer + r * (2 * inner) + 2 * r * r) + 2 * r * unit)%Z.

Lemma zsum_real f k : IZR (zsum f k) = sum (fun m => IZR (f m)) k.
Proof. induction k; simpl; [reflexivity|]. rewrite plus_IZR, IHk. reflexivity. Qed.

Lemma relu_real z : relu (IZR z) = IZR (Z.max z 0).
Proof.
  unfold relu, Rmax. destruct (Rle_dec (IZR z) 0) as [H|H].
  - apply le_IZR in H. now rewrite Z.max_r.
  - rewrite Z.max_l; [reflexivity|]. destruct (Z.le_gt_cases 0 z); [assumption|]. exfalso. apply H, IZR_le. lia.
Qed.

Lemma relu_scale x p : 0 <= p -> relu x * p = relu (x * p).
Proof.
  intros P. unfold relu, Rmax. destruct (Rle_dec x 0), (Rle_dec (x * p) 0); try nra.
Qed.

Theorem logit_near_score n h unit r inner outer N T a b c :
  (0 <= unit)%Z -> (0 <= r)%Z -> near n h unit r N T -> bounded n h inner outer T ->
  (a < n)%nat -> (b < n)%nat -> (c < n)%nat ->
  Rabs (logit h N a b c * (IZR unit * IZR unit) - IZR (score h unit T a b c)) <= IZR (allowance h unit r inner outer).
Proof.
  intros U R [nA nB nW nC nD] [bA bB bW] la lb lc.
  apply IZR_le in U, R. unfold logit, score, allowance.
  set (p := IZR unit) in *.
  rewrite plus_IZR, mult_IZR, zsum_real, plus_IZR. fold p.
  replace ((sum (fun i => relu (A N a i + B N b i) * W N i c) h + C N a c + D N b c) * (p * p)) with
    (sum (fun i => relu (A N a i * p + B N b i * p) * (W N i c * p)) h + p * (C N a c * p + D N b c * p)).
  2:{ rewrite <- (sum_ext (fun i => (relu (A N a i + B N b i) * W N i c) * (p * p))).
      - rewrite sum_scale_r. ring.
      - intros i _. rewrite <- Rmult_plus_distr_r, <- relu_scale by exact U. ring. }
  match goal with |- Rabs (?s + p * ?x - (?z + p * ?y)) <= _ =>
    replace (s + p * x - (z + p * y)) with ((s - z) + p * (x - y)) by ring end.
  eapply Rle_trans; [apply Rabs_triang|].
  rewrite plus_IZR, !mult_IZR. fold p. rewrite <- INR_IZR_INZ. apply Rplus_le_compat.
  - rewrite <- sum_const. eapply Rle_trans; [apply sum_near|apply Rle_refl].
    intros i li. rewrite mult_IZR.
    specialize (nA a i la li). specialize (nB b i lb li). specialize (nW i c li lc).
    specialize (bA a i la li). specialize (bB b i lb li). specialize (bW i c li lc).
    rewrite <- relu_real, plus_IZR.
    eapply Rle_trans; [apply (product_near _ _ _ _ (2 * IZR r) (IZR r)); [apply relu_near|exact nW]|].
    + pose proof (Rabs_triang (A N a i * p - IZR (IA T a i)) (B N b i * p - IZR (IB T b i))).
      replace (A N a i * p + B N b i * p - (IZR (IA T a i) + IZR (IB T b i))) with
        ((A N a i * p - IZR (IA T a i)) + (B N b i * p - IZR (IB T b i))) by ring. lra.
    + rewrite <- plus_IZR, relu_real.
      assert (wide : (Z.abs (Z.max (IA T a i + IB T b i) 0) <= 2 * inner)%Z) by lia.
      apply IZR_le in wide, bW. rewrite abs_IZR in wide, bW. rewrite mult_IZR in wide.
      repeat rewrite ?plus_IZR, ?mult_IZR.
      pose proof (Rmult_le_compat_l _ _ _ R bW). pose proof (Rmult_le_compat_l _ _ _ R wide). lra.
  - rewrite Rabs_mult, (Rabs_pos_eq p U). specialize (nC a c la lc). specialize (nD b c lb lc).
    pose proof (Rabs_triang (C N a c * p - IZR (IC T a c)) (D N b c * p - IZR (ID T b c))).
    replace (C N a c * p + D N b c * p - (IZR (IC T a c) + IZR (ID T b c))) with
      ((C N a c * p - IZR (IC T a c)) + (D N b c * p - IZR (ID T b c))) by ring.
    replace (2 * IZR r * p) with (p * (2 * IZR r)) by ring.
    apply Rmult_le_compat_l; [exact U|lra].
Qed.

(* The right answer leads every other one by more than `lead`. *)
Definition leads (n h : nat) (unit lead : Z) (T : tables) : Prop :=
  forall a b c, (a < n)%nat -> (b < n)%nat -> (c < n)%nat -> c <> ((a + b) mod n)%nat ->
  (score h unit T a b c + lead < score h unit T a b ((a + b) mod n))%Z.

(* The right answer leads every other one by more than `lead`, for logits that are real numbers. *)
Definition ahead (n : nat) (lead : R) (logits : nat -> nat -> nat -> R) : Prop :=
  forall a b c, (a < n)%nat -> (b < n)%nat -> (c < n)%nat -> c <> ((a + b) mod n)%nat ->
  logits a b c + lead < logits a b ((a + b) mod n)%nat.

Lemma ahead_adds n lead logits : 0 <= lead -> ahead n lead logits -> adds n logits.
Proof. intros L H a b c la lb lc wrong. specialize (H a b c la lb lc wrong). lra. Qed.

(* What the integers lead by beyond what the ball takes, in units of 2^-2k, is left to every network of the ball. *)
Theorem near_network_ahead n h unit r inner outer extra T :
  (0 < unit)%Z -> (0 <= r)%Z -> bounded n h inner outer T ->
  leads n h unit (2 * allowance h unit r inner outer + extra) T ->
  forall N, near n h unit r N T -> ahead n (IZR extra / (IZR unit * IZR unit)) (logit h N).
Proof.
  intros U R small lead N close a b c la lb lc wrong.
  specialize (lead a b c la lb lc wrong).
  assert (lt : ((a + b) mod n < n)%nat) by (apply Nat.mod_upper_bound; lia).
  pose proof (logit_near_score _ _ _ _ _ _ N T a b c (Z.lt_le_incl _ _ U) R close small la lb lc) as E.
  pose proof (logit_near_score _ _ _ _ _ _ N T a b _ (Z.lt_le_incl _ _ U) R close small la lb lt) as F.
  apply IZR_lt in lead, U. rewrite !plus_IZR, mult_IZR in lead.
  set (t := ((a + b) mod n)%nat) in *. set (q := IZR unit * IZR unit) in *.
  assert (Q : 0 < q) by (unfold q; nra).
  apply Rmult_lt_reg_r with q; [assumption|]. rewrite Rmult_plus_distr_r. unfold Rdiv.
  rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  unfold Rabs in E, F. destruct (Rcase_abs _) in E; destruct (Rcase_abs _) in F; lra.
Qed.

Corollary near_network_adds n h unit r inner outer T :
  (0 < unit)%Z -> (0 <= r)%Z -> bounded n h inner outer T -> leads n h unit (2 * allowance h unit r inner outer) T ->
  forall N, near n h unit r N T -> adds n (logit h N).
Proof.
  intros U R B L N close. apply (ahead_adds n (IZR 0 / (IZR unit * IZR unit))).
  - unfold Rdiv. rewrite Rmult_0_l. lra.
  - apply (near_network_ahead n h unit r inner outer 0 T); auto. now rewrite Z.add_0_r.
Qed.
