"""Symbols and formulas as they stand on the pages."""

import pytest

from paper.page.typesetting import markdown, typeset


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("b_k² of", "<i>b</i><sub>k</sub>² of"),
        ("cos(w_k a + φ_a)", "cos(<i>w</i><sub>k</sub> a + <i>φ</i><sub>a</sub>)"),
        ("sin 2φ_i", "sin 2<i>φ</i><sub>i</sub>"),
        ("W_in < W_U", "<i>W</i><sub>in</sub> &lt; <i>W</i><sub>U</sub>"),
        ("φ_a + φ_b. So a_b.json", "<i>φ</i><sub>a</sub> + <i>φ</i><sub>b</sub>. So a_b.json"),
        ("logit_id1, results/a_b.json, q_rounding", "logit_id1, results/a_b.json, q_rounding"),
    ],
)
def test_a_letter_with_an_index_is_a_symbol_and_a_name_is_not(text, html):
    assert typeset(text) == html


def test_brackets_of_a_modulus_do_not_grow():
    html = markdown(r"$$ \psi = \frac{1}{2} \pmod{2\pi} $$")
    assert html.count('<mo stretchy="false">') == 2


def test_a_formula_in_a_sentence_stays_in_its_line():
    assert 'display="inline"' in markdown("The $n^2$ pairs.") and 'display="block"' in markdown("$$ n^2 $$")
