"""Texts and formulas of the pages as HTML: symbols with an index, Markdown, LaTeX as MathML."""

import re
from collections.abc import Sequence
from typing import Any

from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape
from mdit_py_plugins.dollarmath import dollarmath_plugin

# w_k, W_in, b_k², 2φ_i; not logit_id1, and no path
SYMBOL = re.compile(r"(?<![^\W\d])(?<![/.])([A-Za-zα-ωΑ-Ω])_([^\W²³]{1,4})(?![^\W²³]|/|\.\w)")
_MOD = re.compile(r"<mo>&#x00028;</mo>(<mi>mod</mi>.*?)<mo>&#x00029;</mo>")


def typeset(text: str) -> Markup:
    """A text whose symbols with an index look as in a formula: w_k is an italic w with a small k."""
    return Markup(SYMBOL.sub(r"<i>\1</i><sub>\2</sub>", str(escape(text))))


def markdown(text: str) -> Markup:
    """Markdown as HTML: `$$ … $$` are formulas of their own line, `$ … $` stand in it, and symbols with an index are typeset in running text, too."""
    return Markup(_MARKDOWN.render(text))


def _mathml(formula: str, options: dict[str, Any]) -> str:
    """A formula as MathML, in which the brackets of (mod n) do not grow with what stands beside them."""
    found = convert(formula.strip(), display="block" if options["display_mode"] else "inline")
    reachable = found.replace("<math ", '<math tabindex="0" ', 1)  # by keyboard, where it scrolls
    return _MOD.sub(r'<mo stretchy="false">(</mo>\1<mo stretchy="false">)</mo>', reachable)


def _text(_: Any, tokens: Sequence[Token], index: int, *__: Any) -> Markup:
    return typeset(tokens[index].content)


_MARKDOWN = MarkdownIt("commonmark").enable("table")
_MARKDOWN.use(
    dollarmath_plugin,
    double_inline=True,
    renderer=_mathml,
)
_MARKDOWN.add_render_rule("text", _text)
