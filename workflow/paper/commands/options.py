"""Options that several commands have."""

import argparse
import os


def whole_number(text: str, least: int = 1) -> int:
    """A number as a user gives it; refuses anything but a whole number of at least so many."""
    if not text.isdecimal() or int(text) < least:
        raise argparse.ArgumentTypeError(f"expected a whole number of at least {least}, got {text!r}")
    return int(text)


def seed(text: str) -> int:
    """The seed of a generator, as a user gives it; refuses anything but a whole number of at least 0."""
    return whole_number(text, 0)


def cores_here() -> int:
    """How many cores this process may use: a job that was given one of many must not start as many jobs as there are cores."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def number_of_cores(text: str) -> str:
    """A number of cores as Snakemake takes it, `all` as the number that this process may use; refuses anything else."""
    if text == "all":
        return str(cores_here())
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number of at least 1, or `all`, got {text!r}")
    return text


def with_cores(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """The parser with the option that every tool has which builds."""
    parser.add_argument("--cores", type=number_of_cores, default="all", help="a number, or all (default: %(default)s)")
    return parser


def with_build_options(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """The parser with the options of a tool that shows how its build goes on."""
    parser.add_argument("--verbose", action="store_true", help="show all that Snakemake says, instead of its stages")
    return with_cores(parser)


def with_configs(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """The parser with the option that names config files."""
    parser.add_argument("--configfile", nargs="*", default=[], help="laid over config/config.yaml, as snakemake does")
    return parser
