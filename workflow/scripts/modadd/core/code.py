"""Code as a fingerprint: of a script, and of the definitions of this library that it uses, directly or not.

A definition is a statement at the top of a module that binds a name. Who uses the name uses the statement, and all that
the statement uses. Who imports a module uses its statements that act: those that do more than bind names, and those that
call functions of this library or are decorated by them, because these may register things. Of a module that is handed on
as a value, every statement counts. What is registered under its name alone, as a measure is, is used by who says the
name in a file that looks up names.
"""

import ast
import hashlib
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from modadd.core.files import write_whole
from modadd.core.wording import unknown

LIBRARY = Path(__file__).parents[1]
# What was read and computed before, each named after the bytes that it came from.
KNOWN = Path(".snakemake/fingerprints")

# Modules on which no number depends: one words messages, this one only tells which code is behind a job.
WITHOUT_NUMBERS = {"modadd.core.wording", "modadd.core.code"}
HARMLESS = {"modadd.networks.measures.once"}  # decorates many functions, and registers none
# These register a function, to be found by its name; these find it: `following` those that its arguments name.
BY_NAME = {"modadd.networks.measures.measure", "modadd.networks.measures.following"}
LOOK_UP = {"modadd.networks.measures.named", "modadd.networks.measures.measured"}
DYNAMIC = {"globals", "eval", "exec"}  # may use any name of their module

Import = ast.Import | ast.ImportFrom
Function = ast.FunctionDef | ast.AsyncFunctionDef


Place = tuple[str, int]  # a module, and the position of a statement in it


class Statement(NamedTuple):
    """A statement at the top of a module; names of this library are full, as in modadd.core.fourier.fit.

    text: its code alone, without docstrings, types of arguments and words of errors. binds: names that it gives a
    meaning. imports: what is loaded by an import statement. says: strings by which it may find what is registered under
    its name. acts: whether it may change more than the names it binds. by_name: whether it is registered so.
    """

    text: str
    binds: frozenset[str] = frozenset()
    imports: frozenset[str] = frozenset()
    uses: frozenset[str] = frozenset()
    says: frozenset[str] = frozenset()
    acts: bool = False
    by_name: bool = False


class Names(NamedTuple):
    """Full names of what is bound in a module; foreign: those of them that are imported from other libraries."""

    module: str
    meanings: Mapping[str, str]
    foreign: set[str]


class Code(NamedTuple):
    """The statements of a file, and the positions of those that bind a name, and of those that act."""

    statements: list[Statement]
    binding: dict[str, list[int]]
    acting: list[int]


def code_behind(*files: str, definitions: Iterable[str] = ()) -> str:
    """sha256 over the code of some files and of all of this library that they, and definitions by their full names, use.

    A module that a file imports by a computed name must be among the files. Raises ValueError for an import that does
    not name what it binds, and for a definition that its module does not have.
    """
    definitions = [*definitions]
    for name in definitions:
        module, definition = _place(name)
        if definition not in (binding := read_module(module).binding):
            raise ValueError(unknown(module, "definition", definition, binding))
    scripts = [statement for file in files for statement in read_code(Path(file)).statements]
    texts = [statement.text for statement in scripts]
    for module, position in sorted(reached([*scripts, Statement("", uses=frozenset(definitions))])):
        texts.append(f"{module}: {read_module(module).statements[position].text}")
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()


def reached(start: Iterable[Statement]) -> set[Place]:
    """The statements of this library that some statements use, directly or not."""
    found: set[Place] = set()
    loaded: set[str] = set()
    waiting = [_targets(statement) for statement in start]
    while waiting:
        modules, places = waiting.pop()
        for module in modules - loaded:
            loaded.add(module)
            waiting.append(_when_imported(module))
        for module, position in places - found:
            found.add((module, position))
            waiting.append(_targets_of_place(module, position))
    return found


def _targets(statement: Statement) -> tuple[set[str], set[Place]]:
    """The modules that a statement imports or names, and the statements that it uses."""
    named = {_place(name) for name in statement.uses}
    imported = {_place(name) for name in statement.imports}
    places = {_registered()[name] for name in statement.says & _registered().keys()}
    for module, definition in named | {place for place in imported if place[1]}:
        code = read_module(module)
        places |= {(module, position) for position in code.binding.get(definition, range(len(code.statements)))}
    return {module for module, _ in named | imported}, places


@cache
def _registered() -> dict[str, Place]:
    """What is registered under its name, anywhere in this library."""
    codes = {module: read_module(module).statements for module in _modules()}
    return {
        name: (module, position)
        for module, statements in codes.items()
        for position, statement in enumerate(statements)
        for name in (statement.binds if statement.by_name else ())
    }


@cache
def _targets_of_place(module: str, position: int) -> tuple[set[str], set[Place]]:
    return _targets(read_module(module).statements[position])


@cache
def _when_imported(module: str) -> tuple[set[str], set[Place]]:
    """The modules that importing a module imports, its packages too, and the statements that act then."""
    code = read_module(module)
    imported = {_place(name)[0] for statement in code.statements for name in statement.imports}
    package = module.rpartition(".")[0]
    return imported | ({package} if package else set()), {(module, position) for position in code.acting}


@cache
def _place(name: str) -> tuple[str, str]:
    """The module of a full name, and the name in it; empty for the module itself."""
    parts = name.split(".")
    end = next(end for end in range(len(parts), 0, -1) if ".".join(parts[:end]) in _modules())
    return ".".join(parts[:end]), "".join(parts[end : end + 1])


@cache
def _modules() -> dict[str, Path]:
    """The files of this library's modules, by their full names."""
    files = {file.relative_to(LIBRARY.parent).with_suffix(""): file for file in LIBRARY.rglob("*.py")}
    return {".".join(place.parts).removesuffix(".__init__"): file for place, file in files.items()}


def read_module(module: str) -> Code:
    return read_code(_modules()[module], module)


@cache
def read_code(file: Path, module: str = "") -> Code:
    """What a file says, as a module of this name; from KNOWN if it was read before.

    Raises ValueError as `code_behind` does.
    """
    content = file.read_bytes()
    known = KNOWN / hashlib.sha256(b"\0".join([_reader(), module.encode(), content])).hexdigest()
    try:
        found = json.loads(known.read_bytes())
    except (OSError, ValueError):
        statements = _read(file, content, module)
        if KNOWN.parent.exists():
            write_whole(known, json.dumps([_plain(statement) for statement in statements]).encode())
    else:
        statements = [Statement(text, *map(frozenset, names), *flags) for text, *names, flags in found]
    binding: dict[str, list[int]] = {}
    for position, statement in enumerate(statements):
        for name in statement.binds:
            binding.setdefault(name, []).append(position)
    return Code(statements, binding, [position for position, statement in enumerate(statements) if statement.acts])


def _plain(statement: Statement) -> list[Any]:
    text, *names, acts, by_name = statement
    return [text, *map(sorted, names), [acts, by_name]]


@cache
def _reader() -> bytes:
    """What decides how a file is read: this module, and the Python that takes code apart."""
    return sys.version.encode() + Path(__file__).read_bytes()


def _read(file: Path, content: bytes, module: str) -> list[Statement]:
    tree = ast.parse(content)
    _strip(tree)
    nodes = [part for node in tree.body for part in _apart(node)]
    try:
        names = _names(nodes, module)
        return [_statement(node, names) for node in nodes]
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from error


def _strip(tree: ast.Module) -> None:
    """Take out what changes no output: docstrings, types of arguments and results, words of errors."""
    for node in _statements_in(tree):
        if isinstance(node, ast.Module | ast.ClassDef | Function) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
        if isinstance(node, Function):
            _strip_types(node)
        elif isinstance(node, ast.Raise):
            for word in ast.walk(node):
                if isinstance(word, ast.Constant) and isinstance(word.value, str):
                    word.value = ""


def _strip_types(function: Function) -> None:
    function.returns, arguments = None, function.args
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
        if argument is not None:
            argument.annotation = None


def _statements_in(node: ast.AST) -> Iterator[ast.AST]:
    """A node and all statements in it: a tenth of all nodes, and nothing else has docstrings or raises."""
    yield node
    for part in ("body", "handlers", "orelse", "finalbody", "cases"):
        for inner in getattr(node, part, ()):
            yield from _statements_in(inner)


def _apart(node: ast.stmt) -> list[ast.stmt]:
    """A statement; one that imports several names as one for each of them."""
    if isinstance(node, ast.Import):
        return [ast.Import([alias]) for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return [ast.ImportFrom(node.module, [alias], node.level) for alias in node.names]
    return [node]


def _names(nodes: Iterable[ast.AST], module: str) -> Names:
    """What is meant by the names that some statements of a module bind."""
    meanings, foreign = {}, set()
    for node in nodes:
        imported = dict(_imported(node))
        foreign |= {name for name, full in imported.items() if not _is_own(full)}
        meanings |= {
            name: imported[name] if _is_own(imported.get(name, "")) else f"{module}.{name}" for name in _bound(node)
        }
    return Names(module, meanings, foreign)


def _bound(node: ast.AST) -> set[str]:
    """Names that a statement binds; of a compound one also those that are bound within."""
    if isinstance(node, Function | ast.ClassDef):
        return {node.name}
    if isinstance(node, Import):
        return {name for name, _ in _imported(node)}
    inner = list(ast.walk(node))
    names = {part.id for part in inner if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)}
    names |= {part.name for part in inner if isinstance(part, Function | ast.ClassDef)}
    return names | {name for part in inner for name, _ in _imported(part)}


def _imported(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Names that an import statement binds, and their full names: of `import a.b` the name a; none for other nodes."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            first = alias.name.partition(".")[0]
            yield alias.asname or first, alias.name if alias.asname else first
    elif isinstance(node, ast.ImportFrom):
        for alias in node.names:
            if node.level or alias.name == "*":
                raise ValueError(f"'{ast.unparse(node)}': expected full names of what is imported")
            yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _statement(node: ast.stmt, names: Names) -> Statement:
    text = hashlib.sha256(_written(node).encode()).hexdigest()
    binds = frozenset(_bound(node))
    if isinstance(node, Import):
        full = node.names[0].name if isinstance(node, ast.Import) else f"{node.module}.{node.names[0].name}"
        return Statement(text, binds, imports=frozenset(filter(_is_own, [full])))
    parts = list(ast.walk(node))
    local = _names([part for part in parts if isinstance(part, Import)], names.module)
    uses = {*local.meanings.values()}
    for name in _dotted_names(parts):
        first, _, rest = name.partition(".")
        uses.update(f"{known.meanings[first]}.{rest}" for known in (names, local) if first in known.meanings)
        if first in DYNAMIC:
            uses.add(names.module)
    strings = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    for string in strings:
        if LIBRARY.name in string:
            uses.update(re.findall(rf"\b{LIBRARY.name}(?:\.\w+)+", string))
    by_name = isinstance(node, Function) and not BY_NAME.isdisjoint(_own_calls([], node.decorator_list, names))
    says = {string for string in strings if not LOOK_UP.isdisjoint(names.meanings.values())}
    if by_name:
        says |= {argument.arg for argument in node.args.args}
    uses = frozenset(filter(_is_own, uses))
    return Statement(text, binds, frozenset(), uses, frozenset(says), _acts(node, names), by_name)


def _written(node: object) -> str:
    """A syntax tree as ASCII text that every Python writes alike: without positions, and without what is empty.

    A later Python has fields that an earlier one lacks, as for parameters of types; in code for both they are empty.
    """
    if isinstance(node, ast.AST):
        fields = [f"{name}={_written(value)}" for name, value in ast.iter_fields(node) if value not in (None, [])]
        return f"{type(node).__name__}({', '.join(fields)})"
    if isinstance(node, list):
        return f"[{', '.join(map(_written, node))}]"
    return ascii(node)


def _is_own(name: str) -> bool:
    """Whether a full name is of this library, and of a module that outputs depend on."""
    return f"{name}.".startswith(f"{LIBRARY.name}.") and not f"{name}.".startswith(
        tuple(f"{place}." for place in WITHOUT_NUMBERS)
    )


def _dotted_names(parts: Iterable[ast.AST]) -> set[str]:
    """Every name in some code, with the attributes that are asked of it, as in `fourier.fit`."""
    whole = {id(part): part for part in parts if isinstance(part, ast.Name | ast.Attribute)}
    for part in parts:
        if isinstance(part, ast.Attribute):
            whole.pop(id(part.value), None)
    return {name for part in whole.values() if (name := _dotted(part))}


def _dotted(node: ast.AST) -> str:
    attributes = []
    while isinstance(node, ast.Attribute):
        attributes.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(attributes)]) if isinstance(node, ast.Name) else ""


def _acts(node: ast.AST, names: Names) -> bool:
    """Whether a statement may change more than the names it binds when its module is imported."""
    if isinstance(node, Function):
        return _calls([*node.args.defaults, *filter(None, node.args.kw_defaults)], node.decorator_list, names)
    if isinstance(node, ast.ClassDef):
        made_of = [*node.bases, *(word.value for word in node.keywords)]
        return _calls(made_of, node.decorator_list, names) or any(_acts(inner, names) for inner in node.body)
    if isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        names_alone = all(isinstance(part, ast.Name | ast.Tuple) for target in targets for part in _flat(target))
        return not names_alone or _calls([node.value] if node.value else [], [], names)
    return not isinstance(node, ast.Pass)


def _flat(target: ast.expr) -> list[ast.expr]:
    return [target, *(target.elts if isinstance(target, ast.Tuple) else [])]


def _calls(expressions: Iterable[ast.expr], decorators: Iterable[ast.expr], names: Names) -> bool:
    """Whether functions of this library are called, also as decorators, but for those that change nothing else."""
    return not _own_calls(expressions, decorators, names) <= HARMLESS | BY_NAME


def _own_calls(expressions: Iterable[ast.expr], decorators: Iterable[ast.expr], names: Names) -> set[str]:
    """Full names of the functions of this library that are called; a class, by its capital, only makes an object."""
    parts = [part for expression in (*expressions, *decorators) for part in ast.walk(expression)]
    called = [*decorators, *(part.func for part in parts if isinstance(part, ast.Call))]
    found = set()
    for first, _, rest in (name.partition(".") for name in map(_dotted, called)):
        full = f"{names.meanings.get(first, '')}.{rest}".rstrip(".")
        if first not in names.foreign and _is_own(full) and full.rpartition(".")[2][0].islower():
            found.add(full)
    return found
