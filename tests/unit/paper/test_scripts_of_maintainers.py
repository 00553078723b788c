"""Scripts of maintainers: help where it is asked for, and one sentence for what they are called with and do not know."""

import runpy
import sys

import pytest
from support import ROOT


def ended(monkeypatch, folder, file, *words):
    """What a file, run as a script in a folder, ends with."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "argv", [file, *words])
    with pytest.raises(SystemExit) as end:
        runpy.run_path(str(ROOT / "workflow" / file), run_name="__main__")
    return end.value.code


@pytest.mark.parametrize(
    "name", ["bench", "certificates", "formulas", "keep", "metadata", "readme", "reference", "retrain"]
)
def test_help_is_printed_and_nothing_is_done(monkeypatch, capsys, tmp_path, name):
    assert ended(monkeypatch, tmp_path, f"dev/{name}.py", "--help") == 0
    assert f"python workflow/dev/{name}.py" in " ".join(capsys.readouterr().out.split())
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("dev/readme.py kep", "argument what: invalid choice: 'kep' (choose from "),
        ("dev/retrain.py c_even --cores 0", "argument --cores: expected a whole number of at least 1, got '0'"),
        ("dev/retrain.py c_even --cores -1", "argument --cores: expected a whole number of at least 1, got '-1'"),
        ("dev/metadata.py all", "unrecognized arguments: all"),
    ],
)
def test_words_that_a_script_does_not_know_are_refused(monkeypatch, capsys, call, said):
    assert ended(monkeypatch, ROOT, *call.split()) == 2
    assert said in capsys.readouterr().err.splitlines()[-1]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("dev/bench.py boundz", "bench: PART: unknown part 'boundz'; did you mean 'bounds'? expected one of "),
        (
            "paper/mock.py phasess",
            "paper.mock: NOTEBOOK: unknown question 'phasess'; did you mean 'phases'? expected one of ",
        ),
    ],
)
def test_a_name_that_a_script_does_not_know_is_told_with_the_nearest(monkeypatch, call, said):
    sentence = ended(monkeypatch, ROOT, *call.split())
    assert sentence.startswith(said) and "\n" not in sentence
