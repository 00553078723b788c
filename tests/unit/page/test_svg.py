"""The SVG of a figure after its digits and repetitions are taken out: smaller, and the same drawing."""

import re
from base64 import b64decode
from io import BytesIO, StringIO
from xml.etree import ElementTree

import matplotlib.pyplot as plt
import numpy as np
import pytest
from PIL import Image

from modadd.page.figures import use_style
from modadd.page.svg import DECIMALS, compact, with_exact_palette

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def written():
    """What matplotlib writes of curves, points, a turned label and a map, and the same after `compact`."""
    with plt.rc_context():
        use_style()
        figure, axes = plt.subplots(2)
        x = np.linspace(-1, 1, 200)
        axes[0].plot(x, np.sin(9 * x), label="sin 9x")
        axes[0].scatter(x[::20], x[::20] ** 2, s=x[::20] ** 2 * 9)
        axes[0].set_ylabel("y − 1.2345")
        axes[1].imshow(np.ma.masked_less(np.outer(x[::20], x[::20]), 0.1))
        svg = StringIO()
        figure.savefig(svg, format="svg", metadata={"Date": None})
        plt.close(figure)
    return svg.getvalue(), compact(svg.getvalue())


def drawn(svg):
    """Every element but groups in order: its tag, text, style, and coordinates as numbers."""
    rules = dict(re.findall(r"^\.(\w+) \{(.*?)\}", svg, re.MULTILINE))
    found = []
    for element in ElementTree.fromstring(svg).iter():
        if element.tag.removeprefix(SVG) in ("path", "use", "text", "image", "rect"):
            places = " ".join(element.get(name, "") for name in ("d", "x", "y", "transform"))
            places = re.sub(r"rotate\(-0 .*?\)", "", places)
            shape = re.sub(r"[\s\d.-]", "", places)
            numbers = [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", places)]
            style = element.get("style") or rules.get(element.get("class"))
            found.append((element.tag, element.text, style, shape, numbers))
    return found


def test_nothing_is_lost_and_no_place_moves_by_more_than_the_last_decimal(written):
    before, after = map(drawn, written)
    assert [part[:4] for part in after] == [(tag, text and text.strip(), *rest) for tag, text, *rest, _ in before]
    for old, new in zip(before, after, strict=True):
        np.testing.assert_allclose(new[4], old[4], rtol=0, atol=0.5 * 10**-DECIMALS + 1e-9)


def test_it_is_smaller_by_a_third_and_compacting_again_changes_nothing(written):
    before, after = written
    assert len(after) < 2 / 3 * len(before)
    assert compact(after) == after


def test_a_class_is_named_by_its_style_alone():
    one, other = ('<svg><style></style><g style="fill: red"/>{}<g style="fill: red"/></svg>',) * 2
    names = [re.findall(r'class="(\w+)"', compact(svg)) for svg in (one.format(""), other.format('<g style="x"/>' * 2))]
    assert set(names[0]) < set(names[1])


def test_no_negative_zero_and_no_space_beside_a_letter_of_a_path():
    assert compact('<path d="M -0.001 10.5 \nL 3 -0.004 \nz\n"/>') == '<path d="M0 10.5L3 0z"/>'


def test_pixels_stay_exactly_as_they_are(written):
    pictures = [re.search(r"base64,\s*([^\"]*)", svg)[1] for svg in written]
    before, after = (Image.open(BytesIO(b64decode(picture))) for picture in pictures)
    assert after.mode == "P"
    np.testing.assert_array_equal(np.asarray(after.convert("RGBA")), np.asarray(before.convert("RGBA")))


def test_a_picture_of_more_colours_than_a_palette_holds_is_left_alone():
    png = BytesIO()
    red, green = np.indices((32, 32), dtype=np.uint8)
    Image.fromarray(np.dstack([red, green, red])).save(png, "PNG")
    assert with_exact_palette(png.getvalue()) == png.getvalue()
