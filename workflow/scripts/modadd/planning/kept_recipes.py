"""Networks of a config that judge no claim: those of another recipe than the kept networks of the same name."""

from collections.abc import Mapping, Sequence
from typing import Any

from modadd.core.files import read_sealed
from modadd.networks.recipes import Recipe
from modadd.planning.config import Shard
from modadd.planning.paths import kept_rows


def trained_otherwise(populations: Mapping[str, Sequence[Shard]]) -> str:
    """One line that names these populations and what differs in each; empty if there are none."""
    found = []
    for name, shards in populations.items():
        words = what_differs([shard.recipe for shard in shards], name)
        if words:
            found.append(f"{name} ({words})")
    if not found:
        return ""
    return f"Of another recipe than the kept networks, so these judge no claim: {'; '.join(found)}"


def what_differs(recipes: Sequence[Recipe], population: str) -> str:
    """How recipes are others than those of a population's kept rows: the numbers that no kept network has, by key: "steps 300"; empty where each recipe is kept, or nothing is."""
    files = kept_rows(population)
    if not files:
        return ""
    own = [recipe.without_draws() for recipe in recipes]
    keys = list(own[0])
    kept = _kept(files[0], keys)
    others = [numbers for numbers in own if numbers not in kept]
    if not others:
        return ""
    differing = []
    for key in keys:
        known = {numbers[key] for numbers in kept}
        values = {numbers[key] for numbers in others} - known
        if values:
            listed = sorted(map(str, values))
            differing.append(f"{key} {' and '.join(listed)}")
    return ", ".join(differing) or "numbers that no kept network has together"


def _kept(file: str, keys: Sequence[str]) -> list[dict[str, Any]]:
    """The recipes of a kept table, each once. They are read without pandas, as every plan reads them."""
    from pyarrow import BufferReader
    from pyarrow.parquet import ParquetFile

    table = ParquetFile(BufferReader(read_sealed(file))).read(columns=keys)
    numbers = zip(*(table.column(key).to_pylist() for key in keys), strict=True)
    return [dict(zip(keys, row, strict=True)) for row in set(numbers)]
