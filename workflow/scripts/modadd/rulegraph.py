"""The picture of the rules: Snakemake's own graph, with the notebooks, which all look alike, drawn as one."""

import re

MANY = "notebook_"


def condensed(mermaid: str) -> str:
    """Snakemake's rule graph in Mermaid, without colours: one box for all rules that begin with MANY, no arrow for a detour."""
    names = dict(re.findall(r"^\s*(id\d+)\[(\w+)\]", mermaid, re.MULTILINE))
    notebooks = [name for name in names.values() if name.startswith(MANY)]
    box = {name: "notebooks" if name in notebooks else name for name in names.values()}
    arrows = {(box[names[a]], box[names[b]]) for a, b in re.findall(r"^\s*(id\d+) --> (id\d+)", mermaid, re.MULTILINE)}
    lines = ["flowchart TB"]
    if notebooks:
        lines += [f'    notebooks["{len(notebooks)} notebooks, a rule each"]']
    return "\n".join([*lines, *(f"    {a} --> {b}" for a, b in sorted(_reduced(arrows)))]) + "\n"


def _reduced(arrows: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """The arrows of a graph without circles that no path of several arrows replaces."""
    after: dict[str, set[str]] = {}
    for a, b in arrows:
        if a != b:
            after.setdefault(a, set()).add(b)

    def beyond(start: str) -> set[str]:
        return {end for b in after.get(start, set()) for end in {b} | beyond(b)}

    return {(a, b) for a, ends in after.items() for b in ends if not any(b in beyond(c) for c in ends - {b})}
