"""Numbers and texts of the ledger for reading: templates filled in, values shown, printed digits."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from modadd.core.wording import unknown


class _Shown:
    """A value of a notebook in a template: by the given digits, in per cent, or else as `show` does; of several, one."""

    def __init__(self, value: Any):
        self.value = value

    def __getitem__(self, part: int | str) -> "_Shown":
        if isinstance(self.value, Mapping) and part not in self.value:
            raise ValueError(unknown("part", "name", str(part), self.value))
        return _Shown(self.value[part])

    @property
    def least(self) -> "_Shown":
        return _Shown(min(self.value))

    @property
    def largest(self) -> "_Shown":
        return _Shown(max(self.value))

    def __format__(self, digits: str) -> str:
        if not digits or self.value is None:
            return show(self.value)
        if digits == "%":
            return f"{100 * self.value:.3g} %"
        return with_minus(format(self.value, digits))


def filled(template: str, values: Mapping[str, Any]) -> str:
    """A text of the ledger with the recorded values in its places: "{means[0]:.3g}" or "{share}".

    Raises ValueError in one line for a name that is not recorded, or a part that it does not have.
    """
    try:
        return template.format_map({name: _Shown(value) for name, value in values.items()})
    except KeyError as error:
        raise ValueError(f"'{template}': {unknown('value', 'name', error.args[0], values)}") from error
    except (AttributeError, IndexError, TypeError, ValueError) as error:
        raise ValueError(f"'{template}': {error}") from error


def with_minus(number: str) -> str:
    """A number as text, with the sign of a formula."""
    return number.replace("-", "−")


def show(value: Any) -> str:
    """A published or measured value for reading: five significant digits, lists in order, an en dash for nothing."""
    if value is None:
        return "–"
    if isinstance(value, list):
        return ", ".join(map(show, value))
    if isinstance(value, float):
        return with_minus(f"{value:.5g}")
    if stands_alone(value):
        return show(value["value"])
    if not is_of_networks(value):
        return with_minus(str(value))
    found = show(value.get("value"))
    if "holds" in value:
        found = f"{value['holds']} of {value['of']}"
    if value["low"] is None:  # of too few networks
        return found
    interval = with_minus(f"{value['low']:.3g}–{value['high']:.3g}")
    return f"{found} (95 %: {interval})"


def is_of_networks(value: Any) -> bool:
    """Whether a value is a share or a number of networks, with an interval of its own."""
    return isinstance(value, Mapping) and {"low", "high", "of"} <= set(value)


def stands_alone(value: Any) -> bool:
    """Whether a value is a number of networks without an interval, which is compared as it stands."""
    return isinstance(value, Mapping) and set(value) == {"value", "of"}


def several(value: Any) -> list[Any]:
    """A list as it is, and one value as a list of one."""
    return value if isinstance(value, list) else [value]


def printed(published: Any) -> list[Decimal]:
    """One published number, or several in order, with the digits that the ledger spells."""
    return [Decimal(str(number)) for number in several(published)]
