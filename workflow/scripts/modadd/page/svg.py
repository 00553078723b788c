"""Makes the SVG of a figure smaller without a visible change: fewer digits, no repeated styles."""

import re
from base64 import b64decode, b64encode
from collections import Counter
from hashlib import sha256
from io import BytesIO

import numpy as np
from PIL import Image

DECIMALS = 2  # of a coordinate in points: 0.01 pt is a seventieth of a pixel of a screen
_NUMBER = re.compile(r"-?\d+\.\d+")
_PATH = re.compile(r' d="([^"]*)"')
_PLACE = re.compile(r' [xy]="[^"]*"|\b(?:rotate|translate)\([^)]*\)')
_STYLE = re.compile(r' style="([^"]*)"')
_PICTURE = re.compile(r'(data:image/png;base64,)\s*([^"]*)"')


def compact(svg: str) -> str:
    """The same drawing without metadata and indentation, coordinates rounded, each repeated style and colour kept once."""
    svg = re.sub(r" *<metadata>.*?</metadata>\n", "", svg, flags=re.DOTALL)
    svg = re.sub(r' transform="rotate\(-0 [^)]*\)"', "", svg)
    svg = _PLACE.sub(lambda found: _rounded(found[0]), _PATH.sub(_path, svg))
    svg = _PICTURE.sub(lambda found: f'{found[1]}{b64encode(with_exact_palette(b64decode(found[2]))).decode()}"', svg)
    return _with_classes(re.sub(r"^ +", "", svg, flags=re.MULTILINE))


def with_exact_palette(png: bytes) -> bytes:
    """The same pixels by number of a palette; the picture as it is, if it has more than 256 colours."""
    pixels = np.asarray(Image.open(BytesIO(png)).convert("RGBA"))
    whole = np.ascontiguousarray(pixels).view(">u4")  # each pixel as one number, which sorts as its four do
    colours, numbers = np.unique(whole, return_inverse=True)
    if len(colours) > 256:
        return png
    colours = colours.view(np.uint8).reshape(-1, 4)
    picture = Image.fromarray(numbers.reshape(pixels.shape[:2]).astype(np.uint8), "P")
    picture.putpalette(colours[:, :3].ravel().tolist())
    small = BytesIO()
    picture.save(small, "PNG", optimize=True, transparency=bytes(colours[:, 3].tolist()))
    return small.getvalue()


def _rounded(numbers: str) -> str:
    """A text with `DECIMALS` of its numbers."""
    short = _NUMBER.sub(lambda number: f"{float(number[0]):.{DECIMALS}f}".rstrip("0").rstrip("."), numbers)
    return re.sub(r"-0(?![\d.])", "0", short)


def _path(found: re.Match) -> str:
    """A path, rounded, with no space beside a letter."""
    tight = re.sub(r"\s*([A-Za-z])\s*", r"\1", _rounded(found[1])).strip()
    return f' d="{tight}"'


def _with_classes(svg: str) -> str:
    """Styles that occur more than once as classes, named by their content: two drawings on one page cannot clash."""
    repeated = [style for style, times in Counter(_STYLE.findall(svg)).items() if times > 1]
    names = {style: f"s{sha256(style.encode()).hexdigest()[:6]}" for style in repeated}
    rules = "".join(f"\n.{name} {{{style}}}" for style, name in names.items())
    svg = _STYLE.sub(lambda found: f' class="{names[found[1]]}"' if found[1] in names else found[0], svg)
    return svg.replace("</style>", f"{rules}</style>", 1)
