"""Fingerprints of code: what an edit changes, and that nothing is missed of what a job runs."""

import ast
import re
import sys
from pathlib import Path

import pytest
from support import NOTEBOOKS, forget_code, refuses

from modadd.core import code
from modadd.core.code import LIBRARY, WITHOUT_NUMBERS, code_behind, reached, read_code, read_module
from modadd.populations.columns.every import COLUMNS
from modadd.populations.rows import row_of
from modadd.training.train import train_ensemble

LIBRARY_OF_TEST = {
    "core/__init__.py": '"""A room."""\n',
    "core/numbers.py": (
        '"""Numbers."""\n\nimport math\n\nfrom modadd.core.wording import words\n\nHALF = 0.5\nOTHER = 3\n\n\n'
        'def half(x: float) -> float:\n    """Half of it."""\n    if x < 0:\n        raise ValueError(words("negative"))\n'
        "    return math.fabs(x) * HALF\n\n\ndef other(x):\n    return x + OTHER\n"
    ),
    "core/wording.py": "def words(text):\n    return text\n",
    "core/registry.py": (
        "NAMES = {}\n\n\ndef register(function):\n    NAMES[function.__name__] = function\n    return function\n"
    ),
    "core/measures.py": (
        "from modadd.core.registry import register\n\n\n"
        "@register\ndef first():\n    return 1\n\n\ndef unused():\n    return 2\n"
    ),
    "networks/__init__.py": "",
    "networks/measures.py": (
        "NAMES = {}\n\n\ndef measure(function):\n    NAMES[function.__name__] = function\n    return function\n\n\n"
        "def following(function):\n    return measure(function)\n\n\ndef named(name):\n    return NAMES[name]\n"
    ),
    "core/angles.py": (
        "from modadd.networks.measures import following, measure\n\n\n@measure\ndef angle():\n    return 4\n\n\n"
        "@measure\ndef length():\n    return 5\n\n\n@following\ndef double(angle):\n    return 2 * angle\n"
    ),
}


@pytest.fixture
def library(tmp_path, monkeypatch):
    """A small library of the same name: a function that gives the fingerprint of a script written for it."""
    folder = tmp_path / "modadd"
    for name, text in {"__init__.py": "", **LIBRARY_OF_TEST}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    monkeypatch.setattr(code, "LIBRARY", folder)
    monkeypatch.chdir(tmp_path)

    def fingerprint(script, **edits):
        for name, (old, new) in edits.items():
            file = folder / f"core/{name}.py"
            assert old in file.read_text()
            file.write_text(file.read_text().replace(old, new))
        Path("script.py").write_text(script)
        forget_code()
        return code_behind("script.py")

    yield fingerprint
    forget_code()


HALVES = "from modadd.core.numbers import half\n\nprint(half(1))\n"
MODULE = "from modadd.core import numbers\n\nprint(numbers.half(1))\n"
HANDED_ON = "from modadd.core import numbers\n\nprint(vars(numbers))\n"
REGISTERED = "import modadd.core.measures\nfrom modadd.core.registry import NAMES\n\nprint(NAMES)\n"
NAMED = 'import modadd.core.angles\nfrom modadd.networks.measures import named\n\nprint(named("{}"))\n'
COLUMN = 'import modadd.core.angles\n\nprint({}["angle"])\n'
INSIDE = "def run():\n    from modadd.core.numbers import half\n    return half(1)\n"
AS_TEXT = 'print("modadd.core.numbers.half")\n'
EDITS = [
    (HALVES, {"numbers": ("HALF = 0.5", "HALF = 0.25")}, True),
    (MODULE, {"numbers": ("HALF = 0.5", "HALF = 0.25")}, True),
    (INSIDE, {"numbers": ("HALF = 0.5", "HALF = 0.25")}, True),
    (AS_TEXT, {"numbers": ("HALF = 0.5", "HALF = 0.25")}, True),
    (HALVES, {"numbers": ("import math", "import cmath as math")}, True),
    (HALVES, {"numbers": ("OTHER = 3", "OTHER = 4")}, False),
    (MODULE, {"numbers": ("OTHER = 3", "OTHER = 4")}, False),
    (HANDED_ON, {"numbers": ("OTHER = 3", "OTHER = 4")}, True),
    (HALVES, {"numbers": ("Half of it", "A half")}, False),
    (HALVES, {"numbers": ("x: float", "x: int")}, False),
    (HALVES, {"numbers": ('"negative"', '"below zero"')}, False),
    (HALVES, {"wording": ("return text", "return text.upper()")}, False),
    (HALVES, {"numbers": ("HALF = 0.5", "HALF = 0.5\nNEW = 1")}, False),
    (HALVES, {"numbers": ("HALF = 0.5", "HALF = 0.5\nHALF += 1")}, True),
    (HALVES, {"numbers": ("HALF = 0.5", "HALF = 0.5\nprint(1)")}, True),
    (HALVES, {"numbers": ("x) * HALF", "x) * globals()['HALF'] + OTHER")}, True),
    (REGISTERED, {"measures": ("return 1", "return 3")}, True),
    (REGISTERED, {"measures": ("return 2", "return 3")}, False),
    (REGISTERED, {"measures": ("def unused", "@register\ndef unused")}, True),
    (NAMED.format("angle"), {"angles": ("return 4", "return 6")}, True),
    (NAMED.format("double"), {"angles": ("return 4", "return 6")}, True),
    (NAMED.format("length"), {"angles": ("return 4", "return 6")}, False),
    (NAMED.format("angle"), {"angles": ("@measure\ndef length", "@following\ndef length")}, False),
    (COLUMN, {"angles": ("return 4", "return 6")}, False),
]


@pytest.mark.parametrize(("script", "edit", "changes"), EDITS)
def test_a_fingerprint_changes_with_what_is_used(library, script, edit, changes):
    before = library(script)
    assert (library(script, **edit) != before) == changes


def test_imports_that_do_not_name_what_they_bind_are_refused(library):
    with refuses("script.py: 'from modadd.core.numbers import *': expected full names"):
        library("from modadd.core.numbers import *\n")
    with refuses("script.py: 'from .numbers import half': expected full names"):
        library("from .numbers import half\n")


def test_a_definition_has_a_fingerprint_of_its_own(library):
    library(HALVES)
    names = ("modadd.core.numbers.half", "modadd.core.numbers.other")
    before = [code_behind(definitions=[name]) for name in names]
    library(HALVES, numbers=("OTHER = 3", "OTHER = 4"))
    after = [code_behind(definitions=[name]) for name in names]
    assert before[0] == after[0] and before[1] != after[1]


def definitions_called(work):
    """The definitions of this library whose code runs in some work: by module and name."""
    called = set()

    def note(frame, event, _):  # of calls alone: a function that returns nothing hears of no lines
        called.add(frame.f_code)

    sys.settrace(note)
    try:
        work()
    finally:
        sys.settrace(None)
    found = set()
    own = (one for one in called if one.co_filename.startswith(str(LIBRARY)))
    for file, line in {(one.co_filename, one.co_firstlineno) for one in own}:
        module = ".".join(Path(file).relative_to(LIBRARY.parent).with_suffix("").parts)
        for node in ast.parse(Path(file).read_text(encoding="utf-8")).body:
            first = min([node.lineno, *(part.lineno for part in getattr(node, "decorator_list", []))])
            if first <= line <= node.end_lineno and module not in WITHOUT_NUMBERS and line > 0:
                found |= {(module, name) for name in code._bound(node) if name in read_module(module).binding}
    return found


def require_reached(definitions, *files):
    used = reached([statement for file in files for statement in read_code(file).statements])
    for module, name in definitions:
        assert any((module, position) in used for position in read_module(module).binding[name]), f"{module}.{name}"


@pytest.mark.parametrize("kind", ["pizza_transformer", "embedding_mlp", "square_mlp"])
def test_all_code_that_runs_when_a_network_is_trained_and_measured_is_behind_its_jobs(small, kind, tmp_path):
    trained = []
    training = definitions_called(lambda: trained.extend(train_ensemble(small[kind], [0], tmp_path / "checkpoint")[0]))
    measuring = definitions_called(lambda: row_of(trained[0], COLUMNS[kind]))
    assert len(training) > 20 and len(measuring) > 20
    scripts = LIBRARY.parent
    require_reached(training, scripts / "train_networks.py")
    require_reached(measuring, scripts / "measure_shard.py", LIBRARY / f"populations/columns/{kind}.py")


def test_what_a_later_python_adds_to_a_tree_and_leaves_empty_changes_nothing():
    (function,) = ast.parse("def angle(x):\n    return 'é'").body
    before = code._written(function)
    function._fields = (*function._fields, "type_params")
    function.type_params = []
    assert code._written(function) == before and before.isascii()
    function.type_params = [ast.Name("T")]
    assert code._written(function) != before


def test_a_definition_that_its_module_does_not_have_is_refused_with_the_nearest():
    with refuses(
        "modadd.populations.competition: unknown definition 'competition_row'", "did you mean 'competition_rows'?"
    ):
        code_behind(definitions=["modadd.populations.competition.competition_row"])


# Each says the names that it looks up, or is given modules, columns or full names; the names of `exceptions` are those of columns, and
# the rows that have them are an input of its notebook.
LOOKING_UP = {
    *("rows", "side_by_side", "declared"),
    *("development", "group_networks", "other_activations", "simple_neurons", "zhong_measures"),
}


def test_measures_are_looked_up_by_names_that_the_same_file_says():
    files = [*LIBRARY.rglob("*.py"), *NOTEBOOKS]
    found = {
        file.stem for file in files if re.search(r"measures import .*\b(named|measured)\b", file.read_text("utf-8"))
    }
    assert found == LOOKING_UP, "a name that another file says would not count as code behind its job"


def test_what_rows_and_networks_name_as_their_code_is_there():
    sources = [file.read_text(encoding="utf-8") for file in LIBRARY.rglob("*.py")]
    named = {name for source in sources for name in re.findall(r"definitions=\[(.*?)\]", source) if '"' in name}
    assert len(named) == 2
    for names in named:
        code_behind(definitions=re.findall(r'"(.*?)"', names))
