from modadd.core.processor import choices
from modadd.run.project import PACKAGES, platform_of, provenance


def test_provenance_names_code_versions_and_machine():
    found = provenance()
    assert set(found) == {"commit", "python", *PACKAGES, "system", "processor", *choices()}
    assert all(isinstance(value, str) and value for value in found.values())


def test_a_platform_is_what_decides_bits():
    found = provenance()
    assert platform_of({**found, "commit": "other", "snakemake": "other"}) == platform_of(found)
    for key in ("torch", "python", "processor", "products"):
        assert platform_of({**found, key: "other"}) != platform_of(found)
