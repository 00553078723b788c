"""Every relative link of the documents leads to a file, every anchor to a heading or to a place with this id, and the id
of a claim to the file that states it."""

import re

import pytest
from support import ROOT

from paper.ledger.read.entries import read_ledger
from paper.notebook_files import question_file

ALONE = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "config/README.md", "data/README.md")
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


def claims_astray(document):
    """Ids of claims in a document's prose that are no link to the question that has the claim."""
    questions = {claim["id"]: ROOT / question_file(claim["notebook"]) for claim in read_ledger()["claims"]}
    text = document.read_text(encoding="utf-8")
    linked = re.findall(r"\[`?(\w+)`?\]\(([^)#]+\.yaml)\)", text)
    wrong = [id for id, path in linked if id in questions and (document.parent / path).resolve() != questions[id]]
    return wrong + [id for id in re.findall(r"\(`(\w+)`\)", text) if id in questions]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_relative_link_leads_somewhere(document):
    assert not broken(document)


def test_a_claim_is_linked_to_the_file_that_states_it():
    assert not claims_astray(ROOT / "docs/limits.md")


def test_a_claim_without_its_link_is_found(tmp_path):
    page = tmp_path / "page.md"
    right, wrong = (ROOT / question_file(name) for name in ("phases", "seeds"))
    page.write_text(f"(`phase_line`) [frequencies]({wrong}) [phase_line]({right}) (`no_claim`)")
    assert claims_astray(page) == ["frequencies", "phase_line"]


def test_a_link_that_leads_nowhere_is_found(tmp_path):
    (tmp_path / "there.md").write_text('# One heading\n<a id="here"></a>\n')
    page = tmp_path / "page.md"
    page.write_text(
        "[a](there.md) [b](gone.md) [c](there.md#one-heading) [d](there.md#two) ![e](gone.png) `[f](code.md)` [h](there.md#here)\n"
        "[g](https://example.org/gone)\n"
    )
    assert broken(page) == ["gone.md", "there.md#two", "gone.png"]


FILE = re.compile(r"(?<![\w./])(?:config|data|docs|envs|notebooks|profiles|tests|workflow)/[\w./]*\w\.[a-z]\w+\b")


def gone(text):
    """Files of the project that a text names and that are not there; nor does it ask the reader to write them."""
    prose = re.sub(r"^ *```.*?^ *```$", "", text, flags=re.S | re.M)
    named = {name for name in FILE.findall(prose) if not re.search("[A-Z]{2}|/external/", name)}
    return sorted(name for name in named if not (ROOT / name).exists() and f"rite `{name}`" not in text)


@pytest.mark.parametrize(
    "document", [*DOCUMENTS, *sorted(ROOT.glob("config/*.yaml"))], ids=lambda path: str(path.relative_to(ROOT))
)
def test_every_file_that_a_text_names_is_there(document):
    assert not gone(document.read_text(encoding="utf-8"))


def test_a_file_that_is_not_there_is_found():
    text = "Write `config/new.yaml`: it is like config/config.yaml. data/reference/gone.csv has how many; see data/NAME.csv"
    assert gone(text) == ["data/reference/gone.csv"]


QUESTIONS = read_ledger()["notebooks"]
TEXTS = [*ROOT.glob("notebooks/*/*.py"), *ROOT.glob("notebooks/*/*.yaml"), *DOCUMENTS]


@pytest.mark.parametrize("text", TEXTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_link_to_a_question_names_one_that_is_there(text):
    found = re.findall(
        r"\]\((\w+)\.html\)|\]\([^)\s]*notebooks/\w+/(\w+)\.(?:py|yaml)\)", text.read_text(encoding="utf-8")
    )
    linked = {page or file for page, file in found}
    assert linked <= set(QUESTIONS)


def test_every_folder_and_file_of_data_is_described():
    text = (ROOT / "data/README.md").read_text(encoding="utf-8")
    there = {path.name for path in (ROOT / "data").iterdir()} - {"README.md", "external"}
    assert not {name for name in there if f"| `{name}` |" not in text}
