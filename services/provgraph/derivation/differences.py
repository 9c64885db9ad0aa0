"""How much more one is than another: both values are asked for, each as a question of its own, and subtracted.

"How many more visitors did it have in 2019 than in 2020?" asks for the visitors of each year; "How much longer is the
Orme than the Sill?" asks how long each is. A number that stands alone answers no such question.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from provgraph.derivation.answer_forms import with_unit
from provgraph.derivation.result import Derived, Incomplete, Probable, Step, joined_steps
from provgraph.language import wordnet
from provgraph.reading.value_reading import find_values
from provgraph.reading.values import Quantity

Ask = Callable[[str], Awaitable[Derived | Probable | Incomplete | None]]

_PLAIN: Final = {
    "longer": "long", "shorter": "long", "taller": "tall", "higher": "high", "lower": "high", "larger": "large",
    "bigger": "large", "smaller": "large", "heavier": "heavy", "lighter": "heavy", "older": "old", "younger": "old",
    "wider": "wide", "narrower": "wide", "deeper": "deep", "faster": "fast", "slower": "fast",
}  # fmt: skip
_LESS: Final = frozenset("fewer less shorter lower smaller lighter younger narrower slower".split())
_COUNTED: Final = re.compile(
    r"how (?P<many>many|much) (?P<way>more|fewer|less) (?P<rest>.{1,200}?) than (?P<other>.{1,200}?)[\s?]*$",
    re.IGNORECASE,
)
_MEASURED: Final = re.compile(
    rf"(?:how much|how many \w+) (?P<way>{'|'.join(_PLAIN)}) (?P<be>is|was|are|were) (?P<one>.{{1,200}}?) than "
    r"(?P<other>.{1,200}?)[\s?]*$",
    re.IGNORECASE,
)
_UNIT_MORE: Final = re.compile(
    r"how (?:many|much) (?:[\w.-]+ ){1,3}?(?P<way>more|fewer|less) (?P<be>is|was|are|were|does|do|did) "
    r"(?P<one>.{1,200}?) than (?P<other>.{1,200}?)[\s?]*$",
    re.IGNORECASE,
)
_EXCEEDED: Final = re.compile(
    r"by how (?:much|many)(?: (?!did |does |do |will )[\w.-]+){0,3} (?:did|does|do|will) (?P<one>.{1,200}?) "
    r"(?P<way>exceed|fall short of) (?P<other>.{1,200}?)[\s?]*$",
    re.IGNORECASE,
)
_THAT_OF: Final = re.compile(r"(?:that|those) (?=of |in |at |for )", re.IGNORECASE)
_ONE: Final = re.compile(r"\bone\b(?= |$)", re.IGNORECASE)
_HEAD: Final = re.compile(
    r"^(?:the|a|an|its|his|her|their) (?P<noun>[^,]{1,80}?)(?= of | in | at | for | to |$)", re.IGNORECASE
)
_PHRASE: Final = re.compile(r"(?P<case>in|on|at|for|during|by|from|to|of) ", re.IGNORECASE)
_VERB: Final = re.compile(
    r"(?P<counted>.+?) (?P<verb>did|does|do|has|have|had|was|were|is|are) (?P<one>.+)", re.I
)


@dataclass(frozen=True)
class AskedDifference:
    """The questions for the two values, and whether the second is said to be the greater."""

    first: str
    second: str
    is_less: bool


def difference_asked(text: str) -> AskedDifference | None:
    """The two questions of a question for a difference; None where it is none, or cannot be taken apart."""
    if match := _MEASURED.match(text.strip()):
        plain, be = _PLAIN[match["way"].lower()], match["be"]
        first, second = (f"How {plain} {be} {match[side]}?" for side in ("one", "other"))
        return AskedDifference(first, second, match["way"].lower() in _LESS)
    if match := _EXCEEDED.match(text.strip()):
        sides = (match["one"], _named_in_full(match["other"], match["one"]))
        first, second = (f"How much was the {side.removeprefix('the ')}?" for side in sides)
        return AskedDifference(first, second, match["way"].lower() != "exceed")
    if match := _UNIT_MORE.match(text.strip()):
        return AskedDifference(*_of_unit(match), match["way"].lower() in _LESS)
    if match := _COUNTED.match(text.strip()):
        both = _counted(match["many"], match["rest"], match["other"])
        return AskedDifference(*both, match["way"].lower() in _LESS) if both else None
    return None


def _of_unit(match: re.Match[str]) -> tuple[str, str]:
    """ "How many euros more does a tonne of kelp cost than a tonne of dulse" asks what each costs."""
    be, one, other = match["be"], match["one"], _named_in_full(match["other"], match["one"])
    if be.lower() in ("does", "do", "did"):
        words = one.split()
        verb = max(
            (i for i, word in enumerate(words) if wordnet.known(word.lower(), "v")), default=len(words) - 1
        )
        other = " ".join((other, *words[verb:]))
    return f"How much {be} {one}?", f"How much {be} {other}?"


def _named_in_full(other: str, one: str) -> str:
    """The second of two with the noun of the first, where a word stands for it: "that of the Sill", "the first one"."""
    head = _HEAD.match(one)
    if head is None:
        return other
    if _THAT_OF.match(other):
        return _THAT_OF.sub(f"{head.group()} ", other, count=1)
    return _ONE.sub(head["noun"], other, count=1)


def _counted(many: str, rest: str, other: str) -> tuple[str, str] | None:
    """ "visitors did it have in 2019" and "in 2020": the phrase that begins alike gives its place to the other one;
    a name without a preposition is the subject: "goals did Ann score" and "Ben"."""
    if opening := _PHRASE.match(other):
        at = rest.lower().rfind(f" {opening['case'].lower()} ")
        return (f"How {many} {rest}?", f"How {many} {rest[:at]} {other}?") if at > 0 else None
    match = _VERB.match(rest)
    if match is None:
        return None
    words = match["one"].split()
    named = [i for i, word in enumerate(words) if word[:1].isupper() or word.lower() == "the"]
    if not named or named[0] > 0:
        return None
    last = max((i for i, word in enumerate(words) if word[:1].isupper()), default=0)
    behind = " ".join(words[last + 1 :])
    second = " ".join(filter(None, (match["counted"], match["verb"], other, behind)))
    return f"How {many} {rest}?", f"How {many} {second}?"


async def subtracted(asked: AskedDifference, ask: Ask) -> Derived | None:
    """The difference with the steps to both values; None where one is not found or they are of different units."""
    found = [await ask(question) for question in (asked.first, asked.second)]
    derived = [
        with_unit(each, question)
        for each, question in zip(found, (asked.first, asked.second), strict=True)
        if isinstance(each, Derived)
    ]
    values = [quantity for each in derived for quantity in _quantities(each.text)]
    if len(derived) < 2 or len(values) != 2 or values[0].unit != values[1].unit:
        return None
    first, second = (values[1], values[0]) if asked.is_less else (values[0], values[1])
    left = first.amount - second.amount
    if left <= 0:  # it is not more, but as much or less: what is asked does not hold
        return None
    text = said_like(left, derived[0].text)
    steps = joined_steps(derived[0].steps, derived[1].steps, leads=False)
    uses = (len(derived[0].steps) - 1, len(steps) - 1)
    told = f"{first.text} less {second.text} is {text}."
    confidence = derived[0].confidence * derived[1].confidence
    return Derived(text, "number", (*steps, Step("subtract", text, told, (), uses)), confidence)


def _quantities(text: str) -> list[Quantity]:
    return [value.value for value in find_values(text) if isinstance(value.value, Quantity)]


def said_like(amount: Decimal, like: str) -> str:
    """An amount as another is printed: "57,400" like "88,400", "215 kilometres" like "312 kilometres"."""
    digits = re.search(r"\d[\d,]*(?:\.\d+)?", like)
    plain = amount.normalize()
    said = f"{plain:,f}" if digits is None or "," in digits.group() or abs(plain) < 1000 else f"{plain:f}"
    return like[: digits.start()] + said + like[digits.end() :] if digits else said
