"""Say what a trained network does, and draw its phases (`make look NETWORK=mod_31/seed0`)."""

import argparse
import re
from pathlib import Path

from modadd.core.separable import Separable
from modadd.core.wording import unknown
from modadd.networks.store import load_network, metadata_of
from modadd.plots.figures import save_figure, use_style
from modadd.plots.portrait import draw_phases, portrait
from paper.datasets import network_file

NAME = re.compile(r"\w+/(seed\d+|exhibit)")


def file_of(name: str, folder: Path = Path(".")) -> Path:
    """The file of a network, by its path or its name; raises ValueError, one line, if it is neither, or not there."""
    if not (name.endswith(".safetensors") or NAME.fullmatch(name)):
        raise ValueError(f"expected DATASET/seedN, POPULATION/exhibit or a file of safetensors, got '{name}'")
    by_path = name.endswith(".safetensors")
    file = Path(name) if by_path else folder / network_file(name)
    if by_path and not file.is_file():
        raise ValueError(f"{name}: no such file")
    if not file.is_file():
        there = [
            f"{path.parent.name}/{path.stem}"
            for path in sorted((folder / "results/networks").glob("*/seed*.safetensors"))
            if not path.stem.endswith(".history")
        ]
        if there:
            raise ValueError(unknown("results/networks", "network", name, there))
        raise ValueError(
            f"{file} is not there, nor any other network; `make` trains them, or name a file of `make smoke`, as in "
            f"NETWORK=results/smoke/{network_file('two_layer_mlp/seed0')}"
        )
    return file


def require_network(file: Path) -> None:
    """Raise ValueError, one line, for a file of this project that holds something else."""
    held = metadata_of(file)
    if "seeds" not in held:
        found = "weights of others" if "format" in held else "the snapshots of a training"
        raise ValueError(
            f"{file}: expected a trained network, as in results/networks/DATASET/seedN.safetensors, found {found}"
        )


def look(network: Separable, name: str, figures: Path) -> str:
    """Its portrait, and where its figure is: drawn into a folder."""
    use_style()
    words = portrait(network, name)
    try:
        figure, points = draw_phases(network, name)
    except ValueError as error:
        return f"{words}\n{error}"
    save_figure(figure, figures / "phases", points)
    return f"{words}\nfigure: {figures / 'phases.png'}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The network and the folder."""
    parser.add_argument("network", nargs="?", help="DATASET/seedN, POPULATION/exhibit, or a file of results/networks")
    parser.add_argument("--folder", type=Path, default=Path("."), help="of the build; default: this one")
    parser.set_defaults(parser=parser)


def run(options: argparse.Namespace) -> int | None:
    """Print what is said of a network of a build."""
    if not options.network:
        options.parser.print_help()
        return 2
    file = file_of(options.network, options.folder)
    require_network(file)
    name = f"{file.parent.name}/{file.stem}"
    print(look(load_network(file).separable(), name, options.folder / f"figures/look_{name.replace('/', '_')}"))
