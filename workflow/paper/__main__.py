"""The commands of this project (`python -m paper COMMAND --help`); `make` calls them."""

import argparse
import os
import sys
from importlib import import_module
from pathlib import Path

from modadd.core.bits import job_variables
from modadd.core.files import ROOT
from paper.environment import FOLDERS

COMMANDS = {
    "build": "build everything, or another config in a folder of its own, and print the verdicts",
    "check": "build what one claim needs, judge it, and say what came out",
    "look": "say what a trained network does, and draw its phases",
    "network": "check a network of yours, put it into the explorer, and into every notebook that it fits",
    "proof": "let Coq prove that networks add",
    "verify": "build everything again in an empty folder, and compare",
    "audit": "train some kept networks again, and compare every bit of their rows",
    "release": "pack what a full build shows into results/release.zip",
}


def main() -> None:
    """Do what the command line says; what is wrong is said in one line, without a traceback."""
    here = Path.cwd()
    if (here / "workflow/paper").is_dir() and here != ROOT:
        sys.exit(f"paper: this is the code of {ROOT}; run it there, or with PYTHONPATH=src:workflow in this folder")
    os.chdir(ROOT)
    sys.path += [folder for folder in FOLDERS if folder not in sys.path]  # some commands do what scripts of jobs do
    os.environ.update(job_variables())  # before a command imports NumPy: it computes as the jobs do
    parser = argparse.ArgumentParser(prog="python -m paper", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    name = next((word for word in sys.argv[1:] if word in COMMANDS), None)
    for command, words in COMMANDS.items():
        form = {"help": words, "description": words, "formatter_class": argparse.RawDescriptionHelpFormatter}
        own = commands.add_parser(command, **form)
        if command == name:  # the libraries of one command take seconds
            if sys.stderr.isatty():
                print(f"{name}: loading the libraries", file=sys.stderr)
            module = import_module(f"paper.commands.{command}")
            module.add_arguments(own)
            own.set_defaults(run=module.run)
    options = parser.parse_args()
    try:
        sys.exit(options.run(options))
    except KeyboardInterrupt:
        print("\nInterrupted; the same command continues from here.", file=sys.stderr)
        sys.exit(130)  # as a shell says it
    except MemoryError as error:
        sys.exit(f"{options.command}: too little memory: {str(error) or 'Python got no more'}")
    except (ValueError, OSError) as error:
        sys.exit(f"{options.command}: {error}")


if __name__ == "__main__":
    main()
