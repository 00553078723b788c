"""Whether every claim about many networks names a number that their rows have."""

from collections.abc import Mapping
from typing import Any

from modadd.core.wording import unknown
from modadd.ledger.claims import PUBLISHED
from modadd.run.config import shards_of
from modadd.run.datasets import POPULATION, datasets_of


def require_measures(config: Mapping[str, Any], ledger: Mapping[str, Any]) -> None:
    """Raise ValueError, with the nearest name, for a claim about many networks whose value no row of them has.

    Also for a population that asks for costly measures of a kind of network that has none.
    """
    from modadd.populations.columns.every import COLUMNS, COSTLY  # here, as most jobs read the rules without pandas
    from modadd.populations.rows import RESULTS, kind_of

    for population, settings in datasets_of(config, POPULATION).items():
        if settings.get("costly") and (kind := kind_of(shards_of(population, settings)[0].recipe)) not in COSTLY:
            where = f"config: datasets.{population}.costly"
            raise ValueError(f"{where}: '{kind}' has no costly measures; expected a recipe of {', '.join(COSTLY)}")

    for claim in ledger["claims"]:
        if claim["of"] == PUBLISHED:
            continue
        for population in claim["judged_on"]:
            architecture = shards_of(population, config["datasets"][population])[0].recipe.architecture
            valid = [*RESULTS, *COLUMNS[architecture], *COSTLY.get(architecture, ())]
            if claim["value"] not in valid:
                where = f"ledger: claim '{claim['id']}'.value, of population '{population}'"
                raise ValueError(unknown(where, "measure", claim["value"], valid))
