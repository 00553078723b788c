"""Nothing is there that nobody needs: every key is read, every name of the library is used."""

import ast
import importlib
import re
from functools import cache

import pytest
from support import CONFIG_SCHEMA, NOTEBOOKS, ROOT, SCHEMAS, nobodys

from modadd.networks.overrides import OVERRIDABLE
from modadd.run.yaml_files import read_yaml

LIBRARY = sorted(ROOT.glob("workflow/scripts/modadd/*/*.py"))
PYTHON = [*LIBRARY, *sorted(ROOT.glob("workflow/scripts/*.py")), *sorted(ROOT.glob("workflow/tools/*.py")), *NOTEBOOKS]
RULES = [ROOT / "workflow/Snakefile", *sorted(ROOT.glob("workflow/rules/*.smk"))]
TEMPLATES = sorted(ROOT.glob("workflow/templates/*.j2"))
CODE = {path: ast.parse(path.read_text(encoding="utf-8")) for path in PYTHON}


def used_names(tree):
    """Every name and attribute that the code reads; an import alone is no use."""
    nodes = [node for node in ast.walk(tree) if isinstance(getattr(node, "ctx", None), ast.Load)]
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    return names | {node.attr for node in nodes if isinstance(node, ast.Attribute)}


def defined_names(tree):
    """Functions, classes and constants of a module, and the methods and fields of its classes; no dunder."""
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    names = set()
    for node in [*tree.body, *(member for found in classes for member in found.body)]:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names |= set() if is_measure(node) else {node.name}
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            names |= {
                name.id for name in ast.walk(node) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
            }
    return {name for name in names if not name.startswith("__")}


def is_measure(node):
    """Whether a function is a measure: rows find these by their names."""
    calls = [decorator.func for decorator in node.decorator_list if isinstance(decorator, ast.Call)]
    return any(isinstance(name, ast.Name) and name.id == "measure" for name in calls)


def called_by_libraries(module):
    """Members of the module's classes that a base from another library has, too: that library calls them."""
    name = ".".join(module.relative_to(ROOT / "workflow/scripts").with_suffix("").parts)
    classes = [kind for kind in vars(importlib.import_module(name)).values() if getattr(kind, "__module__", "") == name]
    bases = {base for kind in classes if isinstance(kind, type) for base in kind.__mro__[1:]}
    ours = {base for base in bases if base.__module__.startswith(("modadd.", "builtins"))}
    return set().union(*map(vars, bases - ours))


@cache
def used_by_code():
    """Names that the library, scripts, tools and notebooks use."""
    return set.union(*map(used_names, CODE.values()))


@cache
def used_anywhere():
    """Names that scripts, notebooks, rules and templates use, besides the library itself."""
    rules = "\n".join(re.sub("#.*", "", path.read_text(encoding="utf-8")) for path in RULES)
    texts = (path.read_text(encoding="utf-8") for path in TEMPLATES)
    templates = "\n".join("\n".join(re.findall(r"\{[{%].*?[%}]\}", text, re.S)) for text in texts)
    return used_by_code().union(re.findall(r"\w+", rules + templates))


def keys_of(schema):
    """Every key that a JSON schema names, at any depth."""
    if isinstance(schema, list):
        return set().union(*map(keys_of, schema))
    if not isinstance(schema, dict):
        return set()
    properties = schema.get("properties", {})
    return set(properties).union(
        *map(keys_of, [*properties.values(), *(schema[k] for k in schema if k != "properties")])
    )


@cache
def texts_read():
    """Every text of the workflow's own code, as a key would be looked up by."""
    code = [tree for path, tree in CODE.items() if path not in NOTEBOOKS]
    nodes = [node for tree in code for node in ast.walk(tree)]
    texts = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return texts.union(*(re.findall(r'"(\w+)"', path.read_text(encoding="utf-8")) for path in RULES))


@pytest.mark.parametrize("module", LIBRARY, ids=lambda path: path.stem)
def test_everything_in_the_library_is_used_outside_the_tests(module):
    unused = sorted(
        defined_names(CODE[module]) - used_anywhere() - texts_read() - called_by_libraries(module)
    )  # fields of a row are looked up by text
    assert not unused, f"only defined, or used by tests alone: {', '.join(unused)} in {module.name}"


def test_a_name_that_is_only_defined_imported_or_assigned_is_unused():
    module = ast.parse(
        "LIMIT = 3\ndef dead(): ...\n@measure('x', '1')\ndef read(network): ...\nclass Row:\n    size: int\n    def width(self): return self.size\n"
    )
    caller = ast.parse("from modadd.x import dead\nrow = Row()\nwidth = 4\n")
    assert defined_names(module) - used_names(module) - used_names(caller) == {"LIMIT", "dead", "width"}


@pytest.mark.parametrize("key", sorted(keys_of(read_yaml(CONFIG_SCHEMA)) - set(OVERRIDABLE)))
def test_every_key_of_the_config_is_read(key):
    assert key in texts_read(), f"the schema lets a config say '{key}', but nothing in workflow/ reads it"


@pytest.mark.parametrize("key", OVERRIDABLE)
def test_every_number_of_a_recipe_is_used(key):
    assert key in used_by_code(), f"a config may give '{key}', but training never asks for it"


OF_THE_LEDGER = [read_yaml(SCHEMAS / f"{kind}.schema.yaml") for kind in ("question", "study", "source")]


@pytest.mark.parametrize("key", sorted(keys_of(OF_THE_LEDGER)))
def test_every_key_of_the_ledger_is_read(key):
    assert key in texts_read() | used_anywhere(), f"an entry may say '{key}', but nothing in workflow/ reads it"


def test_keys_of_a_schema_are_found_at_every_depth():
    inner = {"type": "object", "properties": {"path": {"type": "string"}}}
    schema = {"properties": {"files": {"additionalProperties": inner}}, "$defs": {"one": {"properties": {"size": {}}}}}
    assert keys_of(schema) == {"files", "path", "size"}
    assert "depth_of_the_network" not in texts_read()


def test_a_value_that_nobody_claims_or_states_is_found():
    notebook = """
values = {"slope": 2.0, "largest_error": 0.1, "median": 1.0, "ours_rank": 3, "theirs_rank": 4, "share_a": 1, "odd": 0}
record(values_file, network, values)
print(f"off by {values['largest_error']}; {[values[f'share_{name}'] for name in 'a']}")
"""
    entries = {
        "lines": {"source": "lines", "network": "ours/seed0", "others": ["theirs/seed0"]},
        "lines_31": {"source": "lines", "network": "small/seed0"},
        "other": {"source": "other", "network": "ours/seed0"},
    }
    claims = [
        {"notebook": "lines", "value": "slope"},
        {"notebook": "lines_31", "value": "median"},
        {"notebook": "lines", "value": "theirs_rank"},
        {"notebook": "other", "value": "odd"},
    ]
    recorded = ["slope", "largest_error", "median", "ours_rank", "theirs_rank", "share_a", "odd"]
    assert nobodys(recorded, "lines", {"notebooks": entries, "claims": claims}, notebook) == ["odd"]
