"""Every relative link of the documents leads to a file, every anchor to a heading or to a place with this id."""

import re

import pytest
from support import ROOT

ALONE = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "config/README.md")
DOCUMENTS = [*(ROOT / name for name in ALONE), *sorted(ROOT.glob("docs/*.md"))]


def links(text):
    """Targets of the links and pictures in Markdown, code blocks apart."""
    prose = re.sub(r"^ *```.*?^ *```$|`[^`\n]*`", "", text, flags=re.S | re.M)
    return re.findall(r"\]\(([^)\s]+)\)", prose)


def anchors(text):
    """Anchors of the headings, as a forge makes them, and those that the text sets."""
    headings = re.findall(r"^#+ (.*)$", text, re.M)
    made = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
    return made | set(re.findall(r'<a id="(\w+)">', text))


def broken(document):
    """Links of a document that lead nowhere."""
    found = []
    for link in links(document.read_text(encoding="utf-8")):
        path, _, anchor = link.partition("#")
        target = (document.parent / path) if path else document
        if "://" in link:
            continue
        if not target.exists() or (anchor and anchor not in anchors(target.read_text(encoding="utf-8"))):
            found.append(link)
    return found


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_relative_link_leads_somewhere(document):
    assert not broken(document)


def test_a_link_that_leads_nowhere_is_found(tmp_path):
    (tmp_path / "there.md").write_text('# One heading\n<a id="here"></a>\n')
    page = tmp_path / "page.md"
    page.write_text(
        "[a](there.md) [b](gone.md) [c](there.md#one-heading) [d](there.md#two) ![e](gone.png) `[f](code.md)` [h](there.md#here)\n"
        "[g](https://example.org/gone)\n"
    )
    assert broken(page) == ["gone.md", "there.md#two", "gone.png"]
