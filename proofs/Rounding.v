(* Arithmetic that rounds: how far a computed number can lie from the exact one, in whatever order it is computed.

   An expression is a way of computing a number: which numbers it starts from, and which it adds and multiplies in
   turn, with a rounding after each operation, or one after both of a fused one. The standard model of floating point says
   of a rounding that it moves a number x by at most u|x|, or by so little that it does not matter beside the smallest
   normal number: here by at most u(|x| + t). With u = 2^-24 and ut = 2^-126 it holds of binary32, rounding to the
   nearest, as long as nothing overflows. It holds, too, where a result below 2^-126, the smallest normal number, is
   flushed to zero, or is read as zero by the next operation: either moves it by less than ut. What a machine reads of a
   number that the expression starts from is said of its own: 2^-127 times 2^20 is 0 where numbers below 2^-126 are read
   as zero. *)

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

(* What a machine may read of a stored number: below the smallest normal one, zero in its place. *)
Definition reads (stored read : R) : Prop := read = stored \/ (Rabs stored < / 2 ^ 126 /\ read = 0).

(* What a machine may get. *)
Inductive gives : expression -> R -> Prop :=
  | gives_number x y : reads x y -> gives (Number x) y
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
  induction e; simpl; econstructor; eauto. now left.
Qed.

(* A number that is zero or normal is read as it is. *)
Definition normal (x : R) : Prop := x = 0 \/ / 2 ^ 126 <= Rabs x.

Lemma normal_given x y : normal x -> gives (Number x) y -> y = x.
Proof. intros N G. inversion G as [? ? [E|[L E]]| | | |]; subst; [reflexivity|]. destruct N; lra. Qed.

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

Lemma growth_at_least k : 1 <= growth k.
Proof. pose proof u_bounds. induction k; [unfold growth; simpl; lra|]. rewrite growth_S. nra. Qed.

Lemma growth_monotone k l : (k <= l)%nat -> growth k <= growth l.
Proof. intros H. pose proof u_bounds. apply Rle_pow; [lra|assumption]. Qed.

Lemma product_within v w s r : Rabs v <= s -> Rabs w <= r -> Rabs (v * w) <= s * r.
Proof. intros V W. rewrite Rabs_mult. apply Rmult_le_compat; auto using Rabs_pos. Qed.

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

(* What a machine may get of a term: of a product what it gets of the factors, not rounded yet, as it may be fused. *)
Definition term_gives (e : expression) (y : R) : Prop :=
  match e with Product f g => exists x z, gives f x /\ gives g z /\ y = x * z | _ => gives e y end.

Definition plus (l : list R) : R := fold_right Rplus 0 l.
Definition weight (l : list R) : R := fold_right (fun y s => Rabs y + 2 * t + s) 0 l.

Lemma plus_app l m : plus (l ++ m) = plus l + plus m.
Proof. unfold plus. induction l; simpl; lra. Qed.

Lemma weight_app l m : weight (l ++ m) = weight l + weight m.
Proof. unfold weight. induction l; simpl; lra. Qed.

Lemma plus_order l m : Permutation l m -> plus l = plus m.
Proof. unfold plus. induction 1; simpl; lra. Qed.

Lemma weight_order l m : Permutation l m -> weight l = weight m.
Proof. unfold weight. induction 1; simpl; lra. Qed.

Lemma weight_covers l : l <> [] -> Rabs (plus l) <= weight l - t.
Proof.
  pose proof t_positive as T. assert (C : forall l, Rabs (plus l) <= weight l).
  { intros m. unfold plus, weight. induction m as [|y m IH]; simpl; [rewrite Rabs_R0; lra|].
    pose proof (Rabs_triang y (fold_right Rplus 0 m)). lra. }
  destruct l as [|y l]; [easy|]. intros _. specialize (C l). unfold plus, weight in *. simpl.
  pose proof (Rabs_triang y (fold_right Rplus 0 l)). lra.
Qed.

(* A computed sum of n terms is off by n roundings at most, whatever the order: each of them of what the terms weigh. *)
Lemma sum_rounds l e : sums l e -> forall z, gives e z -> exists ys, Forall2 term_gives l ys /\
  Rabs (z - plus ys) <= (growth (length l) - 1) * (weight ys - t).
Proof.
  pose proof u_bounds as U. pose proof t_positive as T.
  induction 1 as [e|l m e f E IHe F IHf|l p q e E IHe|l m e P E IHe]; intros z G.
  - assert (N : forall w, gives e w -> 0 <= (growth 1 - 1) * (weight [w] - t)).
    { intros w _. unfold weight. simpl. pose proof (Rabs_pos w). apply Rmult_le_pos; [unfold growth; simpl; lra|lra]. }
    destruct e as [v|e f|e f|e f g|e];
      try (exists [z]; split; [constructor; [exact G|constructor]|];
           replace (z - plus [z]) with 0 by (unfold plus; simpl; ring); rewrite Rabs_R0; now apply N).
    inversion G as [| |? ? x y ? X Y Z| |]; subst. exists [x * y]. split; [constructor; [now exists x, y|constructor]|].
    unfold plus, weight, growth, rounds in *. simpl. rewrite !Rplus_0_r.
    replace (((1 + u) * 1 - 1) * (Rabs (x * y) + 2 * t - t)) with (u * (Rabs (x * y) + t)) by ring. exact Z.
  - inversion G as [|? ? x y ? X Y Z| | |]; subst. destruct (IHe x X) as [xs [GX BX]]. destruct (IHf y Y) as [ys [GY BY]].
    exists (xs ++ ys). split; [now apply Forall2_app|]. rewrite app_length, plus_app, weight_app.
    pose proof (sums_some _ _ E). pose proof (sums_some _ _ F).
    pose proof (weight_covers xs) as CX. pose proof (weight_covers ys) as CY.
    assert (SX : xs <> []) by (intros ->; inversion GX; subst; simpl in *; lia).
    assert (SY : ys <> []) by (intros ->; inversion GY; subst; simpl in *; lia).
    specialize (CX SX). specialize (CY SY). pose proof (Rabs_pos (plus xs)). pose proof (Rabs_pos (plus ys)).
    set (k := Nat.max (length l) (length m)).
    pose proof (growth_monotone (length l) k ltac:(lia)). pose proof (growth_monotone (length m) k ltac:(lia)).
    pose proof (growth_monotone (S k) (length l + length m) ltac:(lia)) as M. rewrite growth_S in M.
    assert (Rabs (x - plus xs) <= (growth k - 1) * (weight xs - t))
      by (eapply Rle_trans; [exact BX|apply Rmult_le_compat_r; lra]).
    assert (Rabs (y - plus ys) <= (growth k - 1) * (weight ys - t))
      by (eapply Rle_trans; [exact BY|apply Rmult_le_compat_r; lra]).
    apply Rle_trans with (((1 + u) * growth k - 1) * ((weight xs - t + (weight ys - t)) + t));
      [|replace (weight xs - t + (weight ys - t) + t) with (weight xs + weight ys - t) by ring;
        apply Rmult_le_compat_r; lra].
    apply (rounded_near _ (x + y)); [apply growth_at_least| | |assumption].
    + pose proof (Rabs_triang (plus xs) (plus ys)). lra.
    + replace (x + y - (plus xs + plus ys)) with ((x - plus xs) + (y - plus ys)) by ring.
      pose proof (Rabs_triang (x - plus xs) (y - plus ys)). lra.
  - inversion G as [| | |? ? ? x' y' w ? X Y W Z|]; subst. destruct (IHe w W) as [ws [GW BW]].
    exists (x' * y' :: ws). split; [constructor; [now exists x', y'|assumption]|].
    pose proof (sums_some _ _ E).
    assert (SW : ws <> []) by (intros ->; inversion GW; subst; simpl in *; lia).
    pose proof (weight_covers ws SW) as C. pose proof (Rabs_pos (plus ws)). pose proof (Rabs_pos (x' * y')).
    pose proof (growth_at_least (length l)). change (length (Product p q :: l)) with (S (length l)). rewrite growth_S.
    change (plus (x' * y' :: ws)) with (x' * y' + plus ws).
    change (weight (x' * y' :: ws)) with (Rabs (x' * y') + 2 * t + weight ws).
    replace (Rabs (x' * y') + 2 * t + weight ws - t) with (Rabs (x' * y') + (weight ws - t) + t + t) by ring.
    apply Rle_trans with (((1 + u) * growth (length l) - 1) * (Rabs (x' * y') + (weight ws - t) + t));
      [|apply Rmult_le_compat_l; [nra|lra]].
    apply (rounded_near _ (x' * y' + w)); [assumption| | |assumption].
    + pose proof (Rabs_triang (x' * y') (plus ws)). lra.
    + replace (x' * y' + w - (x' * y' + plus ws)) with (w - plus ws) by ring. eapply Rle_trans; [exact BW|].
      apply Rmult_le_compat_l; lra.
  - destruct (IHe z G) as [ys [GY B]]. destruct (Permutation_Forall2 P GY) as [zs [Q GZ]]. exists zs.
    split; [assumption|]. now rewrite <- (Permutation_length P), <- (plus_order _ _ Q), <- (weight_order _ _ Q).
Qed.

(* What a machine gets of a term lies within r of it. *)
Definition within_of (e : expression) (r : R) : Prop := forall y, term_gives e y -> Rabs (y - exact e) <= r.

Theorem error_of_sum l e z rs : sums l e -> gives e z -> Forall2 within_of l rs ->
  Rabs (z - exact e) <= plus rs + (growth (length l) - 1) * (total (fun f => Rabs (exact f) + 2 * t) l + plus rs).
Proof.
  intros S G W. destruct (sum_rounds l e S z G) as [ys [Y B]]. rewrite (sums_exact l e S).
  assert (N : Rabs (plus ys - total exact l) <= plus rs /\
              weight ys <= total (fun f => Rabs (exact f) + 2 * t) l + plus rs).
  { clear S G B. revert rs W. unfold plus, weight, total.
    induction Y as [|f y l ys F Y IH]; intros rs W; inversion W as [|? r ? rs' Wf Wl]; subst; simpl.
    - rewrite Rminus_0_r, Rabs_R0. lra.
    - destruct (IH rs' Wl) as [I J]. specialize (Wf y F). split.
      + match goal with |- Rabs (y + ?p - (exact f + ?q)) <= _ =>
          replace (y + p - (exact f + q)) with ((y - exact f) + (p - q)) by ring;
          pose proof (Rabs_triang (y - exact f) (p - q)) end. lra.
      + pose proof (Rabs_triang (y - exact f) (exact f)) as A. replace (y - exact f + exact f) with y in A by ring. lra. }
  destruct N as [N V]. pose proof t_positive. pose proof (growth_at_least (length l)).
  assert ((growth (length l) - 1) * (weight ys - t) <=
    (growth (length l) - 1) * (total (fun f => Rabs (exact f) + 2 * t) l + plus rs)) by (apply Rmult_le_compat_l; lra).
  pose proof (Rabs_triang (z - plus ys) (plus ys - total exact l)) as A.
  replace (z - plus ys + (plus ys - total exact l)) with (z - total exact l) in A by ring. lra.
Qed.
