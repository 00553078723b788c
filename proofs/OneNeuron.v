(* One neuron with C and D does not add mod n where 4 divides n, whatever its real entries. *)
From Coq Require Import Reals ZArith Lia Lra Arith.
From Modadd Require Import Network.
Open Scope R_scope.

(* ReLU is convex: the alternating sum over a rectangle has the sign of the product of its sides. *)
Lemma relu_rectangle u v x y : 0 < x -> 0 < y ->
  0 <= relu (u + v) + relu (u + x + (v + y)) - relu (u + (v + y)) - relu (u + x + v).
Proof. intros X Y. unfold relu, Rmax. repeat destruct Rle_dec; lra. Qed.

Lemma rectangle_sign u u' v v' g :
  0 < g * (relu (u + v) + relu (u' + v') - relu (u + v') - relu (u' + v)) -> 0 < g * ((u' - u) * (v' - v)).
Proof.
  intros H. set (d := relu (u + v) + relu (u' + v') - relu (u + v') - relu (u' + v)) in *.
  assert (S : (0 <= d /\ 0 < (u' - u) * (v' - v)) \/ (d <= 0 /\ (u' - u) * (v' - v) < 0) \/ d = 0).
  { destruct (Rtotal_order u u') as [U|[U|U]]; [|right; right; subst d; subst; ring|];
    (destruct (Rtotal_order v v') as [V|[V|V]]; [|right; right; subst d; subst; ring|]).
    - left. pose proof (relu_rectangle u v (u' - u) (v' - v) ltac:(lra) ltac:(lra)) as K.
      replace (u + (u' - u)) with u' in K by ring. replace (v + (v' - v)) with v' in K by ring. split; [unfold d;
        lra|nra].
    - right; left. pose proof (relu_rectangle u v' (u' - u) (v - v') ltac:(lra) ltac:(lra)) as K.
      replace (u + (u' - u)) with u' in K by ring. replace (v' + (v - v')) with v in K by ring. split; [unfold d;
        lra|nra].
    - right; left. pose proof (relu_rectangle u' v (u - u') (v' - v) ltac:(lra) ltac:(lra)) as K.
      replace (u' + (u - u')) with u in K by ring. replace (v + (v' - v)) with v' in K by ring. split; [unfold d;
        lra|nra].
    - left. pose proof (relu_rectangle u' v' (u - u') (v - v') ltac:(lra) ltac:(lra)) as K.
      replace (u' + (u - u')) with u in K by ring. replace (v' + (v - v')) with v in K by ring. split; [unfold d;
        lra|nra]. }
  destruct S as [[S T]|[[S T]|S]]; [| |rewrite S in H; lra].
  - assert (0 < g) by (destruct (Rle_dec g 0); nra). nra.
  - assert (g < 0) by (destruct (Rle_dec 0 g); nra). nra.
Qed.

Lemma halfway q a : (0 < q)%nat -> let n := (4 * q)%nat in ((a mod n + 2 * q) mod n = (a + 2 * q) mod n)%nat.
Proof. intros Q n. apply Nat.add_mod_idemp_l. unfold n. lia. Qed.

Theorem one_neuron_fails_where_4_divides (q : nat) (N : network) : (0 < q)%nat -> ~ adds (4 * q) (logit 1 N).
Proof.
  intros Q H. set (n := (4 * q)%nat) in *. set (M := (2 * q)%nat).
  set (A' := fun a => A N (a mod n) 0%nat). set (B' := fun b => B N (b mod n) 0%nat).
  set (G := fun x => W N 0 (x mod n) - W N 0 ((x + M) mod n)).
  set (f := fun a => A' (a + M)%nat - A' a). set (g := fun b => B' (b + M)%nat - B' b).
  assert (lt : forall x, (x mod n < n)%nat) by (intros; apply Nat.mod_upper_bound; unfold n; lia).
  assert (turn : forall x, ((x + M + M) mod n = x mod n)%nat).
  { intros x. replace (x + M + M)%nat with (x + 1 * n)%nat by (unfold M, n; lia). apply Nat.mod_add. unfold n. lia. }
  assert (other : forall x, ((x + M) mod n <> x mod n)%nat).
  { intros x. rewrite <- (Nat.add_mod_idemp_l x) by (unfold n; lia). pose proof (lt x).
    set (r := (x mod n)%nat) in *. destruct (Nat.lt_ge_cases (r + M) n).
    - rewrite Nat.mod_small by assumption. unfold M. lia.
    - replace (r + M)%nat with (r + M - n + 1 * n)%nat by lia. rewrite Nat.mod_add, Nat.mod_small by (unfold n,
        M in *; lia).
      unfold n, M in *. lia. }
  assert (sum_mod : forall a b, ((a mod n + b mod n) mod n = (a + b) mod n)%nat).
  { intros. rewrite <- Nat.add_mod by (unfold n; lia). reflexivity. }
  assert (right : forall a b c, (c mod n <> (a + b) mod n)%nat ->
    relu (A' a + B' b) * W N 0 (c mod n) + C N (a mod n) (c mod n) + D N (b mod n) (c mod n) <
    relu (A' a + B' b) * W N 0 ((a + b) mod n) + C N (a mod n) ((a + b) mod n) + D N (b mod n) ((a + b) mod n)).
  { intros a b c E. pose proof (H (a mod n) (b mod n) (c mod n) (lt a) (lt b) (lt c)) as K.
    rewrite sum_mod in K. specialize (K E). unfold logit in K. cbn [sum] in K. unfold A', B'. lra. }
  assert (sign : forall a b, 0 < G (a + b)%nat * (f a * g b)).
  { intros a b. unfold f, g. apply rectangle_sign. unfold G.
    pose proof (right a b (a + b + M)%nat ltac:(apply other)) as R1.
    pose proof (right (a + M)%nat (b + M)%nat (a + b + M)%nat) as R2.
    pose proof (right a (b + M)%nat (a + b)%nat) as R3.
    pose proof (right (a + M)%nat b (a + b)%nat) as R4.
    replace (a + M + (b + M))%nat with (a + b + M + M)%nat in R2 by lia. rewrite turn in R2.
    replace (a + (b + M))%nat with (a + b + M)%nat in R3 by lia.
    replace (a + M + b)%nat with (a + b + M)%nat in R4 by lia.
    specialize (R2 (other _)). specialize (R3 (not_eq_sym (other _))). specialize (R4 (not_eq_sym (other _))). lra. }
  assert (same : forall a b, 0 < (f a * f (S a)) * (g b * g (S b))).
  { intros a b. pose proof (sign a (S b)) as S1. pose proof (sign (S a) b) as S2.
    replace (a + S b)%nat with (S a + b)%nat in S1 by lia.
    assert (K : 0 < (G (S a + b)%nat * G (S a + b)%nat) * ((f a * f (S a)) * (g b * g (S b)))).
    { replace (_ * _) with ((G (S a + b)%nat * (f a * g (S b))) * (G (S a + b)%nat * (f (S a) * g b))) by ring.
      now apply Rmult_lt_0_compat. }
    pose proof (Rle_0_sqr (G (S a + b)%nat)) as P. unfold Rsqr in P.
      destruct (Rle_dec ((f a * f (S a)) * (g b * g (S b))) 0); nra. }
  assert (even : forall j, 0 < f 0%nat * f (2 * j)%nat).
  { assert (step : forall a, 0 < f a * f (S (S a))).
    { intros a. pose proof (same a 0%nat) as S1. pose proof (same (S a) 0%nat) as S2.
      set (k := g 0%nat * g 1%nat) in *.
      assert (K : 0 < (k * k * (f (S a) * f (S a))) * (f a * f (S (S a)))).
      { replace (_ * _) with ((f a * f (S a) * k) * (f (S a) * f (S (S a)) * k)) by ring. now apply Rmult_lt_0_compat. }
      pose proof (Rle_0_sqr (k * f (S a))) as P. unfold Rsqr in P.
      replace (k * f (S a) * (k * f (S a))) with (k * k * (f (S a) * f (S a))) in P by ring.
      destruct (Rle_dec (f a * f (S (S a))) 0); nra. }
    induction j.
    - pose proof (step 0%nat). assert (f 0%nat <> 0) by (intros E; rewrite E in *; lra). simpl. nra.
    - replace (2 * S j)%nat with (S (S (2 * j))) by lia. pose proof (step (2 * j)%nat) as K.
      assert (0 < (f 0%nat * f (S (S (2 * j)))) * (f (2 * j)%nat * f (2 * j)%nat)).
      { replace (_ * _) with ((f 0%nat * f (2 * j)%nat) * (f (2 * j)%nat * f (S (S (2 * j))))) by ring.
        now apply Rmult_lt_0_compat. }
      pose proof (Rle_0_sqr (f (2 * j)%nat)) as P. unfold Rsqr in P.
      destruct (Rle_dec (f 0%nat * f (S (S (2 * j)))) 0); nra. }
  specialize (even q). fold M in even.
  assert (E : f M = - f 0%nat).
  { unfold f, A'. rewrite Nat.add_0_l, <- (Nat.add_0_l (M + M)), Nat.add_assoc, turn. lra. }
  rewrite E in even. nra.
Qed.
Print Assumptions one_neuron_fails_where_4_divides.
