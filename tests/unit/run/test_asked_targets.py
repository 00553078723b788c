"""A target that nobody makes is refused with the nearest that somebody makes."""

import pytest
from support import refuses

from modadd.run.targets import require_targets

MADE = [
    "figures/phases/phase_law.svg",
    "figures/phases/phase_law.csv",
    "figures/index.html",
    "results/values/phases.json",
]


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("figures/phases/phase_law.png", "`figure_formats: [svg]` makes figures/phases/phase_law.csv, figures/phases/phase_law.svg"),
        ("figures/phases/phaselaw.svg", "did you mean figures/phases/phase_law.svg"),
        ("figures/none", "no such target"),
    ],
)  # fmt: skip
def test_a_figure_that_is_not_made_is_refused(word, said):
    with refuses(f"{word}: no such target", said):
        require_targets(["--cores", "2", word], MADE, ["svg"])


def test_figures_that_are_made_and_other_words_pass():
    require_targets(["-n", *MADE, "study_q", "config/smoke.yaml"], MADE, ["svg"])
