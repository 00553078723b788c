"""The whole DAG on the smoke config: what it makes, what an edit rebuilds, damaged and deleted files."""

import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from zipfile import ZipFile

import pandas as pd
import pytest
from support import LEDGER, ROOT, SMOKE, jobs_of, paper, snakemake

from paper.ledger.judge.verdicts import with_claims
from paper.ledger.tell.reference import against_list, listed

AFTER_A_NOTEBOOK = ("judge_claims", "build_notebook_pages", "build_unseen", "build_site", "provenance", "all")


@pytest.fixture(scope="module")
def smoke(smoke_build: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the smoke build, for what the tests of this file do in it."""
    return shutil.copytree(smoke_build, tmp_path_factory.mktemp("one") / "project")


def test_smoke_build_makes_everything_the_ledger_names_and_judges_no_network_of_its_own(smoke: Path) -> None:
    claims = with_claims(json.loads((smoke / "figures/claims.json").read_text(encoding="utf-8")), LEDGER)
    assert {claim["verdict"] for claim in claims if claim["external"] is None} == {"not judged"}
    read = cache(lambda name: (smoke / "figures" / name).read_text(encoding="utf-8"))
    for page in ("index.html", "claims.html"):
        assert not re.search(r'(?:href|src)="https?:', read(page)), "the page must need no network"
        for link in set(re.findall(r'(?:href|src)="(?!data:)([^"]+)"', read(page))):
            name, _, anchor = link.partition("#")
            name = name.partition("?")[0] or page
            assert (smoke / "figures" / name).exists(), f"{page} links to {link}, which does not exist"
            assert not anchor or f'id="{anchor}"' in read(name), f"{page} links to {link}, and there is no such place"
    for claim in claims:
        of_its_notebook = read(f"notebooks/{claim['notebook']}.html").split('<h2 id="verdicts">')[1]
        assert f"claims.html#claim-{claim['id']}" in of_its_notebook
    assert "stopped early" in read("index.html"), "the first look must not look like a failure"
    for claim in claims:
        row = read("claims.html").split(f'<tr id="claim-{claim["id"]}"')[1].split("</tr>")[0]
        assert f"make check CLAIM={claim['id']}<" in row
        assert re.search(rf'href="notebooks/{claim["notebook"]}.html#cell-\d+-\d+"', row), (
            f"{claim['id']} leads to no line"
        )


def test_no_table_prints_a_number_as_0_that_is_none(smoke: Path) -> None:
    tables = [path for path in sorted((smoke / "figures").glob("*/*.csv")) if path.with_suffix(".tex").exists()]
    assert tables
    for path in tables:
        exact = pd.read_csv(path, dtype=str, keep_default_na=False).values.tolist()
        markdown = path.with_suffix(".md").read_text(encoding="utf-8").splitlines()[2:]
        latex = path.with_suffix(".tex").read_text(encoding="utf-8").split("\\midrule\n")[1].splitlines()[: len(exact)]
        for row, in_markdown, in_latex in zip(exact, markdown, latex, strict=True):
            for cells in (in_markdown[1:-1].split("|"), in_latex.removesuffix(r"\\").split("&")):
                if len(cells) != len(row):  # a cell with a bar or an ampersand of its own
                    continue
                for cell, shown in zip(row, cells, strict=True):
                    is_0 = re.fullmatch(r"-?0(\.0*)?", shown.strip())
                    assert not is_0 or float(cell) == 0, f"{path}: {cell} is written as {shown.strip()}"


def test_the_page_shows_what_it_could_not_judge_as_the_reference_build_judged_it(smoke: Path) -> None:
    page = (smoke / "figures/index.html").read_text(encoding="utf-8").split("<body>")[1]
    bars = re.findall(r'aria-label="([^"]+): (\d+) ([^"]+)"', page)
    assert {"reproduced", "differs", "slip"} <= {outcome for *_, outcome in bars}
    lent = int(re.search(r"(\d+) verdicts of the reference build", page)[1])
    assert lent > len(LEDGER["claims"]) / 2, "few claims are judged on networks stopped early"


def test_the_pages_name_claims_by_their_words(smoke: Path) -> None:
    ids = {claim["id"] for claim in LEDGER["claims"] if "_" in claim["id"]}
    for name in ("index.html", "claims.html", "unseen.html"):
        page = (smoke / "figures" / name).read_text(encoding="utf-8").split("<body>")[1]
        numbers = r'<table class="dataframe">.*?</table>'  # its columns are measures, and some claims have their names
        seen = re.sub(rf"<script>.*?</script>|{numbers}|<[^>]*>|make check CLAIM=\w+", " ", page, flags=re.DOTALL)
        said = {word for words in re.findall(r'(?:aria-label|alt|title)="([^"]*)"', page) for word in words.split()}
        assert not ids & (set(re.findall(r"\w+", seen)) | said), name


def test_every_machine_makes_the_files_of_the_reference(smoke: Path) -> None:
    """The first that differs is where a machine, or an edit since the reference was kept, goes a way of its own."""
    kept = ROOT / "data/reference/sha256.txt"
    if not kept.exists():
        pytest.skip("`workflow/dev/reference.py` keeps the checksums of a smoke build in data/reference/sha256.txt")
    expected = listed(kept.read_text(encoding="utf-8"), "smoke")
    assert expected, "the list has no file of a smoke build"
    found = against_list(expected, smoke)
    assert not found, f"{len(found)} of {len(expected)} files are others, the first of them {next(iter(found.items()))}"


def test_a_second_call_does_nothing_though_the_time_of_a_history_is_another(smoke: Path) -> None:
    (smoke / "results/networks/pizza_transformer/seed0.history.safetensors").touch()
    assert "Nothing to be done" in snakemake(smoke, "--cores", "2", *SMOKE)


@contextmanager
def edited(file: Path, old: str, new: str) -> Iterator[None]:
    """The file with its first `old` replaced; afterwards as it was, its times too."""
    original, times = file.read_text(encoding="utf-8"), file.stat()
    file.write_text(original.replace(old, new, 1), encoding="utf-8")
    try:
        yield
    finally:
        file.write_text(original, encoding="utf-8")
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))


def test_an_edited_plot_reruns_its_notebook_and_a_reworded_docstring_nothing(smoke: Path) -> None:
    """test_edits.py has a table of edits, with the jobs whose code they change."""
    step, notebook = smoke / "src/modadd/training/step.py", smoke / "notebooks/quadrature/phases.py"
    with edited(step, '"""', '"""Reworded: '), edited(notebook, "# %%", "# Another remark.\n\n# %%"):
        assert jobs_of(snakemake(smoke, "-n", *SMOKE)) == {"notebook_phases", *AFTER_A_NOTEBOOK}


def test_a_release_holds_the_build_alone_and_waits_for_one_that_is_up_to_date(smoke: Path) -> None:
    notebook, mine = smoke / "notebooks/quadrature/phases.py", smoke / "figures/network_mine.html"
    with edited(notebook, "# %%", "# Another remark.\n\n# %%"):
        assert "not what today's code and config make" in paper(smoke, "release", check=False)
    mine.touch()
    paper(smoke, "release")
    mine.unlink()
    with ZipFile(smoke / "results/release.zip") as archive:
        names = archive.namelist()
    assert "figures/phases/phase_law.svg" in names and "results/provenance.json" in names
    assert "figures/network_mine.html" not in names


def test_a_changed_population_trains_what_is_new(smoke: Path) -> None:
    """A seed more; test_shards.py has other changes. The jobs of the smoke config train all populations of an architecture."""
    asked = f"datasets={json.dumps({'c_sensitivity': {'seeds': 2}})}"
    call = (smoke, "results/populations/c_sensitivity.parquet", "-n", *SMOKE, "--config", asked)
    assert jobs_of(snakemake(*call)) == {f"{step}_embedding_mlp" for step in ("train", "measure", "gather")}
    apart = snakemake(*call, "together=false")
    assert re.search(r"^train_shard +1$", apart, re.MULTILINE)


def test_provenance_is_the_only_output_that_tell_time_or_machine(smoke: Path) -> None:
    provenance = json.loads((smoke / "results/provenance.json").read_text())
    assert provenance["config"]["scale"] == "smoke" and provenance["origin"]["device"] == "cpu"
    network = smoke / "results/networks/pizza_transformer/seed0.safetensors"
    digest = hashlib.sha256(network.read_bytes()).hexdigest()
    assert provenance["networks"][str(network.relative_to(smoke))] == digest


def test_deleted_outputs_are_built_again(smoke: Path, tmp_path: Path) -> None:
    """A figure, the losses beside a network that this figure's notebook does not read, and a page."""
    figure = next(smoke.glob("figures/simple_neurons/*.svg"))
    losses = smoke / "results/networks/pizza_transformer/seed0.losses.parquet"
    deleted = [figure, losses, smoke / "figures/notebooks/phases.html"]
    for path in deleted:
        path.rename(tmp_path / path.name)
    plan = jobs_of(snakemake(smoke, "-n", *SMOKE))
    for path in deleted:
        (tmp_path / path.name).rename(path)
    assert {"notebook_simple_neurons", "train_network", "build_notebook_pages"} <= plan


def test_a_job_that_failed_is_asked_again_and_leaves_no_output_of_before(smoke: Path) -> None:
    template, page = smoke / "workflow/templates/unseen.html.j2", smoke / "figures/unseen.html"
    before = page.read_bytes()
    with edited(template, "{%", "{% for x in %}{%"):
        snakemake(smoke, "figures/unseen.html", "--cores", "1", *SMOKE, check=False)
        assert not page.exists()
        assert "build_unseen" in jobs_of(snakemake(smoke, "figures/unseen.html", "-n", *SMOKE))
    snakemake(smoke, "figures/unseen.html", "--cores", "1", *SMOKE)
    assert page.read_bytes() == before


def test_a_damaged_network_stops_its_notebooks_with_its_name_in_the_log(smoke: Path, tmp_path: Path) -> None:
    folder = tmp_path / "project"
    shutil.copytree(smoke, folder)
    network = folder / "results/networks/pizza_transformer/seed0.safetensors"
    network.write_bytes(network.read_bytes()[:1000])
    snakemake(folder, "results/values/phases.json", "--cores", "1", *SMOKE, "--force", check=False)
    kept = folder / "results/logs/notebooks/phases.ipynb"
    assert "seed0.safetensors: damaged" in kept.read_text(encoding="utf-8"), "the traceback stands in the notebook"
    log = (folder / "results/logs/notebooks/phases.log").read_text(encoding="utf-8")
    assert "seed0.safetensors: damaged" in log
    assert not (folder / "results/values/phases.json").exists(), "a failed notebook must leave no values"
