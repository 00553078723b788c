"""The style of all figures, and drawings of one notebook each, in a module of its name; `axes` has what several draw alike."""

PALE = "#cfe3f5"  # the blue of plots.figures.COLOURS, lighter: for areas
