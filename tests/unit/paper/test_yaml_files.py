import subprocess
import sys

import pytest
from support import ROOT, refuses

from paper.yaml_files import read_yaml


@pytest.fixture
def file(tmp_path):
    return tmp_path / "any.yaml"


def test_nothing_in_a_yaml_file_is_executed(file):
    file.write_text("!!python/object/apply:os.getcwd []")
    with refuses(f"{file}: not YAML: line 1:"):
        read_yaml(file)


@pytest.mark.parametrize(
    ("content", "line", "key", "first"),
    [
        ("a: 1\nb: 2\na: 3\n", 3, "a", 1),
        ("datasets:\n  q:\n    steps: 5\n    steps: 5\n", 4, "steps", 3),
        ("- {a: 1}\n- {b: 1, b: 2}\n", 2, "b", 2),
        ("a: &a {x: 1}\nb: {<<: *a, y: 1,\n  y: 2}\n", 3, "y", 2),
    ],
    ids=["top", "nested", "in a list", "beside a merge"],
)
def test_a_key_that_stands_twice_is_refused_with_file_and_line(file, content, line, key, first):
    file.write_text(content)
    with refuses(f"{file}: line {line}: duplicate key '{key}', first on line {first}"):
        read_yaml(file)


def test_a_key_that_overrides_a_merged_one_is_no_second_one(file):
    file.write_text("a: &a {x: 1, y: 1}\nb: &b {<<: *a, x: 2}\nc: {<<: *b, x: 3}\n")
    assert read_yaml(file)["c"] == {"x": 3, "y": 1}


@pytest.mark.parametrize(("content", "line"), [("a:\n  b: [0\n  c: 5\n", 3), ("a: 1\n\tb: 2\n", 2)])
def test_a_syntax_error_names_file_and_line(file, content, line):
    file.write_text(content)
    with refuses(f"{file}: not YAML: line {line}: "):
        read_yaml(file)


@pytest.mark.parametrize("content", ["a: 1\nb: &b {c: *b}\n", "a: 1\nb: &b [1, {d: *b}]\n"])
def test_what_stands_in_itself_is_refused_with_file_and_line(file, content):
    file.write_text(content)
    with refuses(f"{file}: line 2: expected plain data, found an alias of what it stands in"):
        read_yaml(file)


def test_what_is_used_again_and_again_is_looked_into_once(file):
    levels = "".join(f"a{level}: &a{level} [*a{level - 1}, *a{level - 1}]\n" for level in range(1, 41))
    file.write_text("a0: &a0 [1]\n" + levels)
    assert len(read_yaml(file)) == 41


def test_a_file_that_is_not_utf_8_is_named(file):
    file.write_bytes("a: ü".encode("latin-1"))
    with refuses(f"{file}: expected UTF-8"):
        read_yaml(file)


def test_the_ledger_is_read_where_the_locale_knows_ascii_only():
    code = "from paper.ledger.read.entries import read_ledger; print(ascii(read_ledger()['claims'][0]['id']))"
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONPATH": "src:workflow"}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=plain, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
