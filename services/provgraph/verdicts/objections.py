"""What forbids a verdict: parts of the claim for which nothing accounts, and parts that the text says otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from provgraph.language import wordnet
from provgraph.reading.syntax import ParsedSentence, Token
from provgraph.verdicts.claim_readings import Reading
from provgraph.verdicts.coverage import Cover
from provgraph.verdicts.lexicon import phrase, places, word_set
from provgraph.verdicts.names import different_names
from provgraph.verdicts.portions import tells_part
from provgraph.verdicts.role_agreement import GovernedUnit
from provgraph.verdicts.role_fillers import fillers_of
from provgraph.verdicts.sentence_words import SentenceWords, denies
from provgraph.verdicts.units import Unit, is_place
from provgraph.verdicts.word_links import word_way

Kind = Literal[
    "unmet",
    "apart",
    "another's",
    "rival",
    "denial",
    "only",
    "doubt",
    "scope",
    "narrowed",
    "exchanged",
    "share",
    "part",
]
_BOUND = ("name", "nation", "date", "number", "ordinal")
_BEINGS = {"noun.person", "noun.group"}
_DONE_BY_MANY = word_set("symmetric") | frozenset(
    "agree decide want hope say plan attend join support oppose vote visit demand expect".split()
)
_DIRECTIONS = {
    word: others
    for one, other in (
        ({"before", "until"}, {"after", "since"}), ({"into", "to", "towards"}, {"from"}), ({"above", "over"}, {"below", "under"}),
        ({"inside", "within"}, {"outside"}), ({"with"}, {"without"}), ({"for"}, {"against"}),
    )
    for side, others in ((one, other), (other, one))
    for word in side
}  # fmt: skip
"""Words before a noun or clause with those that tell the opposite."""
_NOTHING = {"no", "nobody", "none", "nothing", "neither", "nowhere", "anything"}
_EXCLUDING = ("date", "number", "ordinal", "place", "opposite", "apart", "sibling")


@dataclass(frozen=True)
class Objection:
    """Of unit `unit` of the claim, None for the claim as a whole. `against` says that the text excludes the claim.

    A `grave` one forbids SUPPORTS; others only make it less likely, as a word may be said in other words.
    """

    kind: Kind
    unit: int | None = None
    said: Token | None = None
    against: bool = False
    grave: bool = True


def objections(reading: Reading) -> list[Objection]:
    """All that speaks against SUPPORTS; those that are `against` may make it REFUTES."""
    parts = [*_of_units(reading), *_of_pairs(reading), *_of_converses(reading), *_of_having(reading)]
    parts += [
        *_of_copulas(reading),
        *_of_directions(reading),
        *_of_dates(reading),
        *_of_light_verbs(reading),
        *_of_descriptions(reading),
        *_of_adjectives(reading),
    ]
    if not any(part.kind == "another's" and part.against for part in parts):
        parts += _of_comparison(reading)
    if reading.denied:
        parts = [replace(part, against=False) for part in parts]
    return [*parts, *_of_sentence(reading, parts)]


def _of_units(reading: Reading) -> Iterator[Objection]:
    cover = reading.best
    for number, unit in enumerate(cover.units):
        if cover.met(number) or unit.light:
            continue
        rival = cover.rivals.get(number)
        if (
            rival is not None
            and rival.near
            and rival.kind in _EXCLUDING
            and not (unit.kind == "verb" and rival.kind == "sibling")
            and not _may_be_both(unit, rival.token)
            and not (
                {unit.head.lemma.lower(), rival.token.lemma.lower()} == {"open", "close"} and _has_span(cover)
            )
        ):
            yield Objection("rival", number, rival.token, against=True)
        elif unit.kind in _BOUND or unit.deciding or unit.head.tag == "JJS":
            yield Objection("unmet", number)
        else:
            counted = any(unit.kind == "number" and unit.above == number for unit in cover.units)
            elsewhere = unit.kind == "verb" and number not in reading.unmet
            grave = counted or elsewhere or _is_all_said(unit, number, reading)
            yield Objection("unmet", number, grave=grave)


def _has_span(cover: Cover) -> bool:
    """Whether the sentence tells from when to when it is open: what ends then closes then."""
    tokens = cover.sentence.parsed.tokens if cover.sentence is not None else ()
    before = [first.text.lower() for first, second in pairwise(tokens) if second.text[:1].isdigit()]
    return bool({"to", "until", "till", "and", "between"}.intersection(before))


def _is_all_said(unit: Unit, number: int, reading: Reading) -> bool:
    """Whether it is the one thing that the claim says of a name, and only another sentence has it: "X was a lawyer"."""
    names = [i for i, each in enumerate(reading.best.units) if each.kind == "name"]
    return unit.above < 0 and number not in reading.unmet and len(reading.best.units) == 2 and len(names) == 1


def _of_descriptions(reading: Reading) -> Iterator[Objection]:
    """A person said to be another before the name: "the geologist Karl" where the claim has "the botanist Karl"."""
    sentence, units, links = reading.best.sentence, reading.best.units, reading.best.links
    for number, unit in enumerate(units):
        name = links[unit.above] if unit.above >= 0 and units[unit.above].kind == "name" else None
        if sentence is None or name is None or name.at < 0 or not _is_being(unit.head.lemma.lower()):
            continue
        link, named = links[number], sentence.parsed.tokens[name.at]
        before = [
            c for c in sentence.parsed.children[name.at] if c.relation == "compound" and c.pos == "NOUN"
        ]
        own = link is not None and link.at in {t.index for t in sentence.parsed.subtree(named)}
        if not own and any(_is_being(token.lemma.lower()) for token in before):
            yield Objection("apart", number)


def _of_adjectives(reading: Reading) -> Iterator[Objection]:
    """An adjective that stands before another noun in the sentence: "twice as many as the old one"."""
    sentence, units, links = reading.best.sentence, reading.best.units, reading.best.links
    for number, unit in enumerate(units):
        link, noun = links[number], links[unit.above] if unit.above >= 0 else None
        if sentence is None or link is None or noun is None or unit.kind != "adjective" or min(link.at, noun.at) < 0:
            continue
        token, alike = sentence.parsed.tokens[link.at], {link.at, noun.at}
        of_other = token.relation == "amod" and token.head not in (noun.at, *sentence.coordinated(noun.at))
        if unit.head.relation != "amod" or units[unit.above].kind != "noun" or noun.way != "same" or not of_other:
            continue
        if token.head not in reading.best.at and not alike & set(sentence.chain(token.head)):
            yield Objection("apart", number)


def _of_light_verbs(reading: Reading) -> Iterator[Objection]:
    """What somebody makes or uses, where the sentence has no such verb: "makes batteries"."""
    units = reading.best.units
    if any(unit.kind == "verb" and not unit.light for unit in units):
        return
    for number, unit in enumerate(units):
        unsaid = unit.light and unit.kind == "verb" and not reading.best.met(number)
        if unsaid and unit.above < 0 and unit.head.lemma.lower() == "make":
            yield Objection("unmet", number)


def _of_converses(reading: Reading) -> Iterator[Objection]:
    """A verb met by its converse, of which no one has the other's role: "sell" by "buy" of the same buyer."""
    placed = {pair.unit for pair in reading.pairs if pair.standing == "same role" and pair.role != "P"}
    for number, unit in enumerate(reading.best.units):
        link = reading.best.links[number]
        met = link is not None and link.way == "converse" and unit.kind == "verb"
        if met and not any(reading.best.units[i].above == number for i in placed):
            yield Objection("apart", number)


def _of_pairs(reading: Reading) -> Iterator[Objection]:
    for pair in reading.pairs:
        unit = reading.best.units[pair.unit]
        if pair.standing == "another's" and pair.rival is not None:
            against = not _shareable(pair, reading) and _excludes(unit, pair.rival, reading)
            grave = unit.kind in _BOUND or against or pair.beside or _is_another_doer(pair, unit)
            yield Objection("another's", pair.unit, pair.rival, against, grave)
        elif pair.standing == "apart" and pair.why:
            yield Objection(pair.why, pair.unit)
        elif (
            pair.standing == "apart"
            and (unit.kind in _BOUND or _stands_as_noun(unit))
            and reading.best.met(pair.unit)
        ):
            yield Objection("apart", pair.unit, grave=unit.kind in _BOUND or pair.role in ("A", "P"))


def _is_another_doer(pair: GovernedUnit, unit: Unit) -> bool:
    """Whether the text says it of one who is no other word for the claim's: of the landlord, not of the tenant."""
    assert pair.rival is not None
    unlike = word_way(unit.head, pair.rival) in ("", "opposite", "sibling", "apart")
    named = pair.rival.entity[2:] == "PERSON" and _is_being(unit.head.lemma.lower())
    return pair.role == "A" and unit.kind == "noun" and (pair.rival.pos == "NOUN" or named) and unlike


def _of_having(reading: Reading) -> Iterator[Objection]:
    """What another has in the sentence than in the claim, or what only stands near it: "the hotel near the pool"."""
    sentence = reading.best.sentence
    units, links = reading.best.units, reading.best.links
    for number, unit in enumerate(units):
        above = units[unit.above] if unit.above >= 0 else None
        if (
            above is None
            or above.head.lemma.lower() != "have"
            or unit.head.relation != "obj"
            or sentence is None
        ):
            continue
        owner = next(
            (i for i, u in enumerate(units) if u.above == unit.above and u.head.relation == "nsubj"), None
        )
        own, held = links[owner] if owner is not None else None, links[number]
        if own is None or held is None or own.at < 0 or held.at < 0:
            continue
        tokens = sentence.parsed.tokens
        token = tokens[held.at]
        if token.relation in ("nmod", "obl") and token.head == own.at:
            if _case(token.index, sentence.parsed) not in ("with", "of", "including"):
                yield Objection("apart", number)
        elif tokens[own.at].relation == "nmod" and tokens[own.at].head == held.at:
            if _case(own.at, sentence.parsed) not in ("of", "in", "on", "at", "with"):
                yield Objection("apart", number)
        elif token.relation == "obj" and tokens[token.head].lemma.lower() == "have":
            owners = [i for role, i in fillers_of(token.head, sentence.parsed) if role == "A"]
            if owners and not any(own.at in sentence.chain(i) or i in sentence.chain(own.at) for i in owners):
                yield Objection("another's", number, tokens[owners[0]])


def _of_comparison(reading: Reading) -> Iterator[Objection]:
    """What the claim has before "than" and the sentence behind it, where each has the one that the other has there."""
    sentence, units, links = reading.best.sentence, reading.best.units, reading.best.links
    parsed_claim = [t for parsed_sentence in reading.claim.meaning.parsed for t in parsed_sentence.tokens]
    claimed = _than(parsed_claim)
    token = _than(sentence.parsed.tokens) if sentence is not None else None
    if sentence is None or claimed is None or token is None:
        return
    things = [
        (i, link.at) for i, link in enumerate(links)
        if link is not None and link.at >= 0 and reading.best.met(i)
        and units[i].kind in ("name", "noun", "date", "number", "nation")
    ]  # fmt: skip
    if _degree(claimed, parsed_claim) != _degree(token, sentence.parsed.tokens):
        return  # "lower than" beside "higher than"
    crossed = [(i, at) for i, at in things if (units[i].start < claimed.start) != (at < token.index)]
    if {units[i].start < claimed.start for i, _ in crossed} == {True, False}:
        yield Objection("exchanged", crossed[0][0], sentence.parsed.tokens[crossed[0][1]], against=True)


def _degree(than: Token, tokens: Sequence[Token]) -> str:
    """The comparative before "than", empty where there is none."""
    before = [t.lemma.lower() for t in tokens if t.tag in ("JJR", "RBR") and t.start < than.start]
    return before[-1] if before else ""


def _than(tokens: Iterable[Token]) -> Token | None:
    """The word between the two sides of a comparison: "than", or the second "as" of "as much as"."""
    words = list(tokens)
    seconds = [
        t
        for t in words
        if t.text.lower() == "as" and any(b.text.lower() == "as" for b in words[: t.index][-3:])
    ]
    return next((token for token in words if token.text.lower() == "than"), next(iter(seconds), None))


def _of_directions(reading: Reading) -> Iterator[Objection]:
    """A word like "after" or "into" of the claim, where the sentence has its opposite, and not the word itself."""
    sentence = reading.best.sentence
    if sentence is None:
        return
    words = {token.text.lower() for token in sentence.parsed.tokens}
    for number, unit in enumerate(reading.best.units):
        parsed = next(s for s in reading.claim.meaning.parsed if s.start <= unit.start < s.end)
        for child in parsed.children[unit.head.index]:
            word = child.text.lower()
            if child.relation not in ("case", "mark") or word not in _DIRECTIONS or word in words:
                continue
            link = reading.best.links[number]
            said = sentence.parsed.children[link.at] if link is not None and link.at >= 0 else ()
            other = next((c for c in said if c.text.lower() in _DIRECTIONS[word]), None)
            if other is not None:
                yield Objection("exchanged", number, other, against=True)


def _of_copulas(reading: Reading) -> Iterator[Objection]:
    """Of "X is Y" X in the one, Y in another clause with a subject of its own."""
    sentence, units, links = reading.best.sentence, reading.best.units, reading.best.links
    if sentence is None:
        return
    for number, unit in enumerate(units):
        own = next((i for i, u in enumerate(units) if u.above == number and u.head.relation == "nsubj"), None)
        one, other = links[number], links[own] if own is not None else None
        if one is None or other is None or other.way != "same" or min(one.at, other.at) < 0:
            continue
        if unit.kind != "noun" or own is None or units[own].kind != "name":
            continue
        if _in_other_clauses(other.at, one.at, sentence):
            yield Objection("apart", number)


def _of_dates(reading: Reading) -> Iterator[Objection]:
    """A date of another clause than what the claim says of it: "won in 1959; in 1960 she was second"."""
    sentence, units, links = reading.best.sentence, reading.best.units, reading.best.links
    if sentence is None:
        return
    for number, unit in enumerate(units):
        date, above = links[number], links[unit.above] if unit.above >= 0 else None
        if unit.kind != "date" or date is None or above is None or units[unit.above].kind != "verb":
            continue
        if min(date.at, above.at) < 0:
            continue
        if _in_other_clauses(date.at, above.at, sentence) or _in_aside(date.at, above.at, sentence):
            yield Objection("apart", number)


def _in_aside(one: int, other: int, sentence: SentenceWords) -> bool:
    """Whether one of two words is in a clause that hangs on a noun, the other outside: "the wheel, made in 1855, …"."""
    path, tokens = sentence.path(one, other), sentence.parsed.tokens
    return any(tokens[i].relation.startswith("acl") and tokens[i].head in path for i in path)


def _in_other_clauses(one: int, other: int, sentence: SentenceWords) -> bool:
    """Whether a clause with a subject of its own lies between two words."""
    path = sentence.path(one, other)
    tokens = sentence.parsed.tokens
    return any(_begins_clause(tokens[i], sentence.parsed) and tokens[i].head in path for i in path)


def _begins_clause(token: Token, sentence: ParsedSentence) -> bool:
    beside = token.relation in ("parataxis", "conj", "advcl", "ccomp", "appos", "dep")
    return beside and any(c.relation.startswith("nsubj") for c in sentence.children[token.index])


def _stands_as_noun(unit: Unit) -> bool:
    """Also what the parser has for an adjective: "paid the fine"."""
    return unit.kind == "noun" or (
        unit.kind == "adjective" and unit.head.relation in ("obj", "nsubj", "obl", "nmod")
    )


def _case(index: int, sentence: ParsedSentence) -> str:
    """The preposition before a word, empty where there is none."""
    return next((c.text.lower() for c in sentence.children[index] if c.relation == "case"), "")


def _may_be_both(unit: Unit, token: Token) -> bool:
    """Whether words for people, of whom one may be a painter and a photographer, and a father and a son."""
    return all(token.pos == "NOUN" and _is_being(token.lemma.lower()) for token in (unit.head, token))


def _is_being(lemma: str) -> bool:
    return "noun.person" in wordnet.fields(lemma, "n", 1)


def _shareable(pair: GovernedUnit, reading: Reading) -> bool:
    """Whether several may be what is said: that another is a painter excludes nothing, nor who founded it with them."""
    above = reading.best.units[pair.unit].above
    link, sentence = reading.best.links[pair.unit], reading.best.sentence
    if link is not None and link.at >= 0 and sentence is not None:
        children = sentence.parsed.children[link.at]
        if any(c.relation == "case" and c.text.lower() in ("with", "alongside") for c in children):
            return True
    if pair.role != "A" or above < 0:
        return False
    governor = reading.best.units[above]
    return governor.kind != "verb" or governor.head.lemma.lower() in _DONE_BY_MANY


def _excludes(unit: Unit, rival: Token, reading: Reading) -> bool:
    """Whether what fills the unit's role cannot be it."""
    text = reading.claim.meaning.evidence.text[unit.start : unit.end]
    if unit.kind == "name":
        sentence = reading.best.sentence
        at = sentence.unit_at.get(rival.index) if sentence is not None else None
        if sentence is None or at is None or sentence.units[at].kind != "name":
            return True
        other = sentence.units[at]
        if places().is_wide(phrase(text)) and not is_place(other, reading.meaning.evidence.text):
            return False  # a town that no list has may lie in the country
        return different_names(text, reading.meaning.evidence.text[other.start : other.end])
    if unit.kind != "noun":
        return True
    if _may_be_both(unit, rival):
        return False
    if word_way(unit.head, rival) in ("sibling", "apart", "opposite"):
        return True
    mine, theirs = (set(wordnet.fields(token.lemma.lower(), "n")) for token in (unit.head, rival))
    alike = bool(mine & theirs) or all(fields & _BEINGS for fields in (mine, theirs))
    return bool(mine and theirs) and not alike


def _of_sentence(reading: Reading, parts: Sequence[Objection]) -> Iterator[Objection]:
    """`parts` are the other objections: a denial excludes only where what is denied is met, "only" where the sentence
    has something else in one of them."""
    if reading.denied != reading.said_denied:
        yield Objection(
            "denial",
            against=not (
                reading.only_alleged or reading.doubted or tells_part(reading.claim.meaning.parsed)
            )
            and _denies_the_same(reading, parts),
        )
    if reading.says_only and not reading.said_only:
        kinds = {reading.best.units[part.unit].kind for part in parts if part.unit is not None}
        yield Objection("only", against=bool(kinds - {"number"}) and _main_verb_met(reading))
    if reading.doubted:
        yield Objection("doubt")
    if reading.narrowed:
        of_another = "contradicted" in reading.other_portions and reading.denied == reading.said_denied
        yield Objection("scope", against=of_another)
    if reading.narrowed_by:
        yield Objection("narrowed")
    if reading.complement >= 0 and reading.said_kind is not None and not reading.denied:
        either = _may_be_both(reading.best.units[reading.complement], reading.said_kind)
        yield Objection("rival", reading.complement, reading.said_kind, against=not either)


def _denies_the_same(reading: Reading, parts: Sequence[Objection]) -> bool:
    """Whether the one of the two says what the other denies: most of it, its main word and all its verbs among them.

    Of what is denied of nothing or nobody ("No mill is larger") all must be met in the same roles.
    """
    units = reading.best.units
    open_ = [
        u
        for u in (units[p.unit] for p in parts if p.kind == "unmet" and p.unit is not None)
        if not denies(u.head)
    ]
    if any(
        token.text.lower() in _NOTHING - {"anything"}
        for s in reading.claim.meaning.parsed
        for token in s.tokens
    ):
        return not open_ and all(part.kind == "unmet" for part in parts)
    told = sum(not unit.light for unit in units) - 1  # of the one that is spoken of
    instead = {p.unit for p in reading.pairs if p.role == "P" and units[p.unit].kind == "noun"}
    if any(part.kind == "another's" and part.unit in instead for part in parts):
        return False
    doers = {p.unit for p in reading.pairs if p.role in ("A", "P") and p.standing == "apart"}
    if any(units[i].kind in ("noun", "name") and reading.best.met(i) and units[i].head.relation.startswith("nsubj") for i in doers):
        return False  # staff were told, but visitors were not
    return len(open_) * 2 < max(1, told) and _main_met(reading) and all(u.kind != "verb" for u in open_)


def _main_met(reading: Reading) -> bool:
    """Whether the sentence has the main word of the claim, or what a light or denying word in its place governs."""
    units = reading.best.units
    passed = {i for i, u in enumerate(units) if u.light or denies(u.head) or u.head.lemma.lower() in _NOTHING}
    top = [i for i, u in enumerate(units) if i not in passed and (u.above < 0 or u.above in passed)]
    return any(units[i].kind != "name" for i in top) and all(
        reading.best.met(i) for i in top if units[i].kind in ("verb", "noun", "adjective")
    )


def _main_verb_met(reading: Reading) -> bool:
    units = reading.best.units
    return all(u.light or u.kind != "verb" or reading.best.met(i) for i, u in enumerate(units) if u.above < 0)
