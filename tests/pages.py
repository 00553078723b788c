"""Code blocks and commands of the project's Markdown pages, for the tests that do what the pages say."""

import os
import re
import subprocess
import sys
import textwrap

from support import ROOT, variables


def section_of(page, heading):
    """The text of one section of a page, up to the next heading of its level."""
    return (ROOT / page).read_text(encoding="utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]


def blocks(page, heading, language):
    """The code blocks of one section, in order."""
    found = re.findall(rf"^ *```{language}\n(.*?)^ *```$", section_of(page, heading), re.S | re.M)
    return [textwrap.dedent(code) for code in found]


def run(folder, line):
    """What one command line prints, run by this interpreter's own environment."""
    path = f"{os.path.dirname(sys.executable)}{os.pathsep}{os.environ['PATH']}"
    environment = variables(folder) | {"PATH": path}
    done = subprocess.run(line, shell=True, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, f"{line}\n{(done.stdout + done.stderr)[-4000:]}"
    return done.stdout + done.stderr
