"""The explorer's JavaScript in node: what a function body returns, given a network as the page sends it."""

import json
import shutil
import subprocess
from typing import Any

import pytest
from support import ROOT

from modadd.core.separable import Separable
from paper.page.explorer import entry

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="no node on this machine to run the page's JavaScript")
MODULES = {"m": "network", "neurons": "neurons", "moments": "moments", "every": "every"}


def in_node(network: Separable, code: str, **given: Any) -> Any:
    """What a JavaScript function body returns, which may await.

    It is given `net`, the decoded network, the page's modules by the names of MODULES, and any further plain data.
    """
    files = {name: str(ROOT / f"workflow/templates/explorer_{module}.js") for name, module in MODULES.items()}
    start = "".join(f"const {name} = require({json.dumps(file)});" for name, file in files.items())
    names = ", ".join(given)
    read = f"const {{ sent{', ' + names if names else ''} }} = JSON.parse(require('fs').readFileSync(0)), net = m.decode(sent);"
    script = f"{start}{read}(async () => {{ {code} }})().then(found => process.stdout.write(JSON.stringify(found)));"
    data = json.dumps({"sent": entry(network, [])} | given)
    done = subprocess.run([NODE, "-e", script], input=data, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
