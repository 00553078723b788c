(* A program that tries every input, and what it proves when it answers `true`.

   For every (a, b) it lists the neurons that fire, each with its activation and where its row of W begins. A logit is a
   sum over this list. The proof goes three steps: what is computed is the score up to multiples of 2^63; the score is
   too small for that to matter, by the largest entries, which the program looks up; so every comparison is true. *)

From Coq Require Import ZArith Lia List Bool Uint63 PArray.
From Coq Require Sint63.
From Modadd Require Import Network Ball Machine.
Open Scope uint63_scope.

(* Tables as printed, row by row. *)
Record printed := Printed { PA : array int; PB : array int; PW : array int; PC : array int; PD : array int }.

Definition tables_of (n h : nat) (P : printed) : tables :=
  Tables (entry (PA P) h) (entry (PB P) h) (entry (PW P) n) (entry (PC P) n) (entry (PD P) n).

(* The largest entries that may occur: of A and B, of W, of C and D. *)
Record limits := Limits { inner : Z; outer : Z; beside : Z }.

Definition score_limit (h : nat) (unit : Z) (L : limits) : Z :=
  (Z.of_nat h * (2 * inner L * outer L) + unit * (2 * beside L))%Z.

Definition sizes_right (n h : nat) (unit : Z) (L : limits) (P : printed) : bool :=
  within (n * h) (inner L) (PA P) && within (n * h) (inner L) (PB P) && within (h * n) (outer L) (PW P) &&
  within (n * n) (beside L) (PC P) && within (n * n) (beside L) (PD P) &&
  (4 * inner L <? half)%Z && (0 <=? unit)%Z && (4 * score_limit h unit L <? half)%Z && (4 * Z.of_nat n <? half)%Z.

(* Every answer c but the right one, t, stays below it by more than `lead`, for logits as some program gives them. *)
Definition answers_right (n : nat) (lead : Z) (logits : int -> int -> int -> int) : bool :=
  let size := idx n in
  let ahead := of_Z lead in
  every n (fun a => let row := logits a in every n (fun b =>
    let f := row b in
    let t := if Sint63.ltb (a + b) size then a + b else a + b - size in
    let limit := f t - ahead in
    every n (fun c => (c =? t) || Sint63.ltb (f c) limit))).

(* The neurons that fire, and their sum to the answer c. *)
Section Trying.
  Variables (n h : nat) (unit : Z) (P : printed).

  Fixpoint firing (k : nat) (a b w size : int) : list (int * int) :=
    match k with
    | O => nil
    | S l =>
        let x := (PA P).[a] + (PB P).[b] in
        let rest := firing l (a + 1) (b + 1) (w + size) size in
        if Sint63.ltb 0 x then (w, x) :: rest else rest
    end.

  Fixpoint weigh (fired : list (int * int)) (c sum : int) : int :=
    match fired with nil => sum | (w, x) :: rest => weigh rest c (sum + x * (PW P).[w + c]) end.

  Definition tried (a b : int) : int -> int :=
    let width := idx h in
    let size := idx n in
    let scale := of_Z unit in
    let fired := firing h (a * width) (b * width) 0 size in
    fun c => weigh fired c (scale * ((PC P).[a * size + c] + (PD P).[b * size + c])).
End Trying.

Definition answers_right_by_trying (n h : nat) (P : printed) (unit lead : Z) (L : limits) : bool :=
  sizes_right n h unit L P && ((0 <=? lead) && (4 * lead <? half))%Z && answers_right n lead (tried n h unit P).

(* Proofs. *)

Lemma zsum_plus_one f k : zsum f (S k) = (f O + zsum (fun m => f (S m)) k)%Z.
Proof. induction k; [simpl; lia|]. change (zsum f (S (S k))) with (zsum f (S k) + f (S k))%Z. rewrite IHk. simpl.
  lia. Qed.

Lemma zsum_ext f g k : (forall m, (m < k)%nat -> f m = g m) -> zsum f k = zsum g k.
Proof. induction k; intros E; simpl; [reflexivity|]. rewrite IHk, E; auto. Qed.

Lemma zsum_limit f e k : (forall m, (m < k)%nat -> Z.abs (f m) <= e)%Z -> (Z.abs (zsum f k) <= Z.of_nat k * e)%Z.
Proof.
  induction k; intros E; [simpl; lia|]. simpl zsum.
  assert (Z.abs (f k) <= e)%Z by (apply E; lia).
  assert (Z.abs (zsum f k) <= Z.of_nat k * e)%Z by (apply IHk; intros; apply E; lia). lia.
Qed.

Section Proofs.
  Variables (n h : nat) (unit : Z) (P : printed) (L : limits).
  Hypothesis sizes : sizes_right n h unit L P = true.
  Let T := tables_of n h P.

  Lemma sizes_bounded : bounded n h (inner L) (outer L) T.
  Proof.
    unfold sizes_right in sizes. rewrite !andb_true_iff in sizes.
    destruct sizes as [[[[[[[[HA HB] HW] HC] HD] _] _] _] _].
    split; intros; eapply within_entry; eauto.
  Qed.

  Lemma modulus_small : (4 * Z.of_nat n < half)%Z.
  Proof. unfold sizes_right in sizes. rewrite !andb_true_iff, !Z.ltb_lt in sizes. tauto. Qed.

  Lemma inner_small : (4 * inner L < half)%Z.
  Proof. unfold sizes_right in sizes. rewrite !andb_true_iff, !Z.ltb_lt in sizes. tauto. Qed.

  Lemma score_small a b c : (a < n)%nat -> (b < n)%nat -> (c < n)%nat -> (4 * Z.abs (score h unit T a b c) < half)%Z.
  Proof.
    intros la lb lc. destruct sizes_bounded as [bA bB bW].
    unfold sizes_right in sizes. rewrite !andb_true_iff, !Z.ltb_lt, Z.leb_le in sizes.
    destruct sizes as [[[[[[[[_ _] _] HC] HD] _] U] S] _].
    assert (C : (Z.abs (IC T a c) <= beside L)%Z) by (eapply within_entry; eauto).
    assert (D : (Z.abs (ID T b c) <= beside L)%Z) by (eapply within_entry; eauto).
    assert (E : (Z.abs (zsum (fun i => Z.max (IA T a i + IB T b i) 0 * IW T i c) h)
                 <= Z.of_nat h * (2 * inner L * outer L))%Z).
    { apply zsum_limit. intros i li. specialize (bA a i la li). specialize (bB b i lb li). specialize (bW i c li lc).
      rewrite Z.abs_mul. apply Z.mul_le_mono_nonneg; lia. }
    unfold score, score_limit in *.
    assert (Z.abs (unit * (IC T a c + ID T b c)) <= unit * (2 * beside L))%Z by (rewrite Z.abs_mul; nia). lia.
  Qed.

  (* A preactivation does not pass 2^62, so its sign is the true one. *)
  Lemma preactivation a b i : (a < n)%nat -> (b < n)%nat -> (i < h)%nat ->
    val ((PA P).[idx (a * h + i)] + (PB P).[idx (b * h + i)]) = (IA T a i + IB T b i)%Z.
  Proof.
    intros la lb li. destruct sizes_bounded as [bA bB _]. specialize (bA a i la li). specialize (bB b i lb li).
    pose proof inner_small.
    rewrite <- (of_Z_val (PA P).[_]), <- (of_Z_val (PB P).[_]), of_Z_plus.
    apply (val_of_Z (IA T a i + IB T b i)). lia.
  Qed.

  Lemma firing_spec a b c (la : (a < n)%nat) (lb : (b < n)%nat) : forall k i start, (i + k = h)%nat ->
    weigh P (firing P k (idx (a * h + i)) (idx (b * h + i)) (idx (i * n)) (idx n)) (idx c) (of_Z start) =
    of_Z (start + zsum (fun m => Z.max (IA T a (i + m) + IB T b (i + m)) 0 * IW T (i + m) c) k)%Z.
  Proof.
    induction k; intros i start E; [simpl; f_equal; lia|].
    rewrite zsum_plus_one, Nat.add_0_r. cbn [firing].
    rewrite !idx_succ, idx_plus. replace (S (a * h + i)) with (a * h + S i)%nat by lia.
    replace (S (b * h + i)) with (b * h + S i)%nat by lia. replace (i * n + n)%nat with (S i * n)%nat by lia.
    rewrite less_val, preactivation by lia. change (val 0) with 0%Z.
    rewrite (zsum_ext _ (fun m => Z.max (IA T a (S i + m) + IB T b (S i + m)) 0 * IW T (S i + m) c)%Z)
      by (intros; now rewrite Nat.add_succ_r).
    destruct (Z.ltb_spec 0 (IA T a i + IB T b i)).
    - cbn [weigh]. rewrite idx_plus.
      rewrite <- (of_Z_val ((PA P).[_] + _)), preactivation, <- (of_Z_val (PW P).[_]), of_Z_times, of_Z_plus,
        IHk by lia.
      f_equal. rewrite Z.max_l by lia. unfold T, tables_of, entry. simpl. lia.
    - rewrite IHk by lia. f_equal. rewrite Z.max_r by lia. lia.
  Qed.

  Lemma tried_spec a b c : (a < n)%nat -> (b < n)%nat -> (c < n)%nat ->
    val (tried n h unit P (idx a) (idx b) (idx c)) = score h unit T a b c.
  Proof.
    intros la lb lc. unfold tried. rewrite !idx_at, !idx_times.
    rewrite <- (of_Z_val (PC P).[_]), <- (of_Z_val (PD P).[_]), of_Z_plus, of_Z_times.
    pose proof (firing_spec a b c la lb h 0 (unit * (IC T a c + ID T b c))%Z eq_refl) as S.
    rewrite !Nat.add_0_r in S. simpl (0 * n)%nat in S. change (idx 0) with 0 in S. 
    replace (of_Z (unit * (val (PC P).[idx (a * n + c)] + val (PD P).[idx (b * n + c)])))
      with (of_Z (unit * (IC T a c + ID T b c))) by reflexivity.
    rewrite S. pose proof (score_small a b c la lb lc).
    transitivity (val (of_Z (score h unit T a b c))); [do 2 f_equal; unfold score; simpl; lia|apply val_of_Z; lia].
  Qed.

  (* Whatever program gives the score: its answers are right if the test says so. *)
  Lemma answers_right_spec lead logits :
    (forall a b c, (a < n)%nat -> (b < n)%nat -> (c < n)%nat ->
      val (logits (idx a) (idx b) (idx c)) = score h unit T a b c) ->
    (0 <= lead)%Z -> (4 * lead < half)%Z -> answers_right n lead logits = true -> leads n h unit lead T.
  Proof.
    intros S l0 l1 H a b c la lb lc wrong. unfold answers_right in H.
    apply (every_spec _ _ H) in la as H'. cbv beta zeta in H'. apply (every_spec _ _ H') in lb as H''.
      cbv beta zeta in H''.
    apply (every_spec _ _ H'') in lc as H3. cbv beta in H3. clear H H' H''.
    pose proof modulus_small.
    assert (E : (if Sint63.ltb (idx a + idx b) (idx n) then idx a + idx b else idx a + idx b - idx n) = idx ((a + b)
      mod n)).
    { rewrite idx_plus, less_val, !idx_val by lia. destruct (Z.ltb_spec (Z.of_nat (a + b)) (Z.of_nat n)).
      - now rewrite Nat.mod_small by lia.
      - unfold idx. rewrite of_Z_minus. f_equal.
        replace (a + b)%nat with ((a + b - n) + 1 * n)%nat by lia. rewrite Nat.mod_add, Nat.mod_small by lia. lia. }
    rewrite E in H3. assert (lt : ((a + b) mod n < n)%nat) by (apply Nat.mod_upper_bound; lia).
    pose proof (score_small a b _ la lb lt).
    apply orb_true_iff in H3 as [H3|H3].
    - apply eqb_spec, idx_inj in H3; lia.
    - rewrite less_val, S, Z.ltb_lt in H3 by assumption.
      rewrite <- (of_Z_val (logits _ _ _)), of_Z_minus, S, val_of_Z in H3 by (try assumption; lia). lia.
  Qed.
End Proofs.

Theorem answers_right_by_trying_spec n h P unit lead L :
  answers_right_by_trying n h P unit lead L = true -> leads n h unit lead (tables_of n h P).
Proof.
  unfold answers_right_by_trying. rewrite !andb_true_iff, Z.leb_le, Z.ltb_lt. intros [[S [l0 l1]] H].
  apply (answers_right_spec n h unit P L S lead (tried n h unit P)); auto.
  intros. now apply (tried_spec n h unit P L S).
Qed.
