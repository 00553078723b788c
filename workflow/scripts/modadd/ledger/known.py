"""Whether every claim names a number that rows have or its notebook records, and one about a single network says why."""

from collections.abc import Collection, Mapping
from typing import Any

from modadd.core.wording import unknown
from modadd.ledger.claims import ONE_TRAINING, PUBLISHED
from modadd.planning.config import shards_of
from modadd.planning.datasets import POPULATION, datasets_of
from modadd.populations.columns.every import COLUMNS, COSTLY
from modadd.populations.rows import RESULTS, kind_of


def require_measures(config: Mapping[str, Any], ledger: Mapping[str, Any]) -> None:
    """Raise ValueError, with the nearest name, for a claim about many networks whose value no row of them has.

    Also for a population that asks for costly measures of a kind of network that has none, and for a claim on one
    training whose value no row has, and which does not say why, or is a share and not said to be a fraction.
    """
    for population, settings in datasets_of(config, POPULATION).items():
        if settings.get("costly") and (kind := kind_of(shards_of(population, settings)[0].recipe)) not in COSTLY:
            where = f"config: datasets.{population}.costly"
            raise ValueError(f"{where}: '{kind}' has no costly measures; expected a recipe of {', '.join(COSTLY)}")

    def measured(population: str) -> list[str]:
        architecture = shards_of(population, config["datasets"][population])[0].recipe.architecture
        return [*RESULTS, *COLUMNS[architecture], *COSTLY.get(architecture, ())]

    shares = set().union(*(columns.of_unit("share") for columns in COLUMNS.values()))
    for claim in ledger["claims"]:
        for population in claim["judged_on"] if claim["of"] != PUBLISHED else ():
            if claim["value"] not in (valid := measured(population)):
                where = f"ledger: claim '{claim['id']}'.value, of population '{population}'"
                raise ValueError(unknown(where, "measure", claim["value"], valid))
        on_one = claim["rests_on"] == ONE_TRAINING and claim["of"] == PUBLISHED
        if on_one and claim["value"] in shares and not claim.get("fraction"):
            where = f"ledger: claim '{claim['id']}'.fraction"
            raise ValueError(f"{where}: expected true, as '{claim['value']}' is a share")
        if claim["rests_on"] == ONE_TRAINING and "one_because" not in claim:
            populations = [*claim["judged_on"], *ledger["notebooks"][claim["notebook"]]["inputs"]["retrainings"]]
            if not any(claim["value"] in measured(population) for population in populations):
                where = f"ledger: claim '{claim['id']}'.one_because"
                raise ValueError(f"{where}: expected why no other training tells, as no row has '{claim['value']}'")


def values_to_record(notebook: str, ledger: Mapping[str, Any], external: Collection[str]) -> list[str]:
    """The values that a notebook records for its claims: not those of rows, nor of published weights that are absent."""
    own = [claim for claim in ledger["claims"] if claim["notebook"] == notebook and claim["of"] == PUBLISHED]
    return sorted({claim["value"] for claim in own if claim.get("external") in (None, *external)})
