"""Code explains its parts by names: few words a line, and no comprehension inside a comprehension."""

import ast
import tokenize

import pytest

from modadd.core.code import LIBRARY

WORKFLOW = LIBRARY.parents[1]
FOLDERS = [LIBRARY / name for name in ("run", "ledger", "planning", "page", "drawings")]
FOLDERS += [WORKFLOW / name for name in ("scripts", "tools", "dev")]
FILES = {str(file.relative_to(WORKFLOW)): file for folder in FOLDERS for file in sorted(folder.glob("*.py"))}
MOST = 9.5  # words a line on average
NO_WORDS = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
COMPREHENSION = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def words_a_line(file):
    """Tokens of code for each line that has any; comments and docstrings are not counted."""
    docstrings = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node):
            docstrings |= set(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    words, lines = 0, set()
    with file.open(encoding="utf-8") as opened:
        for token in tokenize.generate_tokens(opened.readline):
            if token.type not in NO_WORDS and token.start[0] not in docstrings:
                words += 1
                lines |= set(range(token.start[0], token.end[0] + 1))
    return words / max(1, len(lines))


def nested(text):
    """The lines of comprehensions inside a comprehension."""
    outer = [node for node in ast.walk(ast.parse(text)) if isinstance(node, COMPREHENSION)]
    lines = set()
    for node in outer:
        lines |= {inner.lineno for inner in ast.walk(node) if inner is not node and isinstance(inner, COMPREHENSION)}
    return lines


@pytest.mark.parametrize("file", FILES.values(), ids=FILES)
def test_a_line_says_few_things(file):
    assert words_a_line(file) <= MOST, "give parts a name"
    assert not nested(file.read_text(encoding="utf-8")), "write the outer one as a loop with names"


def test_what_is_dense_is_found(tmp_path):
    dense = tmp_path / "dense.py"
    dense.write_text('"""One."""\n\n# two\nx = [[a * b for a in (1, 2)] for b in (3, 4)]\n')
    assert words_a_line(dense) == 25
    assert nested(dense.read_text()) == {4}
