"""Look into a network of your own: check its file, put it into the explorer, and into every notebook that it fits
(`make network FILE=mine.pt FORMAT=two_layer_mlp`)."""

import argparse
import re
from collections.abc import Collection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml
from build_explorer import build_explorer

from modadd.core.files import sha256
from modadd.networks.architectures import ACTIVATIONS
from modadd.networks.foreign import External, found_in, read_external, save_external
from modadd.networks.formats import FORMATS
from paper.build import PUBLISHED, Build, read_build
from paper.commands.build import build
from paper.commands.check import APART
from paper.commands.look import look
from paper.commands.options import with_build_options, with_configs
from paper.config import read_config
from paper.datasets import EXPERIMENTS
from paper.ledger.read.entries import read_ledger
from paper.yaml_files import plain_data

TEMPLATE = Path("workflow/templates/explorer.html.j2")


def name_of(file: Path, taken: Collection[str]) -> str:
    """A name for the config: the file's, in small letters, digits and underscores, after a letter, and not a taken one."""
    name = re.sub("[^a-z0-9_]", "_", file.stem.lower())
    while name in taken or not name[:1].isalpha():
        name = f"own_{name}"
    return name


def entry_of(file: Path, format: str, **said: Any) -> dict[str, Any]:
    """The entry of a file in `datasets`, with what is said of it; raises ValueError, one line, for no file."""
    if not file.is_file():
        raise ValueError(f"{file}: no such file; expected a file of tensors (.pt, .npz, .safetensors)")
    entry = {"path": str(file.resolve()), "format": format, "sha256": sha256(file)}
    for key, value in said.items():
        if value is not None:
            entry[key] = value
    return entry


def build_with(file: Path, entry: dict[str, Any], files: list[str]) -> tuple[str, Build]:
    """The name of an entry, and the build of config files with it; raises ValueError, one line, for what is wrong with these."""
    config = read_config("config/config.yaml", *files)
    name = name_of(file, {*config["datasets"], *EXPERIMENTS})
    config["datasets"][name] = entry
    return name, read_build(config, PUBLISHED)


def write_explorer(name: str, network: External, page: Path) -> str:
    """The explorer with this network alone; gives a sentence."""
    if network.separable() is None:
        return "No explorer: the network is not a sum of two tables before one ReLU."
    page.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "external" / f"{name}.safetensors"
        file.parent.mkdir()
        save_external(network, file)
        nothing = {"networks": [], "histories": []}
        build_explorer(**nothing, external=[file], ledger=read_ledger(), template=TEMPLATE, page=page)
    return f"Explorer: {page.resolve().as_uri()}"


def everything(files: list[str], folder: Path) -> str:
    """The command that builds everything of some config files in a folder."""
    where = "" if folder == Path(".") else f" --directory {folder}"
    return f"snakemake --cores all{where} --configfile {' '.join(files)}"


def show_own(file: Path, entry: dict[str, Any], files: list[str], cores: str, verbose: bool) -> None:
    """Check, explore, and execute the notebooks; raises ValueError, one line, for a bad file, entry or config."""
    name, asked = build_with(file, entry, files)
    print(f"Reading {file} as {entry['format']}, then its answer to every input", flush=True)
    entry = asked.config["datasets"][name]  # with numbers that were given as text
    said = {key: value for key, value in entry.items() if key != "path"}
    network = read_external(file, **said)
    for line in found_in(file, network):
        print(line, flush=True)
    if "activation" not in entry:
        print(
            "Its neurons are taken for ReLUs: no file says what they compute, and `--activation` names another",
            flush=True,
        )
    own = Path(f"results/own/{name}.yaml")
    own.parent.mkdir(parents=True, exist_ok=True)
    config = {"datasets": {name: entry}}
    own.write_text(yaml.safe_dump(config), encoding="utf-8")
    paths = [str(Path(path).resolve()) for path in (*files, own)]
    folder = APART.get(asked.config["scale"], Path("."))
    if separable := network.separable():
        print(look(separable, name, folder / f"figures/look_{name}"), flush=True)
    page = folder / f"figures/network_{name}.html"
    print(write_explorer(name, network, page), flush=True)
    shown_in = [question for question in asked.questions.values() if name in question.given.get("external", ())]
    print(f"{len(shown_in)} notebooks show it beside ours. So do their figures and tables, also if a job fails here,")
    print("until the next build without it (`make`, or `make smoke`):", flush=True)
    log = folder / "results/logs/network.log"
    executed = [f"results/notebooks/{question.name}.ipynb" for question in shown_in]
    build(folder, log, paths, *executed, "--cores", cores, verbose=verbose)
    print("Executed notebooks:")
    for notebook, question in zip(executed, shown_in, strict=True):
        print(f"{folder / notebook}  {question.title}")
    print(f"Everything with it: {everything([*files, str(own)], folder)}")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The file, and how it is read."""
    with_configs(with_build_options(parser))
    parser.add_argument("file", type=Path, nargs="?", help="a file of tensors (.pt, .npz, .safetensors)")
    formats = f"one of {', '.join(FORMATS)}; docs/recipes.md describes them. Without it you are told what fits"
    parser.add_argument("format", nargs="?", default="two_layer_mlp", help=formats)
    parser.add_argument("--activation", help=f"what its neurons compute: one of {', '.join(ACTIVATIONS)}")
    parser.add_argument("--operation", help="what it was trained on, such as subtraction; addition unless it is given")
    named = "names of its tensors by role, as '{W_E: net.0.weight, W_in: net.2.weight, W_out: net.4.weight}'"
    parser.add_argument("--tensors", help=named)
    parser.add_argument("--tokens", help="what a perceptron reads, as '[a, 97, b, 98]'")
    parser.set_defaults(parser=parser)


def run(options: argparse.Namespace) -> int | None:
    """Check the file, and show it."""
    if not options.file:
        options.parser.print_help()
        return 2
    said = {key: getattr(options, key) for key in ("activation", "operation")}
    for key in ("tensors", "tokens"):
        text = getattr(options, key)
        said[key] = text if text is None else plain_data(text, f"--{key}")
    entry = entry_of(options.file, options.format, **said)
    show_own(options.file, entry, options.configfile, options.cores, options.verbose)
