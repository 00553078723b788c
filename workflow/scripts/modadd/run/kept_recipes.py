"""Networks of a config that judge no claim: those of another recipe than the kept networks of the same name."""

from collections.abc import Mapping, Sequence

from modadd.networks.recipes import Recipe
from modadd.run.config import Shard
from modadd.run.paths import kept_rows


def trained_otherwise(populations: Mapping[str, Sequence[Shard]]) -> str:
    """One line that names these populations and what differs in each; empty if there are none."""
    found = {name: _what_differs([shard.recipe for shard in shards], name) for name, shards in populations.items()}
    listed = "; ".join(f"{name} ({words})" for name, words in found.items() if words)
    return f"Of another recipe than the kept networks, so these judge no claim: {listed}" if listed else ""


def _what_differs(recipes: Sequence[Recipe], population: str) -> str:
    """The numbers that no kept network has, by key: "steps 300"; empty where each recipe is kept, or nothing is."""
    files = kept_rows(population)
    if not files:
        return ""
    from modadd.core.parquet import read_table  # here: it reads pandas

    own = [recipe.without_draws() for recipe in recipes]
    kept = read_table(files[0], columns=[*own[0]]).drop_duplicates()
    known = {tuple(row) for row in kept.itertuples(index=False)}
    others = [numbers for numbers in own if tuple(numbers.values()) not in known]
    differing = {
        key: sorted({numbers[key] for numbers in others if numbers[key] not in set(kept[key])}, key=str)
        for key in own[0]
    }
    words = [f"{key} {' and '.join(map(str, values))}" for key, values in differing.items() if values]
    return ", ".join(words) or ("numbers that no kept network has together" if others else "")
