"""Drawings of one notebook each, in a module of its name; `axes` has what several notebooks draw alike."""

PALE = "#cfe3f5"  # the blue of page.figures.COLOURS, lighter: for areas
