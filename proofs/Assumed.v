(* Everything that is assumed: what a theorem about a network may stand on, each with its type.

   These are two axioms of Coq's real numbers, and Coq's integers of 63 bits and its arrays, with the axioms that say what
   their operations do. This file loads libraries of Coq alone, so each name here is Coq's, and a name with another type is
   refused here. A file about a network prints the assumptions of its theorems, and then those of `of_coq`. In one
   file a name stands for one thing. So a theorem there stands on nothing else if each of its entries, name and type, is
   among those of `of_coq`. *)

From Coq Require Import Reals ZArith FunctionalExtensionality Uint63 PArray.
Open Scope uint63_scope.

(* What Coq's real numbers stand on: a property of whole numbers holds for all or fails for some, and functions that are
   equal everywhere are equal. *)
Definition logic :=
  ((ClassicalDedekindReals.sig_forall_dec : forall P : nat -> Prop,
      (forall m : nat, {P m} + {~ P m}) -> {m : nat | ~ P m} + {forall m : nat, P m}),
   (@functional_extensionality_dep : forall (A : Type) (B : A -> Type) (f g : forall x : A, B x),
      (forall x : A, f x = g x) -> f = g)).

(* Integers of 63 bits, as numbers from 0 on, and arrays. *)
Definition unsigned :=
  ((int : Set), (add : int -> int -> int), (sub : int -> int -> int), (mul : int -> int -> int),
   (PrimInt63.div : int -> int -> int), ((fun x y => x mod y) : int -> int -> int),
   ((fun x y => x land y) : int -> int -> int), ((fun x y => x lor y) : int -> int -> int),
   ((fun x y => x << y) : int -> int -> int), ((fun x y => x >> y) : int -> int -> int),
   (eqb : int -> int -> bool), (PrimInt63.ltb : int -> int -> bool), (PrimInt63.leb : int -> int -> bool),
   (of_to_Z : forall x, of_Z (to_Z x) = x),
   (add_spec : forall x y, to_Z (x + y) = ((to_Z x + to_Z y) mod wB)%Z),
   (sub_spec : forall x y, to_Z (x - y) = ((to_Z x - to_Z y) mod wB)%Z),
   (mul_spec : forall x y, to_Z (x * y) = ((to_Z x * to_Z y) mod wB)%Z),
   (div_spec : forall x y, to_Z (x / y) = (to_Z x / to_Z y)%Z),
   (mod_spec : forall x y, to_Z (x mod y) = (to_Z x mod to_Z y)%Z),
   (lor_spec : forall x y i, bit (x lor y) i = (bit x i || bit y i)%bool),
   (lsl_spec : forall x p, to_Z (x << p) = ((to_Z x * 2 ^ to_Z p) mod wB)%Z),
   (lsr_spec : forall x p, to_Z (x >> p) = (to_Z x / 2 ^ to_Z p)%Z),
   (eqb_correct : forall x y, (x =? y) = true -> x = y), (eqb_refl : forall x, (x =? x) = true),
   (ltb_spec : forall x y, (x <? y) = true <-> (to_Z x < to_Z y)%Z),
   (leb_spec : forall x y, (x <=? y) = true <-> (to_Z x <= to_Z y)%Z)).

Definition arrays :=
  ((array : Type -> Type), (@make : forall A, int -> A -> array A), (@length : forall A, array A -> int),
   (@get : forall A, array A -> int -> A), (@set : forall A, array A -> int -> A -> array A),
   (@length_make : forall A size (a : A), length (make size a) = if size <=? max_length then size else max_length),
   (@length_set : forall A t i (a : A), length t.[i <- a] = length t),
   (@get_set_same : forall A t i (a : A), (i <? length t) = true -> t.[i <- a].[i] = a),
   (@get_set_other : forall A t i j (a : A), i <> j -> t.[i <- a].[j] = t.[j])).

(* The same integers as numbers with a sign. *)
From Coq Require Import Sint63.
Definition signed :=
  ((lesb : int -> int -> bool), (ltsb : int -> int -> bool), (asr : int -> int -> int),
   (asr_spec : forall x p, to_Z (asr x p) = (to_Z x / 2 ^ to_Z p)%Z),
   (ltb_spec : forall x y, ltsb x y = true <-> (to_Z x < to_Z y)%Z),
   (leb_spec : forall x y, lesb x y = true <-> (to_Z x <= to_Z y)%Z)).

Definition of_coq := (logic, unsigned, arrays, signed).
