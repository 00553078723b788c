"""Whether every claim names a number that rows have or its notebook records, and one about a single network says why."""

from collections.abc import Collection, Iterable

from modadd.core.files import Data
from modadd.core.wording import require_known
from modadd.populations.columns.every import COLUMNS, COSTLY
from modadd.populations.rows import RESULTS, kind_of
from paper.datasets import Datasets
from paper.ledger.read.claims import ONE_TRAINING, SHOWN


def require_measures(datasets: Datasets, ledger: Data) -> None:
    """Raise ValueError, with the nearest name, for a claim about many networks whose value no row of them has.

    Also for a population that asks for costly measures of a kind of network that has none, and for a claim on one
    training whose value no row has, and which does not say why, or is a share and not said to be a fraction.
    """
    _require_costly(datasets)
    shares = set()
    for columns in COLUMNS.values():
        shares |= columns.of_unit("share")
    for claim in ledger["claims"]:
        where = f"ledger: claim '{claim['id']}'"
        if claim["of"] != SHOWN:
            for population in claim["judged_on"]:
                _require_measured(claim, population, datasets, where)
        if claim["rests_on"] == ONE_TRAINING:
            question = ledger["notebooks"][claim["notebook"]]
            retrainings = question["inputs"]["retrainings"]
            others = [*claim["judged_on"], *retrainings]
            _require_others(others, claim, datasets, where)
            value = claim["value"]
            is_fraction = "fraction" in claim or claim["of"] != SHOWN
            if value in shares and not is_fraction:
                raise ValueError(f"{where}.fraction: expected true, as '{value}' is a share")


def _require_costly(datasets: Datasets) -> None:
    for name, population in datasets.populations.items():
        kind = kind_of(population.shards[0].recipe)
        if any(shard.costly for shard in population.shards) and kind not in COSTLY:
            expected = f"expected a recipe of {', '.join(COSTLY)}"
            where = f"config: datasets.{name}.costly"
            raise ValueError(f"{where}: '{kind}' has no costly measures; {expected}")


def _measured(population: str, datasets: Datasets) -> list[str]:
    """The numbers that every row of a population has."""
    kind = kind_of(datasets.population(population).shards[0].recipe)
    return [*RESULTS, *COLUMNS[kind], *COSTLY.get(kind, ())]


def _require_measured(claim: Data, population: str, datasets: Datasets, where: str) -> None:
    place = f"{where}.value, of population '{population}'"
    valid = _measured(population, datasets)
    require_known(place, "measure", [claim["value"]], valid)


def _require_others(populations: Iterable[str], claim: Data, datasets: Datasets, where: str) -> None:
    """Raise ValueError for a claim on one training that no row of others tells of, and which does not say why."""
    if "one_because" in claim:
        return
    value = claim["value"]
    for population in populations:
        if value in _measured(population, datasets):
            return
    why = f"expected why no other training tells, as no row has '{value}'"
    raise ValueError(f"{where}.one_because: {why}")


def values_to_record(notebook: str, ledger: Data, external: Collection[str]) -> list[str]:
    """The values that a notebook records for its claims: not those of rows, nor of published weights that are absent."""
    found = set()
    there = (None, *external)
    for claim in ledger["claims"]:
        is_own = claim["notebook"] == notebook and claim.get("external") in there
        if is_own and claim["of"] == SHOWN:
            found.add(claim["value"])
    return sorted(found)
