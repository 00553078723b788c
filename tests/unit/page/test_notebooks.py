import re

import nbformat
import papermill
import pytest
from papermill import PapermillExecutionError
from support import ROOT

from paper.execution import execute, with_values
from paper.page.notebooks import to_html

pytestmark = pytest.mark.usefixtures("backend_kept")
TEMPLATE = ROOT / "workflow/templates/notebook.html.j2"
SOURCE = """# %% [markdown]
# # What is twice the number?
# ψ = 2φ, see <https://example.org>.
# $$ \\psi = 2 \\varphi, \\quad w_k * x_i * y_i $$
#
# 0 < x_1 < x_2 holds, and $$ x_1 < x_2 $$ too.

# %% tags=["parameters"]
number = 1
out = ""

# %%
import matplotlib.pyplot as plt
import pandas as pd
from IPython.display import Markdown, display

# %%
print("printed <b>")
display(Markdown("*said*"))
plt.plot([0, number])
pd.DataFrame({"twice": [2 * number]})
"""


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "twice.py"
    path.write_text(SOURCE, encoding="utf-8")
    return path


@pytest.fixture
def executed(source, tmp_path):
    """The notebook, executed with number = 21."""
    path = tmp_path / "one" / "twice.ipynb"
    execute(source, path, {"number": 21})
    return path


def test_executing_twice_in_two_folders_gives_equal_bytes(source, executed, tmp_path):
    again = tmp_path / "two" / "deeper" / "twice.ipynb"
    again.parent.mkdir(parents=True)
    moved = again.with_name("twice.py")
    moved.write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    execute(moved, again, {"number": 21})
    assert again.read_bytes() == executed.read_bytes(), "the executed notebook depends on time, place or chance"
    for path in (executed, again):
        to_html(path, path.with_suffix(".html"), TEMPLATE, figures="../twice")
    assert again.with_suffix(".html").read_bytes() == executed.with_suffix(".html").read_bytes()


def test_parameters_reach_the_cells_and_results_are_kept(executed):
    notebook = nbformat.read(executed, as_version=4)
    nbformat.validate(notebook)
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert any("42" in output.get("data", {}).get("text/html", "") for output in outputs)
    assert any("image/png" in output.get("data", {}) for output in outputs)
    (parameters,) = [cell for cell in notebook.cells if cell.metadata.get("tags") == ["parameters"]]
    assert parameters.source == 'number = 21\nout = ""'


def test_page_has_its_title_and_loads_nothing_from_the_network(executed, tmp_path):
    near = {"after": ["thrice", "What is thrice the number?"]}
    to_html(executed, tmp_path / "page.html", TEMPLATE, figures="../twice", found="Twice w_k is 42.", near=near)
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<title>What is twice the number?</title>" in page
    first = '<h1>What is twice the number?</h1>\n<p class="found">Twice <i>w</i><sub>k</sub> is 42.</p>'
    assert first in page and page.count("<h1>") == 1, "what was found stands first"
    assert '<a href="thrice.html">Next: What is thrice the number?</a>' in page and "Before:" not in page
    loaded = re.findall(
        r"""(?:src\s*=\s*|<link[^>]*href\s*=\s*|url\(|@import\s*)["']?((?:https?:)?//[^"')\s]+)""", page
    )
    assert not loaded, f"the page must be readable offline, it loads {loaded}"
    assert "<script" not in page
    assert '<span class="mi">2</span>' in page and '<span class="n">' not in page, "only what has a style is marked"
    assert '<div class="scroll" tabindex="0">' in page and "<pre>" not in page, "what is wide scrolls by keyboard too"
    assert "printed &lt;b&gt;" in page and "<em>said</em>" in page, "what is printed is text, what is said is Markdown"
    assert "<td></td>" in page and "<th></th>" not in page, "the corner of a table is no heading"
    given = page.split("<summary>Parameters of this run</summary>")[1].split("</details>")[0]
    assert "number" in given and "21" in given and "# Parameters" not in page, "parameters stand once, as used"
    assert page.count('<details class="code">') == page.count('<pre class="highlight"'), "all code folds"
    assert page.index("printed &lt;b&gt;") < page.index('<span id="cell-003-1">'), (
        "what a cell shows stands above its code"
    )
    assert "border=" not in page and page.count("<style") == 1, "tables have the style of the page"
    assert '<a href="https://example.org">' in page and '<div id="cell-000">' in page
    assert page.count('<math tabindex="0"') == 2 and "$" not in page, "formulas are typeset"
    assert (
        "<p>0 &lt; <i>x</i><sub>1</sub> &lt; <i>x</i><sub>2</sub> holds, and" in page
        and "<pre" in page.split("printed")[0]
    )


def test_a_saved_figure_is_shown_from_its_files(source, tmp_path):
    figure = 'figure, _ = panels(1)\nsave_figure(figure, f"{out}/law", pd.DataFrame())'
    source.write_text(
        f"{SOURCE}\n# %%\nfrom modadd.plots.figures import panels, save_figure\n\n{figure}\n", encoding="utf-8"
    )
    executed = tmp_path / "one" / "twice.ipynb"
    execute(source, executed, {"out": str(tmp_path)})
    (shown,) = nbformat.read(executed, as_version=4).cells[-1].outputs
    assert shown.data["image/svg+xml"] == (tmp_path / "law.svg").read_text(encoding="utf-8")
    to_html(executed, tmp_path / "page.html", TEMPLATE, figures="../twice")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert '<a href="../twice/law.svg"><img src="../twice/law.svg" alt="law"></a>' in page
    assert page.count("data:image/png") == 1, "the figure that is not saved stays part of the page"


def test_a_failing_cell_raises_and_the_notebook_is_kept_as_far_as_it_came(source, tmp_path):
    failing = '\n# %%\nraise RuntimeError("no such frequency")\n\n# %%\nprint("never")\n'
    source.write_text(SOURCE + failing, encoding="utf-8")
    executed = tmp_path / "out" / "twice.ipynb"
    with pytest.raises(PapermillExecutionError, match="no such frequency"):
        execute(source, executed, {"number": 21})
    notebook = nbformat.read(executed, as_version=4)
    nbformat.validate(notebook)
    outputs = {cell.source: cell.get("outputs", []) for cell in notebook.cells}
    (error,) = outputs['raise RuntimeError("no such frequency")']
    assert error.ename == "RuntimeError" and any("no such frequency" in line for line in error.traceback)
    assert outputs['print("never")'] == [], "cells after the failing one are not run"
    assert any("42" in output.get("data", {}).get("text/html", "") for cell in outputs.values() for output in cell)


def test_the_notebook_of_an_earlier_run_is_gone_before_the_next_begins(source, executed, monkeypatch):
    def killed(*_, **__):
        assert not executed.exists(), "a job that is killed leaves no notebook of another run"
        raise SystemExit

    monkeypatch.setattr(papermill, "execute_notebook", killed)
    with pytest.raises(SystemExit):
        execute(source, executed, {})


def test_parameters_have_the_values_of_the_run_and_keep_their_comments():
    declared = 'file = ""  # which é\nn, m = 1, 2\nlonger = [\n    1,\n]  # a list\nleft = 3'
    given = {"file": "a # b", "longer": [2, 3], "m": 5}
    assert (
        with_values(declared, given)
        == "file = 'a # b'  # which é\nn, m = 1, 2\nlonger = [2, 3]  # a list\nleft = 3\nm = 5"
    )
