"""What belongs to which where one sentence shares out: "300 in Graz and 200 in Linz", "the landlord pays for heating,
the tenant for electricity".

A parser hangs the second share on the verb of the first. So the shares are told by their order alone: numbers and
phrases with one preposition that take turns, and parts between commas that have no verb of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Final

from provgraph.reading.syntax import ParsedSentence, Token

_NOMINAL: Final = frozenset(("NOUN", "PROPN", "PRON", "ADJ"))
_SOME: Final = frozenset("most some many half all both few several none".split())
_LATER: Final = frozenset("later then subsequently afterwards eventually previously earlier".split())
_NEAR: Final = 4
_COMPARING: Final = frozenset((("compared", "with"), ("compared", "to"), ("up", "from"), ("down", "from")))
"""Beside "against"."""
_COMPARED: Final = frozenset(("against", *(first for first, _ in _COMPARING)))
_WHOLES: Final = frozenset(("them", "whom", "which"))
_BEFORE_YEAR: Final = ("in", "since", "from", "by", "until")
_PARTS: Final = frozenset((",", ";", ":", "and", "while", "whereas", "but"))


def of_another_share(sentence: ParsedSentence, met: frozenset[int], verb: int) -> frozenset[int]:
    """Of the words that a claim `met` in a sentence, below the word `verb`, those that belong to another's share.

    All are indexes of tokens. A number whose place the claim leaves out is of a share too: of "300 in Graz and 200 in
    Linz" it does not follow that there are 300.
    """
    by_case = sentence.kept("by case", lambda: list(_by_case(sentence)))
    found = {each for some in by_case for each in _of_other_number(sentence, some, met)}
    found |= {each for some in by_case for each in _of_other_part(sentence, some, met, verb)}
    stops = [t.index for t in sentence.tokens if t.text == ";"]
    segment = sum(stop < verb for stop in stops)
    years = [
        t.index for t in sentence.tokens
        if _is_year_number(t, sentence) and sum(stop < t.index for stop in stops) == segment
    ]  # fmt: skip
    found |= set(_of_other_number(sentence, years, met)) if len(years) > 1 else set()
    found |= set(_of_whose(sentence, met)) | set(_told_later(sentence, met))
    found |= set(_with_own_adverb(sentence, met))
    found |= set(_of_whom(sentence, met)) | set(_of_some(sentence, met)) | set(_compared(sentence, met))
    return frozenset(found | set(_told_beside(sentence, met, verb)))


def _with_own_adverb(sentence: ParsedSentence, met: frozenset[int]) -> Iterator[int]:
    """ "Mainly on beetles and rarely on seeds": what has an adverb of its own is not told with that before it."""
    tokens = sentence.tokens
    for joint, adverb, case in zip(tokens, tokens[1:], tokens[2:], strict=False):
        own = joint.text.lower() in ("and", "but", ",") and adverb.pos == "ADV" and case.relation == "case"
        if not own or adverb.index in met or case.head not in met:
            continue
        if any(t.pos == "ADV" and t.index in met for t in tokens[: joint.index]):
            yield case.head


def _of_whom(sentence: ParsedSentence, met: frozenset[int]) -> Iterator[int]:
    """ "1,200 people, of whom 400 work in Bristol": what follows the second number is not said of the first."""
    words = sentence.words
    if "of" not in words:
        return
    numbers = [token.index for token in sentence.tokens if token.tag == "CD"]
    for at, pair in enumerate(pairwise(words)):
        first = [n for n in numbers if n < at and n in met]
        second = [n for n in numbers if at < n <= at + _NEAR]
        if pair in (("of", "whom"), ("of", "which")) and first and second and not met.intersection(second):
            yield from (each for each in met if each > second[0])


def _compared(sentence: ParsedSentence, met: frozenset[int]) -> Iterator[int]:
    """ "48,200 in 2024, against 41,500 the year before": a number behind the comparing word is of another time than
    what stands before it, unless the claim has both numbers, or a year of that side."""
    words = sentence.words
    if _COMPARED.isdisjoint(words):
        return
    numbers = [t.index for t in sentence.tokens if t.tag == "CD" and not _is_year_number(t, sentence)]
    years = [t.index for t in sentence.tokens if t.index in met and _tells_year(t, sentence)]
    for at, pair in enumerate(pairwise(words)):
        if words[at] != "against" and pair not in _COMPARING:
            continue
        last = next((t.index for t in sentence.tokens[at + 1 :] if t.text in (",", ";", ".")), len(words))
        before, behind = [n for n in numbers if n < at], [n for n in numbers if at < n <= at + _NEAR]
        compares = not met.isdisjoint(before) and not met.isdisjoint(behind)
        times = {t.index for t in sentence.tokens[at + 2 : last] if t.pos in _NOMINAL and t.tag != "CD"}
        of_that_time = any(year > at for year in years) or not met.isdisjoint(times)
        if before and behind and not compares:  # "12,000 in May, down from 15,000 in April"
            yield from (n for n in (before if of_that_time else behind) if n in met)


def _of_some(sentence: ParsedSentence, met: frozenset[int]) -> Iterator[int]:
    """ "9,000 people live on its shores, most of them in Brun": what follows is said of some of them."""
    if _WHOLES.isdisjoint(sentence.words):
        return
    tokens, part_of = sentence.tokens, _parts(sentence)
    for some, of, them in zip(tokens, tokens[1:], tokens[2:], strict=False):
        counted = some.text.lower() in _SOME or some.pos == "NUM"
        of_them = of.text.lower() == "of" and them.text.lower() in _WHOLES
        if counted and of_them and some.index not in met:
            yield from (each for each in met if each > them.index and part_of[each] == part_of[them.index])


def _told_beside(sentence: ParsedSentence, met: frozenset[int], verb: int) -> Iterator[int]:
    """ "Joan ran the bakery until 1985, Eric the mill until 1990": two phrases side by side without a verb."""
    part_of = _parts(sentence)
    if not 0 <= verb < len(part_of):
        return
    for one, other in pairwise(sentence.tokens):
        apart = part_of[one.index] != part_of[verb] and part_of[one.index] == part_of[other.index]
        begins = (one.index > 0 and part_of[one.index - 1] != part_of[one.index]) or one.pos == "PROPN"
        if not (apart and begins and one.pos in ("NOUN", "PROPN") and other.pos == "DET"):
            continue
        if one.index not in met and not _has_verb(sentence, part_of, part_of[one.index]):
            yield from (each for each in met if each > other.index and part_of[each] == part_of[other.index])


def _by_case(sentence: ParsedSentence) -> Iterator[list[int]]:
    """The nouns and names behind one preposition, of each that stands more than once."""
    groups: dict[str, list[int]] = {}
    for token in sentence.tokens:
        if token.relation == "case" and token.head > token.index:
            head = sentence.tokens[token.head]
            if head.pos in ("NOUN", "PROPN") and not _is_year(head):
                groups.setdefault(token.text.lower(), []).append(head.index)
    return (some for some in groups.values() if len(some) > 1)


def _is_year(token: Token) -> bool:
    """Whether it is a date; a season or month comes again, and may have its own share: "in summer … in winter"."""
    return token.text.isdigit() or (token.entity.endswith("DATE") and token.text[:1].isupper())


def _of_other_number(sentence: ParsedSentence, places: Sequence[int], met: frozenset[int]) -> Iterator[int]:
    stops = [-1, *(t.index for t in sentence.tokens if t.text in (",", ";")), len(sentence.tokens)]
    first, last = max(s for s in stops if s < places[0]), min(s for s in stops if s > places[-1])
    numbers = [
        t.index for t in sentence.tokens[first + 1 : last]
        if t.tag == "CD" and not _is_year_number(t, sentence)
    ]  # fmt: skip
    if not _take_turns(numbers, places):
        return
    for number, place in zip(numbers, places, strict=True):
        if number in met and place not in met:
            yield number
            yield from (place for place in places if place in met)


def _is_year_number(token: Token, sentence: ParsedSentence) -> bool:
    if len(token.text) != 4 or not token.text.isdigit():
        return False
    cases = {c.text.lower() for c in sentence.children[token.index] if c.relation == "case"}
    return not cases.isdisjoint(_BEFORE_YEAR)


def _tells_year(token: Token, sentence: ParsedSentence) -> bool:
    return token.lemma.lower() == "year" or _is_year_number(token, sentence)


def _of_whose(sentence: ParsedSentence, met: frozenset[int]) -> Iterator[int]:
    """ "Ada was paid 400 euros and Ben 600": of names and numbers that take turns under one verb, whose is whose."""
    tokens = sentence.tokens
    names = [
        t.index for t in tokens
        if t.pos == "PROPN" and not t.text[:1].isdigit()
        and (t.index + 1 == len(tokens) or tokens[t.index + 1].pos != "PROPN")
    ]  # fmt: skip
    numbers = [t.index for t in tokens if t.tag == "CD" and not _is_year_number(t, sentence)]
    if sum(t.pos == "VERB" for t in tokens) != 1 or not _take_turns(names, numbers) or names[0] > numbers[0]:
        return
    for name, number in zip(names, numbers, strict=True):
        if number in met and name not in met:
            yield number
        elif name in met and number not in met:
            yield from met.intersection(numbers)


def _told_later(sentence: ParsedSentence, met: frozenset[int]) -> Iterator[int]:
    """ "Signed in Rome by France, and later by Spain": where and when is told of the first alone."""
    if _LATER.isdisjoint(sentence.words):
        return
    for token in sentence.tokens:
        children = sentence.children[token.index]
        later = next((c for c in children if c.text.lower() in _LATER and c.index < token.index), None)
        joined = later is not None and sentence.tokens[later.index - 1].text.lower() in ("and", "but")
        before = [i for i in met if later is not None and i < later.index]
        if joined and any(sentence.tokens[i].relation == "obl" for i in before):
            yield from (i for i in met if i == token.index)


def _take_turns(one: Sequence[int], other: Sequence[int]) -> bool:
    """Whether the two come one after the other all along, as "300 … Graz … 200 … Linz"."""
    if len(one) != len(other) or len(one) < 2:
        return False
    pairs = [each for pair in zip(one, other, strict=True) for each in pair]
    turned = [each for pair in zip(other, one, strict=True) for each in pair]
    return pairs == sorted(pairs) or turned == sorted(turned)


def _of_other_part(
    sentence: ParsedSentence, places: Sequence[int], met: frozenset[int], verb: int
) -> Iterator[int]:
    part_of = _parts(sentence)
    if not 0 <= verb < len(part_of):
        return
    main = part_of[verb]
    if not any(part_of[place] == main for place in places):
        return
    for place in places:
        if part_of[place] == main or _has_verb(sentence, part_of, part_of[place]):
            continue
        case = min(c.index for c in sentence.children[place] if c.relation == "case")
        before = [
            t.index
            for t in sentence.tokens[:case]
            if part_of[t.index] == part_of[place] and t.pos in _NOMINAL
        ]
        if place in met and before and not met.intersection(before):
            yield place
        elif place not in met and any(part_of[place] == main for place in places if place in met):
            yield from (each for each in before if each in met)


def _parts(sentence: ParsedSentence) -> tuple[int, ...]:
    """Of each word the number of the part between commas, semicolons or conjunctions that it stands in."""
    return sentence.kept("parts", lambda: tuple(accumulate(word in _PARTS for word in sentence.words)))


def _has_verb(sentence: ParsedSentence, part_of: Sequence[int], number: int) -> bool:
    return any(t.pos in ("VERB", "AUX") for t in sentence.tokens if part_of[t.index] == number)
