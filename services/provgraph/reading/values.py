"""Values that compare: dates with their precision, quantities with unit and bounds, ordinals.

A value is the interval of what it may mean, so "1867" contains "7 November 1867" and "at least 25" contains "30".
All comparisons are three-valued: None says that the values do not decide it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final, Literal

Day = tuple[int, int, int]
"""Year (negative before Christ, 0 where none was given), month, day."""
Precision = Literal["day", "month", "year", "decade", "century", "range"]
Bound = Literal["", "before", "after", "since", "until"]

_UNITS: Final[dict[str, tuple[str, str]]] = {
    "mass": ("kg", "kg 1 g 0.001 mg 0.000001 t 1000 lb 0.45359237 oz 0.028349523125 st 6.35029318"),
    "length": ("m", "m 1 km 1000 cm 0.01 mm 0.001 nm 0.000000001 mi 1609.344 ft 0.3048 in 0.0254 yd 0.9144 nmi 1852"),
    "area": ("m²", "m² 1 km² 1000000 ha 10000 acres 4046.8564224 mi² 2589988.110336 ft² 0.09290304"),
    "volume": ("L", "L 1 mL 0.001 m³ 1000 gal 3.785411784"),
    "time": ("s", "s 1 ms 0.001 min 60 h 3600 days 86400 weeks 604800"),
    "months": ("months", "months 1 years 12 decades 120 centuries 1200"),
    "power": ("W", "W 1 kW 1000 MW 1000000 GW 1000000000 hp 745.7"),
    "energy": ("kWh", "kWh 1 MWh 1000 GWh 1000000"),
    "speed": ("km/h", "km/h 1 mph 1.609344 m/s 3.6"),
    "frequency": ("Hz", "Hz 1 kHz 1000 MHz 1000000 GHz 1000000000"),
    "data": ("B", "kB 1000 MB 1000000 GB 1000000000 TB 1000000000000"),
}  # fmt: skip


def _conversions() -> dict[str, tuple[str, Decimal]]:
    table = {}
    for dimension, (_, spellings) in _UNITS.items():
        words = spellings.split()
        for unit, factor in zip(words[::2], words[1::2], strict=True):
            table[unit] = (dimension, Decimal(factor))
    return table


_CONVERSIONS: Final = _conversions()
_TOLERANCE: Final = Decimal("0.05")


@dataclass(frozen=True, slots=True)
class Date:
    """The days from `first` to `last`, both included, that the words may mean.

    With `bound` it is a time before or after them, or one that begins ("since") or ends ("until") with them; with
    `approximate` ("circa") one about them. A day and month without year has year 0.
    """

    first: Day
    last: Day
    precision: Precision
    text: str
    bound: Bound = ""
    approximate: bool = False

    @property
    def has_year(self) -> bool:
        return self.first[0] != 0

    @property
    def lexical(self) -> str:
        """ISO 8601 as precise as it was said, "1903", "1903-12", "1903-12-10"; empty where XSD has no type."""
        if not self.has_year or self.bound or self.first[0] < 0:
            return ""
        year, month, day = self.first
        forms = {
            "year": f"{year:04}",
            "month": f"{year:04}-{month:02}",
            "day": f"{year:04}-{month:02}-{day:02}",
        }
        return forms.get(self.precision, "")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number of `unit`, or of `noun` where things are counted ("30 employees").

    `unit` is empty, "%", a currency of ISO 4217 or a unit of measure. `low` and `high` bound what it may be, None
    where nothing does; `strict_low` and `strict_high` say that the bound itself is left out ("more than").
    """

    amount: Decimal
    text: str
    unit: str = ""
    noun: str = ""
    low: Decimal | None = None
    high: Decimal | None = None
    strict_low: bool = False
    strict_high: bool = False
    approximate: bool = False

    @property
    def lexical(self) -> str:
        """A plain decimal, with a space and the unit where there is one."""
        plain = f"{self.amount:f}"
        plain = plain.rstrip("0").rstrip(".") if "." in plain else plain
        return f"{plain} {self.unit}" if self.unit else plain

    @property
    def exact(self) -> bool:
        return self.low == self.high == self.amount and not self.approximate


@dataclass(frozen=True, slots=True)
class Ordinal:
    """A place in an order: first, 21st; -1 is the last."""

    rank: int
    text: str

    @property
    def lexical(self) -> str:
        return str(self.rank)


Value = Date | Quantity | Ordinal


def dimension(unit: str) -> str:
    """What a unit measures: "mass", "length", "area" …; empty for "%", currencies and no unit."""
    return _CONVERSIONS[unit][0] if unit in _CONVERSIONS else ""


_Extent = tuple[Decimal | None, Decimal | None, bool, bool]


def same(one: Value, other: Value) -> bool | None:
    """Whether they are the same value: True, False where they exclude each other, None where both may hold."""
    if isinstance(one, Ordinal) and isinstance(other, Ordinal):
        return one.rank == other.rank
    if excludes(one, other):
        return False
    both = contains(one, other) and contains(other, one)
    return True if both else None


def contains(wider: Value, narrower: Value) -> bool | None:
    """Whether all that `narrower` may be is within `wider`: "the 1990s" contains "1994", "over 20" contains "30".

    "About 500" contains "498", but "from 1950 to 1960" not "from 1955 to 1960", which began at another time, nor
    "up to nine" "up to eight". False where nothing of it is, None where a part of it is or the two do not compare.
    """
    if isinstance(wider, Ordinal) and isinstance(narrower, Ordinal):
        return wider.rank == narrower.rank
    extents = _extents(wider, narrower)
    if extents is None:
        return None
    if _disjoint(*extents):
        return _near(wider, narrower)
    if (_are_ranges(wider, narrower) or _are_bounds(wider, narrower)) and extents[0] != extents[1]:
        return None
    return True if _within(*extents) or _about(wider, narrower) else None


def _are_ranges(one: Value, other: Value) -> bool:
    """Whether both tell when something began and when it ended: then only the same two are the same."""
    both = isinstance(one, Date) and isinstance(other, Date)
    return both and one.precision == other.precision == "range"  # type: ignore[union-attr]


def _are_bounds(one: Value, other: Value) -> bool:
    """Whether both are limits, as of a rule: where up to eight are allowed it is not said that up to nine are."""
    return all(
        isinstance(quantity, Quantity) and (quantity.low is None) != (quantity.high is None)
        for quantity in (one, other)
    )


def are_other_limits(one: Quantity, other: Quantity) -> bool:
    """Whether both are limits of the same kind of what may be, and not the same: "up to eight" and "up to six"."""
    extents = _extents(one, other)
    alike = (one.low is None) == (other.low is None)
    return extents is not None and alike and bool(_are_bounds(one, other)) and extents[0] != extents[1]


def excludes(one: Value, other: Value) -> bool | None:
    """Whether both cannot be; None where they do not compare: 30 employees say nothing of 30 engineers."""
    if isinstance(one, Ordinal) and isinstance(other, Ordinal):
        return one.rank != other.rank
    extents = _extents(one, other)
    if extents is None:
        return None
    if _disjoint(*extents):
        return None if _near(one, other) else True
    return False


def order(one: Value, other: Value) -> int | None:
    """-1 where all of `one` is before or less than `other`, 1 for the reverse, 0 for the same, None if open."""
    if isinstance(one, Ordinal) and isinstance(other, Ordinal):
        return (one.rank > other.rank) - (one.rank < other.rank)
    extents = _extents(one, other, any_noun=True)
    if extents is None:
        return None
    (low, high, *_), (other_low, other_high, *_) = extents
    if (low, high) == (other_low, other_high) and low is not None:
        return 0
    if high is not None and other_low is not None and high <= other_low:
        return -1
    if low is not None and other_high is not None and low >= other_high:
        return 1
    return None


def _extents(one: Value, other: Value, any_noun: bool = False) -> tuple[_Extent, _Extent] | None:
    if isinstance(one, Date) and isinstance(other, Date):
        return _date_extents(one, other)
    if isinstance(one, Quantity) and isinstance(other, Quantity):
        if not any_noun and one.noun and other.noun and one.noun != other.noun:
            return None
        first, second = _dimension(one), _dimension(other)
        return (_extent(one, first[1]), _extent(other, second[1])) if first[0] == second[0] else None
    return None


def _dimension(quantity: Quantity) -> tuple[str, Decimal]:
    return _CONVERSIONS.get(quantity.unit, (quantity.unit, Decimal(1)))


def _extent(quantity: Quantity, factor: Decimal) -> _Extent:
    low = None if quantity.low is None else quantity.low * factor
    high = None if quantity.high is None else quantity.high * factor
    return low, high, quantity.strict_low, quantity.strict_high


def _date_extents(one: Date, other: Date) -> tuple[_Extent, _Extent] | None:
    if one.bound == other.bound and one.bound in ("since", "until"):
        one, other = replace(one, bound=""), replace(other, bound="")  # two beginnings, or two ends
    if one.has_year and other.has_year:
        return _days(one), _days(other)
    if one.precision == other.precision == "day":
        return _days(one, bare=True), _days(other, bare=True)
    return None


def _days(date: Date, bare: bool = False) -> _Extent:
    first, last = (_number(day, bare) for day in (date.first, date.last))
    if date.bound == "before":
        return None, first, False, True
    if date.bound == "after":
        return last, None, True, False
    if date.bound == "since":
        return first, None, False, False
    if date.bound == "until":
        return None, last, False, False
    return first, last, False, False


def _number(day: Day, bare: bool) -> Decimal:
    year, month, of_month = day
    return Decimal((0 if bare else year * 10_000) + month * 100 + of_month)


def _disjoint(one: _Extent, other: _Extent) -> bool:
    return _ends_before(one, other) or _ends_before(other, one)


def _ends_before(one: _Extent, other: _Extent) -> bool:
    high, low = one[1], other[0]
    if high is None or low is None:
        return False
    return high < low or (high == low and (one[3] or other[2]))


def _within(wider: _Extent, narrower: _Extent) -> bool:
    low_fits = wider[0] is None or (
        narrower[0] is not None
        and (narrower[0] > wider[0] or (narrower[0] == wider[0] and (not wider[2] or narrower[2])))
    )
    high_fits = wider[1] is None or (
        narrower[1] is not None
        and (narrower[1] < wider[1] or (narrower[1] == wider[1] and (not wider[3] or narrower[3])))
    )
    return low_fits and high_fits


def _about(one: Value, other: Value) -> bool:
    """Equal but for an "about"."""
    return _is_approximate(one, other) and _near(one, other) and order(one, other) in (0, None)


def _is_approximate(one: Value, other: Value) -> bool:
    return any(isinstance(each, Date | Quantity) and each.approximate for each in (one, other))


def _near(one: Value, other: Value) -> bool:
    """Whether one says "about" and the other is within a twentieth, or five years, of it."""
    if not _is_approximate(one, other):
        return False
    if isinstance(one, Date) and isinstance(other, Date):
        return abs(one.first[0] - other.first[0]) <= 5
    if isinstance(one, Quantity) and isinstance(other, Quantity):
        first = one.amount * _dimension(one)[1]
        second = other.amount * _dimension(other)[1]
        return abs(first - second) <= _TOLERANCE * max(abs(first), abs(second))
    return False
