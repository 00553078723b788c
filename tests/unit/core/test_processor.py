import pytest

from modadd.core.processor import MKL, OPENBLAS, PRODUCTS, _faster, product_library


@pytest.mark.parametrize(
    ("vendor", "instructions", "library"),
    [
        ("GenuineIntel", "sse2 avx2", MKL),
        ("GenuineIntel", "sse2 avx2 avx512f", MKL),
        ("AuthenticAMD", "sse2 avx2", MKL),
        ("AuthenticAMD", "sse2 avx2 avx512f", OPENBLAS),
        ("AuthenticAMD", "sse2", OPENBLAS),
        ("", "", OPENBLAS),
    ],
)
def test_the_kind_of_processor_chooses_the_library(vendor, instructions, library):
    assert _faster(vendor, instructions) == library


def test_a_library_asked_for_comes_first_and_an_unknown_one_is_refused(monkeypatch):
    for library in (MKL, OPENBLAS):
        monkeypatch.setenv(PRODUCTS, library)
        assert product_library() == library
    monkeypatch.setenv(PRODUCTS, "blis")
    with pytest.raises(ValueError, match="MODADD_PRODUCTS: expected mkl or openblas, got 'blis'"):
        product_library()
