"""No measured number is typed into a caption: it would go stale when networks are trained or measured anew."""

import re

import pytest
from support import LEDGER

from modadd.networks.recipes import PUBLISHED_RECIPES, RECIPES

CLAIMS = LEDGER["claims"]
NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?:e-?\d+)?(?! networks)(?![\d,])")
ARITHMETIC = re.compile(r"[\d/]+(?: [·≡=] [−\d/]+)+")  # 42 = 3 · 14 does not move
PLACE = re.compile(r"\{[^}]*\}")  # filled with a recorded value
SMALL = 10  # whole numbers up to this count things
STATED = {str(value) for recipe in PUBLISHED_RECIPES for value in recipe.as_dict().values()}


def numbers_in(text):
    return {found.rstrip(",").replace(",", "") for found in NUMBER.findall(PLACE.sub(" ", text))}


def printed_by(claim):
    """Numbers that the paper or the recipe states, of a claim: they do not move."""
    keys = ("statement", "place", "published", "threshold", "tolerance", "tolerance_source", "frequency", "steps")
    return numbers_in(" ".join(str(claim.get(key, "")) for key in keys))


def typed(text, allowed):
    sums = set().union(*map(numbers_in, ARITHMETIC.findall(text)))
    return {
        number
        for number in numbers_in(text) - allowed - STATED - sums
        if not (number.isdigit() and int(number) <= SMALL) and float(number) not in {0.5, 0.95, 95.0, 100.0}
    }


@pytest.mark.parametrize("notebook", LEDGER["notebooks"])
def test_no_caption_and_no_sentence_of_what_was_found_holds_a_number_that_could_move(notebook):
    entry = LEDGER["notebooks"][notebook]
    stated = set().union(
        *(printed_by(claim) for claim in CLAIMS if claim["notebook"] == notebook), numbers_in(str(RECIPES))
    )
    for caption in (*entry.get("figures", {}).values(), *entry.get("tables", {}).values()):
        cited = numbers_in(" ".join(re.findall(r"\[[A-Z]\d?\][^)]*", caption)))
        assert not {number for number in typed(caption, stated | cited) if "." in number}, caption
    assert not typed(entry["found"], stated)
