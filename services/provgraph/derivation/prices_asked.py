"""What somebody pays, of several prices that a sentence tells: "£9 for adults, £6 for students and £3 for children;
members pay nothing".

Each price belongs to those who are named behind it, or who pay it. The sentence has to be about what the question asks
the price of, where it says that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from anyio import to_thread

from provgraph.derivation.affinity import stems
from provgraph.derivation.clauses_asked import clauses_of
from provgraph.derivation.evidence import Finder, ReadPassage, support_at
from provgraph.derivation.names import holds
from provgraph.derivation.result import Derived, Step
from provgraph.language.asked_kinds import asked_kind
from provgraph.language.terms import FUNCTION_WORDS
from provgraph.reading.propositions import Span
from provgraph.reading.syntax import ParsedSentence, Parser
from provgraph.reading.value_reading import read_value
from provgraph.reading.values import Quantity

_SUM: Final = (
    r"(?:(?:[£$€]|CHF |EUR |USD )\d{1,15}(?:,\d{3}){0,5}(?:\.\d\d?)?(?: million)?"
    r"|\d{1,15}(?:,\d{3}){0,5}(?:\.\d{1,9})?"
    r" ?(?:euros?|pounds?|dollars?|francs?|pence|cents?|kroner|kronor|p(?![.\w])))"
)
_PRICE: Final = re.compile(rf"(?P<sum>{_SUM})(?: (?:extra|each|more))?", re.IGNORECASE)
_FREE: Final = re.compile(
    r"\b(?:pay nothing|free of charge|(?:are admitted|is admitted|enter|get in|go|are|is|travel) free|free)\b",
    re.IGNORECASE,
)
_FOR_THEM: Final = re.compile(
    r",? (?:a|an|per) \w+ for (?P<a>[^,;£$€\d]+)|,? (?:extra |each )?for (?P<b>[^,;£$€\d]+(?:\d+(?: years)?)?)"
)
_PAYERS: Final = re.compile(
    r"(?:^|[,;:.] |\band |\bbut |\bwhile )(?P<who>[^,;:£$€]{2,60}?) (?:must |have to |only )?"
    r"(?:pays?|paid|are charged|is charged|are admitted|is admitted|enters?|gets? in|go|goes|travels?|are|is)\b"
    r"(?: for)?(?: only)? ?$"
)
_ASKS: Final = (
    re.compile(
        r"\b(?:do|does|did|must|will|would|should) (?P<who>[\w'’ -]{1,200}?) (?:have to )?pay\b",
        re.IGNORECASE,
    ),
    re.compile(r"\bfor (?P<who>[\w'’ -]{1,200}?)[\s?]*$", re.IGNORECASE),
)
_ABOUT_ADMISSION: Final = frozenset(
    "ticket admission entry entrance visit cost price fee pay charge much money".split()
)
_CONFIDENCE: Final = 0.87
_ENOUGH: Final = 2


@dataclass(frozen=True)
class PayerPrice:
    """What some pay, with the words for who they are."""

    who: str
    words: Span


def _payers_asked(question: str) -> str:
    """The words for those whose price a question asks for; empty where it names nobody."""
    match = next((match for pattern in _ASKS if (match := pattern.search(question))), None)
    return match["who"] if match is not None else ""


async def price_told(text: str, finder: Finder) -> Derived | None:
    """The price of those whom a question for a price names, where sentences tell one; else None."""
    who = _payers_asked(text)
    if not who or (asked_kind(text) != "money" and not re.search(r"\bhow much\b", text, re.IGNORECASE)):
        return None
    passages = await finder.passages(text)
    return await to_thread.run_sync(_told, text, who, passages)


_BOUGHT: Final = re.compile(
    r"\s*(?:how much|what) (?:did|was|were|had) (?P<who>.{1,100}?) (?:pay|paid|give|spend) for "
    r"(?P<thing>.{1,200}?)[\s?]*$"
    r"|\s*(?:for )?how much (?:was|were|did) (?P<sold>.{1,200}?) (?:bought|sold|sell|go|cost)(?: for)?[\s?]*$",
    re.IGNORECASE,
)
_TRADED: Final = frozenset("buy purchase acquire sell".split())


async def bought_for(text: str, parser: Parser, finder: Finder) -> Derived | None:
    """The sum that something was bought or sold for, where the clauses that tell it agree; else None."""
    match = _BOUGHT.match(text)
    if match is None:
        return None
    thing = match["thing"] or match["sold"]
    asked = parser.parse(thing, [(0, len(thing))])
    passages = await finder.passages(text)
    return await to_thread.run_sync(_sum_told, thing, asked, passages)


def _sum_told(thing: str, asked: Sequence[ParsedSentence], passages: Sequence[ReadPassage]) -> Derived | None:
    head = asked[0].roots[0].lemma.casefold() if asked and asked[0].roots else ""
    sums: dict[str, Derived] = {}
    for read in clauses_of(passages):
        if read.clause.lemma not in _TRADED or not read.clause.polarity:
            continue
        done = read.clause.roles.get("P", [])
        before = read.before
        names_it = holds(read.text(before.start, before.end), thing) if before is not None else False
        if not any(
            t.lemma.casefold() == head or holds(read.phrases.argument(t, "object").label, thing)
            or (t.text.casefold() in ("it", "them") and names_it)
            for t in done
        ):  # fmt: skip
            continue
        price = _FOR_SUM.search(read.passage.text, read.clause.head.end, read.sentence.end)
        if price is not None:
            support = read.support(price.start("sum"), price.end("sum"))
            step = Step(
                "look up", price["sum"], f"It was traded for that: {support.sentence.text}", (support,)
            )
            sums[price["sum"]] = Derived(price["sum"], "number", (step,), _CONFIDENCE)
    return next(iter(sums.values())) if len(sums) == 1 else None


_FOR_SUM: Final = re.compile(
    r"\bfor (?P<sum>(?:[£$€]|[A-Z]{3} )\d[\d,.]{0,15}(?: (?:million|billion))?"
    r"|\d[\d,.]{0,15}(?: (?:million|billion))? [a-z]{3,15})"
)


def _told(text: str, who: str, passages: Sequence[ReadPassage]) -> Derived | None:
    age = _AGE.search(who)
    wanted = _telling(who[: age.start()] if age else who)
    others = _telling(text) - wanted - _ABOUT_ADMISSION_STEMS
    rated: list[tuple[int, PayerPrice, ReadPassage]] = []
    for passage in passages:
        for sentence in passage.reading.sentences:
            prices = payer_prices(passage.text, sentence)
            fitting = [
                price
                for price in prices
                if _is_of(wanted, price.who) and (age is None or _is_of_age(age["years"], price.who))
            ]
            if len(prices) >= _ENOUGH and len(fitting) == 1:
                exact = _telling(fitting[0].who) == wanted
                met = 2 * len(others & _telling(sentence.text)) + exact
                rated.append((met, fitting[0], passage))
    most = max((met for met, _, _ in rated), default=0)
    best = [(price, passage) for met, price, passage in rated if met == most]
    if (others and most < _ENOUGH) or len({price.words.text for price, _ in best}) != 1:
        return None
    (price, passage), text = best[0], _said(best[0][0].words.text)
    support = support_at(passage, price.words)
    step = Step(
        "look up", text, f"It is the price for {price.who.strip()}: {support.sentence.text}", (support,)
    )
    return Derived(text, "number" if text[-1:].isdigit() else "span", (step,), _CONFIDENCE)


def _said(words: str) -> str:
    return (
        "nothing" if words.casefold().endswith("nothing") else "free" if "free" in words.casefold() else words
    )


def _is_of(wanted: frozenset[str], who: str) -> bool:
    """Whether a price is for whom it is asked; "students" are no "doctoral students" where that is not said."""
    return bool(wanted) and wanted <= _telling(who)


_AGE: Final = re.compile(r" (?:of|aged) (?P<years>[\w-]+)(?: years)?$", re.IGNORECASE)
_BOUND: Final = re.compile(r"\b(?P<way>under|below|over|above|from) (?P<years>\d+)", re.IGNORECASE)


def _is_of_age(years: str, who: str) -> bool:
    """Whether somebody of an age is one of those named: of ten years one of "children under 12"."""
    age, bound = read_value(years), _BOUND.search(who)
    if bound is None or not isinstance(age, Quantity):
        return True
    limit = int(bound["years"])
    return age.amount < limit if bound["way"].casefold() in ("under", "below") else age.amount >= limit


def payer_prices(text: str, sentence: Span) -> list[PayerPrice]:
    """The prices of a sentence that are said to be of somebody."""
    found: list[PayerPrice] = []
    for part in _PARTS.finditer(text, sentence.start, sentence.end):
        found += _of_part(text, part.start(), part.end())
    return found


_PARTS: Final = re.compile(r"[^;]+")


def _of_part(text: str, start: int, end: int) -> Iterator[PayerPrice]:
    for match in sorted(
        (*_PRICE.finditer(text, start, end), *_FREE.finditer(text, start, end)), key=lambda m: m.start()
    ):
        first, last = (match.start("sum"), match.end("sum")) if "sum" in match.groupdict() else match.span()
        words = Span(first, last, text[first:last])
        behind = _FOR_THEM.match(text, match.end(), end)
        if behind is not None:
            yield PayerPrice(_AND.split(behind["a"] or behind["b"])[0], words)
            continue
        yield PayerPrice(_payers(text[start:first] + (words.text if _PAID.match(words.text) else "")), words)


_AND: Final = re.compile(r" (?:and|or|while|but)(?: \d+)? *$")
_PAID: Final = re.compile(r"(?:pay|are|is|enter|get|go|travel)\b", re.IGNORECASE)


def _payers(before: str) -> str:
    before = re.sub(r"(?:nothing|free of charge|admitted free|free|in)\Z", "", before).rstrip() + " "
    match = _PAYERS.search(before.rstrip())
    return match["who"] if match else ""


def _telling(words: str) -> frozenset[str]:
    """The stems of the words that tell, one for each."""
    plain = (_SINGULAR.get(word, word) for word in re.findall(r"[a-z]+", words.casefold()))
    return frozenset(min(stems(word), default=word) for word in plain if word not in FUNCTION_WORDS)


_SINGULAR: Final = {"children": "child", "people": "person", "men": "man", "women": "woman"}
_ABOUT_ADMISSION_STEMS: Final = frozenset(min(stems(word), default=word) for word in _ABOUT_ADMISSION)


def is_of_another_payer(text: str, passage: ReadPassage, place: int) -> bool:
    """Whether a price at a place is that of others than those whom a question names."""
    who = _payers_asked(text)
    prices = payer_prices(passage.text, passage.sentence_at(place)) if who else []
    own = [price for price in prices if price.words.start <= place < price.words.end]
    if sum(bool(price.who) for price in prices) < _ENOUGH:
        return False
    return any(price.who and not _is_of(_telling(who), price.who) for price in own)
