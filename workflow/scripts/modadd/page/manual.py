"""The manual of every config key, and sections of other texts that the workflow writes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from modadd.networks.recipes import BY_MODULUS, RECIPES, Recipe


def with_section(text: str, name: str, content: str, file: Path) -> str:
    """The text with a section's content replaced; raises ValueError naming the file if a marker is missing."""
    start, end = f"<!-- {name}: written by `workflow/dev/readme.py` -->", f"<!-- end of {name} -->"
    before, _, rest = text.partition(start)
    _, found, after = rest.partition(end)
    if not found:
        raise ValueError(f"{file}: expected the markers '{start}' and '{end}', each once")
    return f"{before}{start}\n\n{content}\n{end}{after}"


_KINDS = {
    "boolean": "`true`, `false`",
    "integer": "whole number",
    "number": "number",
    "string": "text",
    "object": "mapping",
}
_LIMITS = {"minimum": "≥ {:g}", "exclusiveMinimum": "> {:g}", "maximum": "≤ {:_}", "exclusiveMaximum": "< {:g}"}


def manual(schema: Mapping[str, Any]) -> str:
    """Markdown of every key of the config's JSON schema, and of the numbers of every published recipe."""
    numbers, name = schema["$defs"]["variant"], schema["$defs"]["name"]
    keys = [
        (f"`{path}`", entry["description"], _values(entry), _default(entry, required))
        for path, entry, required in _keys(schema, schema, skipped=numbers["properties"])
    ]
    recipes = [
        (f"`{key}`", entry["description"], _values(entry), *(number(recipe, key) for recipe in RECIPES.values()))
        for key, entry in numbers["properties"].items()
    ]
    return "\n".join(
        [
            f"# {schema['title']}\n",
            "<!-- Written by `workflow/dev/manual.py` from workflow/schemas/config.schema.yaml and the published recipes. -->\n",
            f"{schema['description']}\n",
            *markdown_table(("key", "meaning", "values", "default"), keys),
            f"\nNames of datasets are yours to choose: {name['description']}.\n",
            f"## {numbers['title']}\n",
            f"{numbers['description']}\n",
            *markdown_table(("key", "meaning", "values", *(f"`{recipe}`" for recipe in RECIPES)), recipes),
            "\nWhere they are published:\n",
            *(f"- `{name}`: {recipe.source}" for name, recipe in RECIPES.items()),
            *map(printed_by_modulus, BY_MODULUS),
            "",
        ]
    )


def printed_by_modulus(name: str) -> str:
    """A line on a recipe whose numbers depend on the modulus, with the moduli that have one."""
    table = BY_MODULUS[name]
    sources = dict.fromkeys(recipe.source for recipe in table.values())
    moduli = ", ".join(map(str, table))
    return f"- `{name}`: {' and '.join(sources)}. It needs a `modulus` for which its numbers are printed: {moduli}."


def number(recipe: Recipe, key: str) -> str:
    """One number of a recipe as a config may spell it."""
    value = getattr(recipe, key)
    if isinstance(value, str | bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, int):
        return f"{value:_}"
    if float(short := f"{value:g}") == value:
        return short
    return repr(value)


def _keys(
    schema: Mapping[str, Any], within: Mapping[str, Any], skipped: Mapping[str, Any], place: str = ""
) -> Iterator[tuple[str, Mapping[str, Any], bool]]:
    """Path, entry and whether it is required, of each key below `within`; a free name by its schema's title."""
    for key, entry in within.get("properties", {}).items():
        if not (place and key in skipped):
            yield place + key, entry, key in within.get("required", [])
            yield from _keys(schema, entry, skipped, f"{place}{key}.")
    if isinstance(within.get("additionalProperties"), Mapping):
        name = _resolved(schema, within["propertyNames"])["title"]
        for entry in _kinds(schema, within["additionalProperties"]):
            title = entry.get("title", name)
            if "description" in entry:
                yield place + title, entry, False
            yield from _keys(schema, entry, skipped, f"{place}{title}.")


def _kinds(schema: Mapping[str, Any], entry: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The definitions between which an entry's keys decide; the entry itself where there is no choice."""
    if "if" not in entry:
        yield _resolved(schema, entry)
        return
    for branch in ("then", "else"):
        yield from _kinds(schema, entry[branch])


def _resolved(schema: Mapping[str, Any], entry: Mapping[str, Any]) -> Mapping[str, Any]:
    """The entry, or the definition that it refers to."""
    return schema["$defs"][entry["$ref"].rpartition("/")[2]] if "$ref" in entry else entry


def _values(entry: Mapping[str, Any]) -> str:
    """What a key may hold, in words: its kind and limits, or each value it may have."""
    if "enum" in entry:
        return ", ".join(f"`{value}`" for value in entry["enum"])
    if isinstance(entry.get("type"), list):
        return " or ".join(_values({**entry, "type": kind}) for kind in entry["type"])
    if entry.get("type") == "string" and (word := entry.get("pattern", "").strip("^$")).isalpha():
        return f"`{word}`"
    if entry.get("type") == "array":
        items = "mappings" if "$ref" in entry["items"] else _values(entry["items"])
        return f"list of {items.replace('whole number', 'whole numbers')}"
    limits = ", ".join(words.format(entry[key]) for key, words in _LIMITS.items() if key in entry)
    return f"{_KINDS[entry['type']]} {limits}".strip() if "type" in entry else "any"


def _default(entry: Mapping[str, Any], required: bool) -> str:
    """The default of a key as the config spells it."""
    if "default" not in entry:
        return "must be given" if required else "–"
    value = entry["default"]
    return "none" if value == {} else f"`{str(value).lower() if isinstance(value, bool) else value}`"


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Lines of a Markdown table, without padding, so that a change of one cell changes one line."""
    cells = [[cell.replace("|", r"\|") for cell in row] for row in (head, ["---"] * len(head), *rows)]
    return [f"| {' | '.join(row)} |" for row in cells]
