"""What forbids a verdict: parts of the claim for which nothing accounts, and parts that the text says otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from provgraph.language import wordnet
from provgraph.reading.syntax import Token
from provgraph.verdicts.claim_readings import Reading
from provgraph.verdicts.compared import compared_side
from provgraph.verdicts.converses import roles
from provgraph.verdicts.covers import Cover
from provgraph.verdicts.lexicon import phrase, places, word_set
from provgraph.verdicts.masking import bare_title
from provgraph.verdicts.names import different_names, part_of_name, same_name
from provgraph.verdicts.narrowing import limit_of_rank
from provgraph.verdicts.one_clause import units_of_other_clauses
from provgraph.verdicts.open_parts import leaves_open
from provgraph.verdicts.polarity import excludes_by_denial
from provgraph.verdicts.portions import tells_part
from provgraph.verdicts.role_agreement import GovernedUnit
from provgraph.verdicts.tree_objections import (
    Objection,
    comparison_objections,
    in_other_clauses,
    is_being,
    is_within_span,
    tree_objections,
)
from provgraph.verdicts.units import Unit, is_place
from provgraph.verdicts.word_links import word_way

_BOUND = ("name", "nation", "date", "number", "ordinal")
_BEINGS = {"noun.person", "noun.group"}
_DONE_BY_MANY = word_set("symmetric") | frozenset(
    "agree decide want hope say plan attend join support oppose vote visit demand expect".split()
)
_EXCLUDING = ("date", "number", "ordinal", "place", "opposite", "apart", "sibling")


def objections(reading: Reading) -> list[Objection]:
    """All that speaks against SUPPORTS; those that are `against` may make it REFUTES."""
    parts = [*_of_units(reading), *_of_pairs(reading), *_of_converses(reading), *tree_objections(reading)]
    parts += _of_light_verbs(reading)
    parts += [Objection("apart", number) for number in units_of_other_clauses(reading)]
    if not any(part.kind == "another's" and part.against for part in parts):
        parts += comparison_objections(reading)
    kinds = {reading.best.units[p.unit].kind for p in parts if p.against and p.unit is not None}
    of_another = reading.said_denied and not kinds.isdisjoint(("date", "number"))
    if reading.denied or of_another:  # who paid nothing for 2020 may have paid for 2021
        parts = [replace(part, against=False) for part in parts]
    whole = _of_sentence(reading, parts)
    return [*parts, *(replace(part, against=part.against and not of_another) for part in whole)]


def _of_units(reading: Reading) -> Iterator[Objection]:
    cover = reading.best
    for number, unit in enumerate(cover.units):
        if cover.met(number) or unit.light:
            continue
        rival = cover.rivals.get(number)
        if (
            rival is not None
            and rival.near
            and not (unit.kind == "date" and is_within_span(unit, cover))
            and not _measures_unsaid(unit, cover)
            and rival.kind in _EXCLUDING
            and not (unit.kind == "verb" and rival.kind == "sibling")
            and not _may_be_both(unit, rival.token)
            and not _counts_doers_of_another_act(unit, rival.token, cover)
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
            narrow = _is_of_another_noun(unit, number, reading)
            grave = counted or elsewhere or narrow or _is_all_said(unit, number, reading)
            grave = grave or _narrows_by_itself(unit, number, reading)
            yield Objection("unmet", number, grave=grave)


def _measures_unsaid(unit: Unit, cover: Cover) -> bool:
    """Whether it is the amount of what the sentence does not name: "a fine of 5,000 euros" beside damages of 9,000."""
    above = cover.units[unit.above] if unit.above >= 0 else None
    return unit.kind == "number" and above is not None and above.kind == "noun" and not cover.met(unit.above)


def _narrows_by_itself(unit: Unit, number: int, reading: Reading) -> bool:
    """Whether it is a term that no other word says ("lomaxifen"), or tells in a relative clause of whom the claim
    speaks: "patients who took aspirin"."""
    if unit.kind != "noun":
        return False
    if (
        number in reading.unmet
        and unit.head.lemma.isalpha()
        and not wordnet.known(unit.head.lemma.lower(), "n")
    ):
        return True
    parsed = reading.claim.sentence_at(unit.start)
    return any(parsed.tokens[index].relation == "acl:relcl" for index in parsed.chain(unit.head.index))


def _is_of_another_noun(unit: Unit, number: int, reading: Reading) -> bool:
    """Whether an adjective is said nowhere, or its noun is met by another one: "the new building" by the library."""
    if unit.kind != "adjective" or unit.head.relation != "amod":
        return False
    sentence, noun = reading.best.sentence, reading.best.links[unit.above] if unit.above >= 0 else None
    other = sentence is not None and noun is not None and noun.at >= 0
    other = other and sentence.parsed.tokens[noun.at].lemma != reading.best.units[unit.above].head.lemma  # type: ignore[union-attr]
    return number in reading.unmet or other


def _counts_doers_of_another_act(unit: Unit, number: Token, cover: Cover) -> bool:
    """Whether a number counts those who do what the claim does not speak of: "two doctors retired" tells nothing of how
    many the clinic has."""
    tokens = cover.sentence.parsed.tokens if cover.sentence is not None else ()
    noun = tokens[number.head] if unit.kind == "number" and 0 <= number.head < len(tokens) else None
    if noun is None or not noun.relation.startswith("nsubj") or noun.head < 0:
        return False
    act = tokens[noun.head]
    return act.pos == "VERB" and not any(link is not None and link.at == act.index for link in cover.links)


def _has_span(cover: Cover) -> bool:
    """Whether the sentence tells from when to when it is open: what ends then closes then."""
    tokens = cover.sentence.parsed.tokens if cover.sentence is not None else ()
    before = [first.text.lower() for first, second in pairwise(tokens) if second.text[:1].isdigit()]
    return bool({"to", "until", "till", "and", "between"}.intersection(before))


def _is_all_said(unit: Unit, number: int, reading: Reading) -> bool:
    """Whether it is the one thing that the claim says of its subject, and only another sentence has it: "X was a
    lawyer"."""
    if unit.above >= 0 or number in reading.unmet:
        return False
    parsed = reading.claim.sentence_at(unit.start)
    others = [each for i, each in enumerate(reading.best.units) if i != number]
    return bool(others) and all(
        any(parsed.tokens[index].relation.startswith("nsubj") for index in parsed.chain(each.head.index))
        for each in others
    )


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
    placed = [pair for pair in reading.pairs if pair.standing == "same role" and pair.role != "P"]
    tokens = reading.best.sentence.parsed.tokens if reading.best.sentence is not None else ()
    for number, unit in enumerate(reading.best.units):
        link = reading.best.links[number]
        if link is None or link.way != "converse" or unit.kind != "verb":
            continue
        sides = roles(unit.head.lemma.lower(), tokens[link.at].lemma.lower()) or {}
        if not any(reading.best.units[p.unit].above == number and p.role in sides for p in placed):
            yield Objection("apart", number)


def _of_pairs(reading: Reading) -> Iterator[Objection]:
    for pair in reading.pairs:
        unit = reading.best.units[pair.unit]
        if pair.standing == "another's" and pair.rival is not None:
            if _is_agent_of_other(pair, reading):
                continue
            against = pair.rival.pos != "PRON" and not _shareable(pair, reading)
            against = against and _excludes(unit, pair.rival, reading)
            grave = unit.kind in _BOUND or against or pair.beside or _is_another_noun(pair, unit)
            yield Objection("another's", pair.unit, pair.rival, against, grave)
        elif pair.standing == "apart" and pair.why:
            yield Objection(pair.why, pair.unit)
        elif (
            pair.standing == "apart"
            and (unit.kind in _BOUND or _stands_as_noun(unit))
            and reading.best.met(pair.unit)
            and not _is_of_topic(pair, reading)
        ):
            is_bound = unit.kind in _BOUND or pair.role in ("A", "P", "of")
            yield Objection("apart", pair.unit, grave=is_bound or _is_of_another_clause(pair, reading.best))


def _is_of_topic(pair: GovernedUnit, reading: Reading) -> bool:
    """Whether the claim says of the document's topic what the sentence says with "the" alone: of an article on the
    Dulle "the lower course" is that of the Dulle."""
    unit, governor = reading.best.units[pair.unit], reading.best.links[reading.best.units[pair.unit].above]
    title, sentence = bare_title(reading.meaning.evidence), reading.best.sentence
    if pair.role not in ("@of", "of") or unit.kind != "name" or sentence is None or governor is None:
        return False
    name = reading.claim.meaning.evidence.text[unit.start : unit.end]
    if governor.at < 0 or not title or not (same_name(name, title) or part_of_name(name, title)):
        return False
    below = sentence.parsed.children[governor.at]
    has_own = any(c.relation.startswith(("nmod", "compound", "acl", "appos")) for c in below)
    return not has_own and any(c.text.lower() == "the" for c in below)


def _is_of_another_clause(pair: GovernedUnit, cover: Cover) -> bool:
    """Whether it stands in a clause with a subject of its own: "was in charge of it, and Ada led the trial"."""
    link, governor = cover.links[pair.unit], cover.links[cover.units[pair.unit].above]
    if cover.sentence is None or link is None or governor is None or min(link.at, governor.at) < 0:
        return False
    return in_other_clauses(link.at, governor.at, cover.sentence)


def _is_agent_of_other(pair: GovernedUnit, reading: Reading) -> bool:
    """Whether who stands in its place does something else: "she retired and was replaced by Ben"."""
    act = reading.best.links[reading.best.units[pair.unit].above]
    return (
        pair.rival is not None
        and pair.rival.relation == "obl:agent"
        and act is not None
        and pair.rival.head != act.at
    )


def _is_another_noun(pair: GovernedUnit, unit: Unit) -> bool:
    """Whether the text says it of one who is no other word for the claim's: of the landlord, not of the tenant."""
    assert pair.rival is not None
    unlike = word_way(unit.head, pair.rival) in ("", "opposite", "sibling", "apart")
    named = pair.rival.entity[2:] == "PERSON" and is_being(unit.head.lemma.lower())
    return unit.kind == "noun" and (pair.rival.pos == "NOUN" or (named and pair.role == "A")) and unlike


def _stands_as_noun(unit: Unit) -> bool:
    """Also what the parser has for an adjective: "paid the fine"."""
    return unit.kind == "noun" or (
        unit.kind == "adjective" and unit.head.relation in ("obj", "nsubj", "obl", "nmod")
    )


def _may_be_both(unit: Unit, token: Token) -> bool:
    """Whether words for people, of whom one may be a painter and a photographer, and a father and a son."""
    return all(token.pos == "NOUN" and is_being(token.lemma.lower()) for token in (unit.head, token))


def _shareable(pair: GovernedUnit, reading: Reading) -> bool:
    """Whether several may be what is said: that another is a painter excludes nothing, nor who founded it with them,
    nor what a sentence sets beside it ("against a loss")."""
    above = reading.best.units[pair.unit].above
    link, sentence = reading.best.links[pair.unit], reading.best.sentence
    if link is not None and link.at >= 0 and sentence is not None:
        side = compared_side(sentence.parsed, reading.meaning.evidence.text)
        if side is not None and side.start <= sentence.parsed.tokens[link.at].start < side.end:
            return True
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
            against=not (reading.only_alleged or reading.doubted or tells_part(reading.claim.meaning.parsed))
            and excludes_by_denial(reading, parts),
        )
    if reading.says_only and not reading.said_only:
        yield Objection("only")
    if reading.doubted or leaves_open(reading):
        yield Objection("doubt")
    if reading.narrowed:
        of_another = "contradicted" in reading.other_portions and reading.denied == reading.said_denied
        yield Objection("scope", against=of_another)
    if reading.narrowed_by or _is_first_of_some(reading):
        yield Objection("narrowed")
    if reading.complement >= 0 and reading.said_kind is not None and not reading.denied:
        either = _may_be_both(reading.best.units[reading.complement], reading.said_kind)
        yield Objection("rival", reading.complement, reading.said_kind, against=not either)


def _is_first_of_some(reading: Reading) -> bool:
    """Whether the sentence has for the first since somebody whom the claim has for the first of all."""
    sentence = reading.best.sentence
    if sentence is None:
        return False
    nouns = [sentence.parsed.tokens[at] for at in reading.best.at if at >= 0]
    return any(limit_of_rank(noun, sentence.parsed, reading.claim.lemmas) is not None for noun in nouns)
