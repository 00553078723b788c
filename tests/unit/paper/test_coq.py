"""What Coq is given, what it accepts, and what it must refuse; skipped where it is not installed."""

import re
import runpy
import shutil
import sys
import zipfile
from dataclasses import replace
from io import BytesIO
from types import SimpleNamespace

import numpy as np
import pytest
from check_theorems import FOR_EVERY_MODULUS
from one_claim import CLAIM, NETWORK, judge
from prove_networks import packed, prove
from support import ROOT, perfect_network

import paper.jobs
from modadd.certificates.formal import (
    FORMS,
    RADIUS,
    STORED_PLACES,
    described,
    integer_tables,
    order_of,
    statement_of,
    theorem_of,
)
from modadd.certificates.running import rounding_of
from modadd.core.files import read_json
from modadd.core.separable import margins
from modadd.handmade.smallest import four_neurons
from modadd.networks.recipes import RECIPES
from modadd.networks.store import Network
from paper.coq import (
    ABSENT,
    LEMMAS,
    LOGIC,
    Failed,
    Refused,
    axioms,
    axioms_of_networks,
    check,
    command,
    compile_library,
    names_of,
    recheck,
    theorems,
    wanted,
)
from paper.ledger.judge.verdicts import NOT_JUDGED, ROUNDS

SOURCES = ROOT / "proofs"
with_coq = pytest.mark.skipif(command() is None, reason=ABSENT)


def as_network(architecture, separable):
    """A network of an architecture with exactly these tables, its width spent on carrying them; C must be zero."""
    n, h = separable.modulus, separable.width
    one, none = np.eye(n), np.zeros((n, n))
    if architecture == "two_layer_mlp":  # A = B, D = 0
        d, heads, parameters = n, 0, {"W_E": one, "W_in": separable.A, "W_U": separable.W}
    elif architecture == "embedding_mlp":  # D is one row
        d, heads = n, 0
        parameters = {"E_a": one, "E_b": one, "W_in": np.vstack([separable.A, separable.B]), "b_in": np.zeros(h)}
        parameters |= {"W_out": separable.W, "b_out": separable.D[0]}
    else:  # three blocks: the residue, what attention makes of it, the answer
        d, heads, wide = 3 * n, 1, np.zeros((n, n))
        parameters = {"W_E": np.hstack([one, wide, wide]), "W_pos": np.zeros((2, d)), "W_V": np.eye(d)[None]}
        parameters |= {"W_O": np.block([[none, 2 * one, none], [none] * 3, [none] * 3])[None], "b_out": np.zeros(d)}
        parameters |= {"W_in": np.vstack([separable.B - separable.A, separable.A, np.zeros((n, h))])}
        parameters |= {"b_in": np.zeros(h), "W_out": np.hstack([np.zeros((h, 2 * n)), separable.W])}
        parameters |= {"W_U": np.vstack([none, none, one])}
    changes = {"modulus": n, "d_model": d, "n_heads": heads, "d_mlp": h, "train_pairs": n * n, "batch_size": 0}
    single = {name: np.ascontiguousarray(value, np.float32) for name, value in parameters.items()}
    return Network(replace(RECIPES[architecture], **changes), 0, single, {"accuracy": 1.0})


SMALL = {
    "two_layer_mlp": as_network("two_layer_mlp", perfect_network(5, (1, 2), 5)),
    "embedding_mlp": as_network("embedding_mlp", four_neurons(5)),
    "pizza_transformer": as_network("pizza_transformer", four_neurons(4)),
}


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """The lemmas, compiled; with what Coq says of them."""
    folder = tmp_path_factory.mktemp("library")
    return folder, compile_library(SOURCES, folder)


@pytest.fixture
def accept(library, tmp_path):
    """Asks Coq about the text of a file."""

    def asked(text, folder=library[0]):
        (tmp_path / "asked.v").write_text(text, encoding="utf-8")
        return check(tmp_path / "asked.v", folder)

    return asked


@with_coq
@pytest.mark.parametrize("architecture", FORMS)
def test_a_network_that_adds_is_accepted_on_axioms_of_coq_alone(architecture, accept):
    said = accept(theorem_of(SMALL[architecture]))
    of_real_numbers, as_it_runs, of_coq = axioms(said)
    assert {*of_real_numbers} <= {*of_coq} and LOGIC <= {*names_of(of_real_numbers)}
    assert {*as_it_runs} == {*of_real_numbers}, "rounding needs no axiom more"
    assert axioms_of_networks(said) == (names_of(of_real_numbers), [])


@with_coq
@pytest.mark.parametrize("architecture", FORMS)
def test_a_flipped_bit_of_a_parameter_is_refused(architecture, accept):
    network = SMALL[architecture]
    name, bits = next((name, value.copy().view("<u4")) for name, value in network.parameters.items() if name == "W_in")
    bits.flat[np.flatnonzero(bits)[0]] ^= 1 << 20
    changed = replace(network, parameters=network.parameters | {name: bits.view("<f4")})
    own, other = integer_tables(network.separable()), integer_tables(changed.separable())
    assert any((own[name] != other[name]).any() for name in own)
    with pytest.raises(Refused, match="close"):
        accept(theorem_of(changed, own))


@with_coq
@pytest.mark.parametrize("architecture", FORMS)
def test_a_subnormal_parameter_is_refused_for_the_network_that_runs(architecture, accept):
    network = SMALL[architecture]
    name, value = next((name, value.copy()) for name, value in network.parameters.items() if (value == 0).any())
    value.flat[np.flatnonzero(value == 0)[0]] = 2.0**-127
    changed = replace(network, parameters=network.parameters | {name: value})
    with pytest.raises(Refused, match=f"sound.*{FORMS[architecture][0]}_bound"):
        accept(theorem_of(changed))


@with_coq
@pytest.mark.parametrize("architecture", FORMS)
def test_coq_computes_the_bound_that_is_reported_and_rounds_it_up(architecture, accept):
    network = SMALL[architecture]
    text, _, statements = theorem_of(network).partition("\n(* The right answer of every network")
    (program,) = {*re.findall(r"\(most (\(\w+_bound [^()]*\))\)", statements)}
    said = accept(f"{text}\nEval vm_compute in most {program}.")
    (largest,) = re.findall(r"= (\d+)%Z", said)
    assert 1 <= 2 * int(largest) / 2**STORED_PLACES / rounding_of(architecture, network.parameters) < 1.01


@with_coq
def test_each_of_100_networks_with_one_wrong_answer_is_refused(accept):
    network = SMALL["embedding_mlp"]
    separable, n = network.separable(), network.recipe.modulus
    head, _, _ = theorem_of(network).partition("\n(* The right answer of every network")
    cases, rng = [], np.random.default_rng(0)
    while len(cases) < 100:  # the answer beside the right one leads by a fifth at one input, where C and D meet
        a, b, step = *rng.integers(n, size=2), rng.choice([-1, 1])
        t, c = (a + b) % n, (a + b) % n + step
        if 0 <= c < n:
            C, D = separable.C.copy(), separable.D.copy()
            C[a, c] += 0.6
            D[b, c] += 0.6
            wrong = margins(replace(separable, C=C, D=D).logits()) <= 0
            assert np.argwhere(wrong).tolist() == [[a, b]] and t != c
            cases.append((a * n + c, b * n + c, int(rng.integers(2))))
    lines = [head, "Definition raised (X : array int) p := X.[p <- X.[p] + 39322].", "Definition refused := ("]
    changed = "(Printed table_A table_B table_W (raised (copy table_C) {}) (raised (copy table_D) {}))"
    programs = [f"right_by_trying 5 4 16 {RADIUS} 0 {changed}", f"right_by_flips 5 4 16 {RADIUS} 0 {changed} order"]
    lines += [f"  negb ({programs[which].format(p, q)}) ::" for p, q, which in cases]
    lines += ["  nil)%list.", "Goal List.forallb (fun x => x) refused = true /\\ List.length refused = 100%nat."]
    lines += ["Proof. split; vm_compute; reflexivity. Qed."]
    lines += [f"Goal right_by_flips 5 4 16 {RADIUS} 0 tables order = true. Proof. vm_compute. reflexivity. Qed."]
    accept("\n".join(lines))


@with_coq
def test_a_ball_too_wide_is_refused(accept):
    text = theorem_of(SMALL["embedding_mlp"])
    for narrow, wide in ((f" 16 {RADIUS} ", " 16 20000 "), (f"(2 ^ 16) {RADIUS} N", "(2 ^ 16) 20000 N")):
        assert narrow in text
        text = text.replace(narrow, wide)
    with pytest.raises(Refused, match="true = true"):
        accept(text)


@with_coq
def test_an_error_that_the_margin_has_no_room_for_is_refused_and_one_that_is_too_small(accept):
    text, error = theorem_of(SMALL["embedding_mlp"]), "error_of 28 16 (most (embedding_bound 5 5 4 parameters 28))"
    assert error in text
    with pytest.raises(Refused, match="true = true"):
        accept(text.replace(error, "2 ^ 40"))
    with pytest.raises(Failed, match="the_ball_is_ahead|unify"):
        accept(text.replace(error, "1"))


@with_coq
@pytest.mark.parametrize(
    ("file", "strong", "weak"),
    [
        ("Ball", "2 * r * outer + r * (2 * inner) + 2 * r * r", "r * outer + r * (2 * inner) + 2 * r * r"),
        ("Trained", "2 * allowance h", "allowance h"),
        ("Products", "(along * y <? half)%Z", "true"),
        ("Flips", "every n (fun y => forallb (existsb (eqb y)) (walks G))", "true"),
        ("Rounding", "Rabs y + 2 * t + s", "Rabs y + s"),
        ("Running", "2 * most * 2 ^ (2 * k)", "most * 2 ^ (2 * k)"),
        ("Running", "(2 ^ 24 - Z.of_nat n)", "(2 ^ 25 - Z.of_nat n)"),
    ],
)
def test_a_theorem_whose_check_is_weakened_is_refused(library, tmp_path, file, strong, weak):
    folder = tmp_path / "library"
    shutil.copytree(library[0], folder)
    text = (SOURCES / f"{file}.v").read_text(encoding="utf-8")
    assert text.count(strong) == 1
    (folder / f"{file}.v").write_text(text.replace(strong, weak), encoding="utf-8")
    with pytest.raises(Failed, match=file) as words:
        check(folder / f"{file}.v", folder)
    assert words.type is Failed, "a lemma that does not hold says nothing of a network"


@with_coq
def test_a_lemma_that_is_left_out_shows_among_the_axioms(library, accept, tmp_path):
    folder = tmp_path / "library"
    shutil.copytree(library[0], folder)
    text = (SOURCES / "Trained.v").read_text(encoding="utf-8")
    proof = re.search(r"(?<=\n)Theorem right_by_flips_spec .*?\nProof\.\n(.*?Qed\.)\n", text, re.DOTALL)[1]
    (folder / "Trained.v").write_text(text.replace(proof, "Admitted."), encoding="utf-8")
    check(folder / "Trained.v", folder)
    check(folder / "Architectures.v", folder)
    check(folder / "Running.v", folder)
    assert axioms_of_networks(accept(theorem_of(SMALL["embedding_mlp"]), folder))[1] == ["right_by_flips_spec"]


def test_an_axiom_of_coq_is_known_by_its_name_and_its_type():
    of_coq = ["get_set_same : forall t i a,\n  t.[i<-a].[i] = a", "Uint63.add_spec\n  : forall x y, wB", "int : Set"]
    behind = [*of_coq[1:], "Mine.get_set_same : forall t i a,\n  t.[i<-a].[i] = a", "get_set_same : False"]
    said = "\n".join(["Axioms:", *behind, "Closed under the global context", "Axioms:", *of_coq, ""])
    assert axioms_of_networks(said) == (
        ["Uint63.add_spec", "int", "Mine.get_set_same", "get_set_same"],
        ["Mine.get_set_same", "get_set_same"],
    )


# The name of an axiom of Coq, in a place where that has a longer one; and its name with its type.
NAMESAKES = {
    "get_set_same": "Module Mine. Axiom get_set_same : False. End Mine. Import Mine.",
    "Mine.add_spec": "Module Mine. Axiom add_spec : forall x y, to_Z (x + y) = ((to_Z x + to_Z y) mod wB)%Z. End Mine.",
}


@with_coq
@pytest.mark.parametrize("name", NAMESAKES)
def test_an_axiom_that_has_the_name_of_one_of_coq_is_not_taken_for_it(name, accept):
    lines = ["From Coq Require Import ZArith Uint63 PArray.", "Local Open Scope uint63_scope.", NAMESAKES[name]]
    lines += [f"Definition stands_on_it := ({name}, add_spec).", "From Modadd Require Assumed."]
    lines += ["Print Assumptions stands_on_it.", "Print Assumptions Assumed.of_coq."]
    behind, ours = axioms_of_networks(accept("\n".join(lines)))
    assert ours == [name] and len(behind) > 1


@with_coq
def test_what_is_assumed_by_other_means_shows_among_the_axioms(accept):
    text = "\n".join(
        [
            "Unset Guard Checking. Fixpoint endless (n : nat) : False := endless n. Set Guard Checking.",
            "#[bypass_check(guard)] Fixpoint bypassed (n : nat) : False := bypassed n.",
            "Module Hidden. Axiom wrong : False. End Hidden.",
            "Theorem all : False /\\ False /\\ False.",
            "Proof. split; [exact (endless 0)|split; [exact (bypassed 0)|exact Hidden.wrong]]. Qed.",
            "Print Assumptions all.",
            "From Modadd Require Assumed.",
            "Print Assumptions Assumed.of_coq.",
        ]
    )
    assert axioms_of_networks(accept(text))[1] == ["Hidden.wrong", "bypassed", "endless"]


@with_coq
@pytest.mark.parametrize(
    ("end", "words"), [("", "the_tables_are_close|two_layer_close"), (r"\g<2>; 0", "length|repeat|unify")]
)
def test_a_table_of_bits_that_is_too_short_or_too_long_is_refused(end, words, accept):
    text, changed = re.subn(r"(bits_2 .*)(; \d+) \| 0 \|\]", rf"\g<1>{end} | 0 |]", theorem_of(SMALL["two_layer_mlp"]))
    assert changed == 1
    with pytest.raises(Failed, match=words):
        accept(text)


@with_coq
def test_a_damaged_file_is_refused_by_the_checker_of_coq(library, tmp_path):
    folder = tmp_path / "library"
    shutil.copytree(library[0], folder)
    (folder / "Smallest.vo").write_bytes((folder / "Smallest.vo").read_bytes()[:-100])
    with pytest.raises(Failed, match="(coq|rocq)chk ended"):
        recheck(["Modadd.Smallest"], folder)


@pytest.mark.parametrize(
    "words", ["kill -9 $$", "echo No space left on device >&2; exit 1", "echo inconsistent >&2; exit 1"]
)
def test_a_coqc_that_dies_refuses_no_network(words, tmp_path, monkeypatch):
    (tmp_path / "coqc").write_text(f"#!/bin/sh\n{words}\n", encoding="utf-8")
    (tmp_path / "coqc").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    with pytest.raises(Failed, match="ended with status") as told:
        prove([SMALL["two_layer_mlp"]], SOURCES)
    assert told.type is Failed


@with_coq
@pytest.mark.parametrize("limit", ["-f 1", "-v 150000"])  # blocks of a file, as on a full disk; kilobytes of memory
def test_a_coqc_without_room_refuses_no_network(limit, tmp_path, monkeypatch):
    first, *words = command()
    called = " ".join([shutil.which(first), *words])
    wrapped = tmp_path / "limited/coqc"
    wrapped.parent.mkdir()
    wrapped.write_text(f'#!/bin/sh\nulimit {limit}\nexec {called} "$@"\n', encoding="utf-8")
    wrapped.chmod(0o755)
    shutil.copy(SOURCES / "Network.v", tmp_path)
    check(tmp_path / "Network.v", tmp_path)
    monkeypatch.setenv("PATH", str(wrapped.parent), prepend=":")
    with pytest.raises(Failed, match="coqc ended with status") as told:
        check(tmp_path / "Network.v", tmp_path)
    assert told.type is Failed


@with_coq
def test_a_library_of_another_version_refuses_no_network(tmp_path):
    shutil.copy(SOURCES / "Network.v", tmp_path)
    check(tmp_path / "Network.v", tmp_path)
    compiled = bytearray((tmp_path / "Network.vo").read_bytes())
    compiled[7] += 1  # the last byte of the version's number, behind four letters
    (tmp_path / "Network.vo").write_bytes(compiled)
    (tmp_path / "asked.v").write_text("From Modadd Require Import Network.\n", encoding="utf-8")
    with pytest.raises(Failed, match="compiled with another version") as told:
        check(tmp_path / "asked.v", tmp_path)
    assert told.type is Failed


def test_a_coq_that_was_only_found_may_fail_and_says_so(tmp_path, monkeypatch, capfd):
    (tmp_path / "coqc").write_text("#!/bin/sh\necho 'Error: of another version' >&2; exit 1\n", encoding="utf-8")
    (tmp_path / "coqc").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setattr(paper.jobs, "begin", lambda log: None)
    monkeypatch.setattr(sys, "__stderr__", sys.stderr)
    given = SimpleNamespace(
        log=["log"],
        input=SimpleNamespace(sources=[str(SOURCES / "Ball.v")]),
        output=SimpleNamespace(library=str(tmp_path / "library"), theorems=str(tmp_path / "theorems.json")),
        params=SimpleNamespace(may_fail=True),
    )
    script = str(ROOT / "workflow/scripts/check_theorems.py")
    with pytest.raises(SystemExit):
        runpy.run_path(script, {"snakemake": given}, run_name="__main__")
    assert "not judged" in read_json(tmp_path / "theorems.json")["not_compiled"]
    given.params.may_fail = False
    with pytest.raises(Failed, match="another version"):
        runpy.run_path(script, {"snakemake": given}, run_name="__main__")


@with_coq
def test_every_file_that_coq_read_is_kept_and_a_network_with_a_wrong_answer_is_not_asked_about(library):
    right = replace(SMALL["two_layer_mlp"], seed=3)
    W_U = np.roll(right.parameters["W_U"], 1, axis=1)
    wrong = replace(right, seed=4, parameters=right.parameters | {"W_U": W_U})
    found, files = prove([right, wrong], library[0])
    assert [one["accepted"] for one in found] == [True, False] and [*files] == ["seed3.v"]
    assert packed(files) == packed(files) and found[0]["checksum"] in files["seed3.v"].splitlines()[0]
    assert zipfile.ZipFile(BytesIO(packed(files))).read("seed3.v").decode() == theorem_of(right)


@with_coq
def test_a_certificate_with_a_row_too_many_is_refused(library, tmp_path):
    for name in ("Network", "OneNeuronMod5"):
        shutil.copy(library[0] / f"{name}.v", tmp_path)
    text = (library[0] / "Certificates.v").read_text(encoding="utf-8")
    (tmp_path / "Certificates.v").write_text(text.replace("L [0x", "L [0x01; 0x", 1), encoding="utf-8")
    for name in ("Network", "Certificates"):
        check(tmp_path / f"{name}.v", tmp_path)
    with pytest.raises(Failed):
        check(tmp_path / "OneNeuronMod5.v", tmp_path)


@with_coq
def test_the_theorems_for_every_modulus_stand_on_what_they_say(library):
    files = [theorems(SOURCES / f"{name}.v") for name in FOR_EVERY_MODULUS]
    found = map(names_of, axioms(library[1]))
    behind = dict(zip([name for file in files for name in file], found, strict=True))
    integers = {"two_neurons_add", "four_neurons_add"}
    assert {name for name, found in behind.items() if not found} == integers
    with_cosines = {name for file in files[3:] for name in file} - {"logarithm_of_neurons_is_needed"}
    assert all({*found} == LOGIC for name, found in behind.items() if name not in integers | with_cosines)
    further = {"ClassicalDedekindReals.sig_not_dec", "Classical_Prop.classic"}  # behind sine and cosine
    assert all(LOGIC < {*behind[name]} <= LOGIC | further for name in with_cosines)


@pytest.mark.parametrize("architecture", FORMS)
def test_the_numbers_given_to_coq_are_the_bits_of_the_parameters(architecture):
    network = SMALL[architecture]
    found = [
        [*map(int, numbers.split("; "))]
        for numbers in re.findall(r"bits_\d+ .*\[\| (.*) \| 0 \|\]", theorem_of(network))
    ]
    values = np.array(sum(found, []), dtype="<u4").view("<f4")
    stored = np.concatenate([value.ravel() for value in network.parameters.values()])
    assert sorted(values.tolist()) == sorted(stored.tolist())
    assert "Axiom" not in statement_of(network) and "admit" not in statement_of(network)


def test_no_lemma_is_assumed_and_every_file_is_compiled():
    texts = {path.stem: path.read_text(encoding="utf-8") for path in SOURCES.glob("*.v")}
    assert {*texts} == {*LEMMAS}
    for name, text in texts.items():
        assert not re.search(r"\b(Axiom|Parameter|Conjecture|Admitted|admit|Abort)\b", text), name


def test_operations_are_those_of_the_two_programs():
    separable = perfect_network(7, (1, 2, 3), 4)
    network, n, h = as_network("two_layer_mlp", separable), 7, separable.width
    tables = integer_tables(network.separable())
    group, order = order_of(network.separable(), tables)
    tried = walked = 0
    for x in range(n):
        tried += n * h + n * sum((tables["A"][x] + tables["B"][y] > 0).sum() for y in range(n))
        for i in range(h):
            on = [False, *(tables["A"][x, i] + tables["B"][y, i] > 0 for y in order[group[i]])]
            walked += 2 * n * sum(p != q for p, q in zip(on, on[1:], strict=False))
    walked += 4 * n * n * h + 2 * len(order) * n**3
    assert described(network)["operations"] == {"tried": tried, "walked": walked}


def test_coq_is_asked_where_it_is_found_unless_the_config_says_otherwise(monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert not wanted("auto") and wanted(True) and not wanted(False)
    with pytest.raises(ValueError, match="apt-get install coq"):
        check(SOURCES / "Network.v", SOURCES)


def test_an_architecture_without_a_form_is_refused(untrained):
    other = replace(untrained, recipe=replace(RECIPES["group_mlp"]))
    with pytest.raises(ValueError, match="group_mlp"):
        theorem_of(other)


def test_a_claim_about_proofs_is_not_judged_without_coq_and_says_how_to_install_it():
    claim = CLAIM | {"needs": "coqc"}
    without_it, with_it = (
        judge(claim, {"network": NETWORK, "values": {"angle_term": measured}}, "laptop") for measured in (None, 0.15)
    )
    assert without_it.verdict == NOT_JUDGED and without_it.as_expected and with_it.verdict == ROUNDS
    assert all(command in without_it.note for command in ("apt-get install coq", "conda-forge coq", "opam install coq"))
