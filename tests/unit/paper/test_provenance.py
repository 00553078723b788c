from modadd.run.project import PACKAGES, provenance


def test_provenance_names_code_versions_and_machine():
    found = provenance()
    assert set(found) == {"commit", "python", *PACKAGES, "system", "processor"}
    assert all(isinstance(value, str) and value for value in found.values())
