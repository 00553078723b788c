"""A rule or a target that nobody has is refused with the nearest that somebody has."""

import pytest
from support import refuses

from modadd.run.targets import require_targets

MADE = [
    "figures/phases/phase_law.svg",
    "figures/phases/phase_law.csv",
    "figures/index.html",
    "results/values/phases.json",
]


class Rule:
    """As much of a rule of Snakemake as is asked for."""

    def __init__(self, name, *output, by_wildcards=()):
        self.name, self.output, self.by_wildcards = name, output, by_wildcards

    def has_wildcards(self):
        return bool(self.by_wildcards)

    def is_producer(self, file):
        return file in (*self.output, *self.by_wildcards)


RULES = [
    Rule("all"),
    Rule("study_q"),
    Rule("notebook_phases", "results/notebooks/phases.ipynb"),
    Rule("train_network", by_wildcards=["results/networks/mod_31/seed0.safetensors"]),
]


def require(*words):
    """As `snakemake` with these words."""
    require_targets(["/bin/snakemake", *words], RULES, MADE, ["svg"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["figures/phases/phase_law.png"], "png: no such target; `figure_formats: [svg]` makes figures/phases/phase_law.csv, figures/phases/phase_law.svg"),
        (["figures/phases/phaselaw.svg"], "phaselaw.svg: no such target; did you mean figures/phases/phase_law.svg"),
        (["figures/none"], "figures/none: no such target"),
        (["results/notebooks/phasse.ipynb"], "no such target; did you mean results/notebooks/phases.ipynb"),
        (["train_netwoks"], "train_netwoks: no such rule or file; did you mean train_network?"),
        (["phases"], "phases: no such rule or file; did you mean notebook_phases?"),
        (["--until", "studyq"], "studyq: no such rule or file; did you mean study_q?"),
        (["--forcerun", "train_netwrk", "--"], "train_netwrk: no such rule or file; did you mean train_network?"),
    ],
)  # fmt: skip
def test_what_nobody_makes_is_refused(words, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # nothing is built here
    with refuses(said):
        require("--cores", "2", *words)


@pytest.mark.parametrize(
    "words",
    [
        [*MADE, "study_q", "config/smoke.yaml"],
        ["results/networks/mod_31/seed0.safetensors", "--until", "train_network"],
        ["--report", "figures/report.html"],
        ["--directory", "results/elsewhere"],
        ["--profile", "phases"],
    ],
)
def test_what_is_made_and_the_values_of_options_pass(words):
    require("-n", "--cores", "2", *words)


def test_the_words_of_another_program_are_left_alone():
    require_targets(["/bin/pytest", "figures/none"], RULES, MADE, ["svg"])
