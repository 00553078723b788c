"""Drawings of one notebook each, in a module of its name.

Imports page and the packages of the science.
"""

PALE = "#cfe3f5"  # the blue of page.figures.COLOURS, lighter: for areas
