"""Axes that several notebooks draw alike."""

from matplotlib.axis import Axis
from matplotlib.ticker import LogLocator, NullLocator

FEW_DECADES = 100  # an axis that spans less has ticks at 3, 30, … besides


def few_log_ticks(axis: Axis, few_decades: float = FEW_DECADES) -> None:
    """Ticks of a logarithmic axis in plain numbers: the powers of ten, and three times these if it spans few of them."""
    low, high = axis.get_view_interval()
    ticks = LogLocator(subs=(1, 3) if high < few_decades * low else (1,))
    axis.set(major_locator=ticks, minor_locator=NullLocator(), major_formatter="{x:g}")
