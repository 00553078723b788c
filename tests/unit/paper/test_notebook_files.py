from paper.notebook_files import notebook_file
from support import refuses

import modadd.planning.root
from modadd.core.files import write_whole


def test_two_notebooks_of_one_name_are_refused_and_a_misspelt_one_is_guessed(tmp_path, monkeypatch):
    monkeypatch.setattr(modadd.planning.root, "ROOT", tmp_path)
    for name in ("across/phases.py", "quadrature/phases.py", "quadrature/bounds.py"):
        write_whole(tmp_path / "notebooks" / name, b"")
    with refuses("expected one file named phases.py", "across/phases.py, ", "quadrature/phases.py", "rename or delete"):
        notebook_file("phases")
    with refuses("unknown notebook 'bound'", "did you mean 'bounds'?"):
        notebook_file("bound")
    assert notebook_file("bounds").endswith("notebooks/quadrature/bounds.py")
