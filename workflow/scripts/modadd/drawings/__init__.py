"""Drawings of one notebook each, in a module of its name."""

PALE = "#cfe3f5"  # the blue of page.figures.COLOURS, lighter: for areas
