"""The formats that figures are written in."""

FIGURE_FORMATS = "MODADD_FIGURE_FORMATS"  # a variable of the environment: formats, separated by spaces; without it all
