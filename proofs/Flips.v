(* A shorter way to every logit: only neurons that turn on or off change a sum.

   With u = A_i(a) + B_i(b), Σ ReLU(u) W_i = Σ [u > 0] A_i(a) W_i + Σ [u > 0] B_i(b) W_i. In the first sum fix a and walk
   through b. From one step to the next a row of sums changes only by the neurons that flip, each by ±A_i(a) W_i. Neurons
   are cosines, so on a walk in the order of k b mod n, k the frequency of the neuron, they flip about twice. The second
   sum walks through a. Nothing is assumed of the walks: any order gives the same sums, a good one gives them sooner. *)

From Coq Require Import ZArith Lia List Bool Uint63 PArray.
From Coq Require Sint63.
From Modadd Require Import Network Ball Machine Answers Parameters.
Open Scope uint63_scope.

(* Each neuron belongs to a group, and each group has a walk through the residues. *)
Record walking := Walking { group : array int; walks : list (list int) }.

Definition row := list int.

Fixpoint reads (k : nat) (X : array int) (p : int) : row :=
  match k with O => nil | S l => X.[p] :: reads l X (p + 1) end.

(* Rows added, the second one times x. *)
Fixpoint plus_row (x : int) (w s : row) : row :=
  match w, s with
  | v :: w', t :: s' => (t + x * v) :: plus_row x w' s'
  | _, _ => nil
  end.

(* The values of a function in order, and one of them. *)
Fixpoint listed {X : Type} (k : nat) (f : int -> X) (i : int) : list X :=
  match k with O => nil | S l => f i :: listed l f (i + 1) end.

Fixpoint picked {X : Type} (l : list X) (i : int) (nothing : X) : X :=
  match l with nil => nothing | x :: rest => if i =? 0 then x else picked rest (i - 1) nothing end.

Section Walking.
  Variables (n h : nat) (P : printed) (G : walking).

  (* The neurons of group g, each with its row of W. *)
  Fixpoint members (k : nat) (g i w size : int) : list (int * row) :=
    match k with
    | O => nil
    | S l => let rest := members l g (i + 1) (w + size) size in
             if (group G).[i] =? g then (i, reads n (PW P) w) :: rest else rest
    end.

  (* Sums along a walk, a row of them for each step. X: the table of the fixed residue, whose row begins at x. *)
  Section Line.
    Variables (X Y : array int) (x width : int).

    Definition fires (y i : int) : bool := Sint63.ltb 0 (X.[x + i] + Y.[y * width + i]).

    Fixpoint turn (neurons : list (int * row)) (before now : int -> bool) (s : row) : row :=
      match neurons with
      | nil => s
      | (i, w) :: rest =>
          turn rest before now
            (if now i then if before i then s else plus_row X.[x + i] w s
             else if before i then plus_row (0 - X.[x + i]) w s else s)
      end.

    Fixpoint walked (neurons : list (int * row)) (walk : list int) (before : int ->
      bool) (s : row) : list (int * row) :=
      match walk with
      | nil => nil
      | y :: rest => let s' := turn neurons before (fires y) s in (y, s') :: walked neurons rest (fires y) s'
      end.
  End Line.

  Fixpoint found (y : int) (rows : list (int * row)) : row :=
    match rows with nil => nil | (z, s) :: rest => if z =? y then s else found y rest end.

  Definition zeros : row := map (fun _ => 0) (seq 0 n).

  (* For the fixed residue x, the sums over all groups at every y. *)
  Definition line (groups : list (list (int * row) * list int)) (X Y : array int) (x : int) : list row :=
    let width := idx h in
    let all := map (fun pair => walked X Y (x * width) width (fst pair) (snd pair) (fun _ => false) zeros) groups in
    listed n (fun y => fold_right (fun rows s => plus_row 1 (found y rows) s) zeros all) 0.

  Fixpoint grouped (all : list (list int)) (g : int) : list (list (int * row) * list int) :=
    match all with nil => nil | walk :: rest => (members h g 0 0 (idx n), walk) :: grouped rest (g + 1) end.

  Fixpoint loaded (s : row) (i : int) (t : array int) : array int :=
    match s with nil => t | v :: rest => loaded rest (i + 1) t.[i <- v] end.

  Definition by_flips (unit : Z) : int -> int -> int -> int :=
    let size := idx n in
    let scale := of_Z unit in
    let groups := grouped (walks G) 0 in
    let second := listed n (line groups (PB P) (PA P)) 0 in
    fun a =>
      let first := line groups (PA P) (PB P) a in
      let beside := reads n (PC P) (a * size) in
      fun b =>
        let s := plus_row scale (plus_row 1 beside (reads n (PD P) (b * size)))
                                (plus_row 1 (picked first b nil) (picked (picked second b nil) a nil)) in
        let t := loaded s 0 (make size 0) in
        fun c => t.[c].

  (* Every neuron has a group, and every walk comes by every residue. *)
  Definition walks_complete : bool :=
    let count := idx (List.length (walks G)) in
    fits n && (Z.of_nat (List.length (walks G)) <? half)%Z && (Z.of_nat h <? half)%Z &&
    every h (fun i => (group G).[i] <? count) && every n (fun y => forallb (existsb (eqb y)) (walks G)).

  Definition answers_right_by_flips (unit lead : Z) (L : limits) : bool :=
    sizes_right n h unit L P && ((0 <=? lead) && (4 * lead <? half))%Z && walks_complete &&
      answers_right n lead (by_flips unit).
End Walking.

(* Proofs. A row stands for a function of the answer c. *)

Definition row_of (n : nat) (f : nat -> Z) : row := map (fun c => of_Z (f c)) (seq 0 n).

Lemma row_of_ext n f g : (forall c, (c < n)%nat -> f c = g c) -> row_of n f = row_of n g.
Proof. intros E. apply map_ext_in. intros c I. apply in_seq in I. rewrite E by lia. reflexivity. Qed.

Lemma plus_row_of n x f g : plus_row (of_Z x) (row_of n f) (row_of n g) = row_of n (fun c => g c + x * f c)%Z.
Proof.
  unfold row_of. generalize (seq 0 n). induction l as [|c l IH]; [reflexivity|]. simpl.
    rewrite IH, of_Z_times, of_Z_plus. reflexivity.
Qed.

Lemma reads_spec X : forall k p, reads k X (idx p) = row_of k (fun c => val X.[idx (p + c)]).
Proof.
  unfold row_of. induction k; intros p; [reflexivity|]. cbn [reads seq map].
    rewrite idx_succ, IHk, <- seq_shift, map_map.
  rewrite Nat.add_0_r, of_Z_val. apply (f_equal (cons _)), map_ext. intros c. now rewrite Nat.add_succ_r.
Qed.

Lemma zeros_spec n : zeros n = row_of n (fun _ => 0%Z).
Proof. reflexivity. Qed.

Fixpoint lsum (f : nat -> Z) (l : list nat) : Z := match l with nil => 0 | m :: rest => f m + lsum f rest end.

Lemma lsum_ext f g l : (forall m, In m l -> f m = g m) -> lsum f l = lsum g l.
Proof.
  induction l as [|m l IH]; intros E; simpl; [reflexivity|].
  rewrite (E m), IH; [reflexivity|intros; apply E|]; simpl; auto.
Qed.

Lemma lsum_zero l : lsum (fun _ => 0%Z) l = 0%Z.
Proof. induction l; simpl; lia. Qed.

Lemma lsum_plus f g l : lsum (fun m => f m + g m)%Z l = (lsum f l + lsum g l)%Z.
Proof. induction l; simpl; lia. Qed.

Lemma lsum_zsum f : forall k i, lsum f (seq i k) = zsum (fun m => f (i + m)%nat) k.
Proof.
  induction k; intros i; [reflexivity|]. rewrite zsum_plus_one. cbn [seq lsum]. rewrite IHk, Nat.add_0_r. apply f_equal.
  apply zsum_ext. intros. apply f_equal. lia.
Qed.

Lemma listed_spec {X} (f : int -> X) : forall k i, listed k f (idx i) = map (fun m => f (idx m)) (seq i k).
Proof. induction k; intros i; [reflexivity|]. cbn [listed seq map]. now rewrite idx_succ, IHk. Qed.

Lemma picked_spec {X} (f : nat -> X) d : forall k i m, (Z.of_nat k < half)%Z -> (m < k)%nat ->
  picked (map f (seq i k)) (idx m) d = f (i + m)%nat.
Proof.
  induction k; intros i m K M; [lia|]. cbn [seq map picked]. destruct m.
  - change (idx 0 =? 0) with true. now rewrite Nat.add_0_r.
  - destruct (idx (S m) =? 0) eqn:E.
    + apply eqb_spec in E. change 0 with (idx 0) in E. apply idx_inj in E; unfold half in *; lia.
    + replace (idx (S m) - 1) with (idx m) by (change 1 with (idx 1); unfold idx; rewrite of_Z_minus; f_equal; lia).
      rewrite IHk by lia. f_equal. lia.
Qed.

(* What is split into groups adds up to the whole. *)

Lemma zsum_zero F : zsum (fun _ => 0%Z) F = 0%Z.
Proof. induction F; simpl; lia. Qed.

Lemma zsum_plus f g F : zsum (fun j => f j + g j)%Z F = (zsum f F + zsum g F)%Z.
Proof. induction F; simpl; lia. Qed.

Lemma zsum_one F (x : Z) j0 : (j0 < F)%nat -> zsum (fun j => if Nat.eqb j0 j then x else 0)%Z F = x.
Proof.
  induction F; intros L; [lia|]. simpl. destruct (Nat.eqb_spec j0 F).
  - rewrite (zsum_ext _ (fun _ => 0%Z)), zsum_zero; [lia|]. intros j J.
    destruct (Nat.eqb_spec j0 j); [lia|reflexivity].
  - rewrite IHF by lia. lia.
Qed.

Lemma grouping_total (f : nat -> Z) (of : nat -> nat) F l : (forall m, In m l -> (of m < F)%nat) ->
  zsum (fun j => lsum f (filter (fun m => Nat.eqb (of m) j) l)) F = lsum f l.
Proof.
  induction l as [|m l IH]; intros H; [apply zsum_zero|]. simpl lsum at 2.
  rewrite <- IH by (intros; apply H; simpl; auto).
  rewrite <- (zsum_one F (f m) (of m)) at 1 by (apply H; simpl; auto).
  rewrite <- zsum_plus. apply zsum_ext. intros j J. simpl. destruct (Nat.eqb (of m) j); reflexivity.
Qed.

Section Proofs.
  Variables (n h : nat) (P : printed) (G : walking).

  Definition W_row (m : nat) : row := row_of n (fun c => entry (PW P) n m c).

  Lemma members_spec g : forall k i, members n P G k g (idx i) (idx (i * n)) (idx n) =
    map (fun m => (idx m, W_row m)) (filter (fun m => (group G).[idx m] =? g) (seq i k)).
  Proof.
    induction k; intros i; [reflexivity|]. cbn [members seq filter]. rewrite idx_succ, idx_plus.
    replace (i * n + n)%nat with (S i * n)%nat by lia. rewrite IHk, reads_spec.
    destruct ((group G).[idx i] =? g); reflexivity.
  Qed.

  Section Line.
    Variables (X Y : array int) (x : nat).

    Let fire y := fires X Y (idx (x * h)) (idx h) (idx y).
    Let part (on : int -> bool) (m c : nat) : Z := if on (idx m) then entry X h x m * entry (PW P) n m c else 0%Z.

    Lemma turn_spec before now : forall l f,
      turn X (idx (x * h)) (map (fun m => (idx m, W_row m)) l) before now (row_of n f) =
      row_of n (fun c => f c + lsum (fun m => part now m c - part before m c) l)%Z.
    Proof.
      induction l as [|m l IH]; intros f; cbn [map turn lsum].
      - apply row_of_ext. intros. lia.
      - rewrite idx_plus. fold (entry X h x m).
        assert (E : X.[idx (x * h + m)] = of_Z (entry X h x m)) by (unfold entry; now rewrite of_Z_val).
        assert (E' : 0 - X.[idx (x * h + m)] = of_Z (- entry X h x m)) by (rewrite E; change 0 with (of_Z 0);
          rewrite of_Z_minus; f_equal; lia).
        rewrite E', E. unfold W_row at 2 3. rewrite !plus_row_of.
        destruct (now (idx m)) eqn:N1, (before (idx m)) eqn:N2; rewrite IH; apply row_of_ext; intros c C;
          unfold part at 3 4; rewrite N1, N2; lia.
    Qed.

    Lemma walked_spec l : forall walk before f, (forall c, (c < n)%nat -> f c = lsum (fun m => part before m c) l) ->
      forall y s, In (y, s) (walked X Y (idx (x * h)) (idx h) (map (fun m => (idx m, W_row m)) l)
        walk before (row_of n f)) ->
      s = row_of n (fun c => lsum (fun m => part (fires X Y (idx (x * h)) (idx h) y) m c) l).
    Proof.
      induction walk as [|z walk IH]; intros before f F y s; cbn [walked In]; [tauto|].
      rewrite turn_spec.
      assert (E : row_of n (fun c => f c + lsum (fun m => part (fires X Y (idx (x * h)) (idx h) z)
        m c - part before m c) l)%Z =
                  row_of n (fun c => lsum (fun m => part (fires X Y (idx (x * h)) (idx h) z) m c) l)).
      { apply row_of_ext. intros c C. rewrite F by assumption. rewrite <- lsum_plus. apply lsum_ext. intros. lia. }
      rewrite E. intros [H|H].
      - inversion H. reflexivity.
      - apply IH in H; [exact H|reflexivity].
    Qed.

    Lemma walked_keys neurons : forall walk before s, map fst (walked X Y (idx (x * h)) (idx h)
      neurons walk before s) = walk.
    Proof. induction walk; intros; simpl; [reflexivity|]. now rewrite IHwalk. Qed.

    Lemma found_in y rows : In y (map fst rows) -> In (y, found y rows) rows.
    Proof.
      induction rows as [|[z s] rows IH]; simpl; [tauto|]. intros I. destruct (z =? y) eqn:E.
      - apply eqb_spec in E. subst. auto.
      - right. apply IH. destruct I as [I|I]; [|assumption]. subst. rewrite eqb_refl in E. discriminate.
    Qed.

    Hypothesis complete : walks_complete n h G = true.

    Let in_group (g : int) := filter (fun m => (group G).[idx m] =? g) (seq 0 h).

    Lemma grouped_spec (y : int) : forall all g, (forall walk, In walk all -> In y walk) ->
      fold_right (fun rows s => plus_row 1 (found y rows) s) (zeros n)
        (map (fun pair => walked X Y (idx (x * h)) (idx h) (fst pair) (snd pair) (fun _ => false) (zeros n))
          (grouped n h P G all (idx g))) =
      row_of n (fun c => zsum (fun j => lsum (fun m => part (fires X Y (idx (x * h)) (idx h) y) m c)
        (in_group (idx (g + j)))) (List.length all)).
    Proof.
      induction all as [|walk all IH]; intros g I; [reflexivity|]. cbn [grouped map fold_right fst snd List.length].
      rewrite idx_succ, IH by (intros; apply I; simpl; auto).
      pose proof (members_spec (idx g) h 0) as M. simpl (0 * n)%nat in M. change (idx 0) with 0 in M. rewrite M.
        clear M.
      match goal with |- context [found y ?rows] => assert (F : In (y, found y rows) rows) by (apply found_in;
        rewrite walked_keys; apply I; simpl; auto) end.
      rewrite zeros_spec in F at 2.
      apply (walked_spec (in_group (idx g))) in F.
      2:{ intros c C. symmetry. apply lsum_zero. }
      rewrite zeros_spec in *. unfold in_group at 1 in F. rewrite F. change 1 with (of_Z 1). rewrite plus_row_of.
        apply row_of_ext. intros c C.
      (* the first group is moved to the end of the sum *)
      set (q := fun j => lsum (fun m => part (fires X Y (idx (x * h)) (idx h) y) m c) (in_group (idx j))).
      change (zsum (fun j => q (S g + j)%nat) (List.length all) + 1 * q g =
        zsum (fun j => q (g + j)%nat) (S (List.length all)))%Z.
      clear. induction (List.length all) as [|F IH]; [cbn [zsum]; rewrite Nat.add_0_r; lia|].
      cbn [zsum] in *. replace (S g + F)%nat with (g + S F)%nat by lia. lia.
    Qed.

    Lemma line_spec y : (y < n)%nat ->
      picked (line n h (grouped n h P G (walks G) 0) X Y (idx x)) (idx y)
        nil = row_of n (fun c => zsum (fun m => part (fire y) m c) h).
    Proof.
      intros ly. unfold walks_complete in complete. rewrite !andb_true_iff, !Z.ltb_lt in complete.
      destruct complete as [[[[Ns Fs] Hs] E] V].
      assert (Nh : (Z.of_nat n < half)%Z) by (unfold fits in Ns; apply Z.leb_le in Ns; pose proof max_length_small;
        lia).
      unfold line. change 0 with (idx 0) at 2. rewrite listed_spec, (picked_spec (X := row) _ nil n 0) by assumption.
      rewrite Nat.add_0_l, idx_times. change 0 with (idx 0) at 1. rewrite grouped_spec.
      - apply row_of_ext. intros c C. rewrite <- (lsum_zsum (fun m => part (fire y) m c)
        h 0 : _ = zsum (fun m => part (fire y) m c) h).
        set (of := fun m => Z.to_nat (to_Z (group G).[idx m])).
        assert (B : forall m, In m (seq 0 h) -> (of m < List.length (walks G))%nat /\ (group G).[idx m] = idx (of m)).
        { intros m M. apply in_seq in M. pose proof (every_spec _ _ E m ltac:(lia)) as L. cbv beta in L.
          apply ltb_spec in L. rewrite idx_to_Z in L by assumption. pose proof (to_Z_bounded (group G).[idx m]).
          unfold of. split; [lia|]. unfold idx at 2. rewrite Z2Nat.id by lia. now rewrite of_to_Z. }
        rewrite <- (grouping_total _ of (List.length (walks G))) by (intros m M; now apply B).
        apply zsum_ext. intros j J. unfold in_group. rewrite Nat.add_0_l. f_equal. apply filter_ext_in. intros m M.
        destruct (B m M) as [B1 B2]. rewrite B2. destruct (Nat.eqb_spec (of m) j) as [D|D].
        + rewrite D. apply eqb_refl.
        + destruct (idx (of m) =? idx j) eqn:K; [|reflexivity]. apply eqb_spec, idx_inj in K; lia.
      - intros walk W. pose proof (every_spec _ _ V y ly) as L. cbv beta in L. rewrite forallb_forall in L.
        specialize (L walk W). apply existsb_exists in L as [z [Z1 Z2]]. apply eqb_spec in Z2. now subst.
    Qed.
  End Line.

  Lemma loaded_other : forall s i t m, (m < i)%nat -> (Z.of_nat (i + List.length s) < half)%Z ->
    (loaded s (idx i) t).[idx m] = t.[idx m].
  Proof.
    induction s as [|v s IH]; intros i t m M L; [reflexivity|]. cbn [loaded List.length] in *.
      rewrite idx_succ, IH by lia.
    apply set_other. intros E. apply idx_inj in E; lia.
  Qed.

  Lemma loaded_spec f : forall k i t m, (Z.of_nat (i + k) <= to_Z (length t))%Z -> (to_Z (length t) < half)%Z ->
    (m < k)%nat ->
    (loaded (map f (seq i k)) (idx i) t).[idx (i + m)] = f (i + m)%nat.
  Proof.
    induction k; intros i t m L B M; [lia|]. cbn [seq map loaded]. rewrite idx_succ. destruct m.
    - rewrite Nat.add_0_r, loaded_other; [|lia|rewrite map_length, seq_length; lia].
      apply set_same. apply ltb_spec. rewrite idx_to_Z; lia.
    - replace (i + S m)%nat with (S i + m)%nat by lia. apply IHk; rewrite ?size_set; lia.
  Qed.

  Variables (unit : Z) (L : limits).
  Hypothesis sizes : sizes_right n h unit L P = true.
  Hypothesis complete : walks_complete n h G = true.
  Let T := tables_of n h P.

  Lemma by_flips_spec a b c : (a < n)%nat -> (b < n)%nat -> (c < n)%nat ->
    val (by_flips n h P G unit (idx a) (idx b) (idx c)) = score h unit T a b c.
  Proof.
    intros la lb lc. unfold by_flips. rewrite !idx_times, !reads_spec.
    pose proof (modulus_small n h unit P L sizes) as small.
    assert (fit : fits n = true) by (unfold walks_complete in complete; rewrite !andb_true_iff in complete; tauto).
    change 0 with (idx 0) at 3. rewrite listed_spec, (picked_spec (X := list row) _ nil n 0) by lia.
      rewrite Nat.add_0_l.
    rewrite !line_spec by assumption.
    change 1 with (of_Z 1). rewrite !plus_row_of. unfold row_of.
    change 0 with (idx 0) at 1. pose proof max_length_small.
    assert (E : length (make (idx n) 0) = idx n).
    { rewrite size_make. unfold fits in fit. rewrite Z.leb_le in fit.
      replace (idx n <=? max_length) with true; [reflexivity|].
      symmetry. apply leb_spec. rewrite idx_to_Z; lia. }
    change (idx c) with (idx (0 + c)). rewrite loaded_spec by (rewrite ?E, ?idx_to_Z; lia). rewrite Nat.add_0_l.
    transitivity (val (of_Z (score h unit T a b c))).
    - do 2 f_equal. unfold score.
      assert (S : zsum (fun i => Z.max (IA T a i + IB T b i) 0 * IW T i c)%Z h =
        (zsum (fun m => if fires (PB P) (PA P) (idx (b * h)) (idx h) (idx a) (idx m) then entry (PB P)
          h b m * entry (PW P) n m c else 0) h
         + zsum (fun m => if fires (PA P) (PB P) (idx (a * h)) (idx h) (idx b) (idx m) then entry (PA P)
           h a m * entry (PW P) n m c else 0) h)%Z).
      { rewrite <- zsum_plus. apply zsum_ext. intros m M. unfold fires. rewrite !idx_times, !idx_plus, !less_val.
        rewrite (preactivation n h unit P L sizes a b m la lb M).
        pose proof (preactivation n h unit P L sizes a b m la lb M) as Q. rewrite plus_comm in Q.
        rewrite Q. change (val 0) with 0%Z. unfold T, tables_of. cbn [IA IB IW].
        destruct (Z.ltb_spec 0 (entry (PA P) h a m + entry (PB P) h b m)).
        - rewrite Z.max_l by lia. lia.
        - rewrite Z.max_r by lia. lia. }
      rewrite S. unfold T, tables_of, entry. cbn [IC ID]. lia.
    - apply val_of_Z. pose proof (score_small n h unit P L sizes a b c la lb lc). fold T in H0. lia.
  Qed.
End Proofs.

Theorem answers_right_by_flips_spec n h P G unit lead L :
  answers_right_by_flips n h P G unit lead L = true -> leads n h unit lead (tables_of n h P).
Proof.
  unfold answers_right_by_flips. rewrite !andb_true_iff, Z.leb_le, Z.ltb_lt. intros [[[S [l0 l1]] V] H].
  apply (answers_right_spec n h unit P L S lead (by_flips n h P G unit)); auto.
  intros. now apply (by_flips_spec n h P G unit L S V).
Qed.
