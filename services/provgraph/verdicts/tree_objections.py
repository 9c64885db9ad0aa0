"""What forbids a verdict by how the words of a sentence hang together: who has what, which side of "than" or of a comma
a word is on, and which noun an adjective stands before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from provgraph.language import wordnet
from provgraph.reading.syntax import ParsedSentence, Token
from provgraph.verdicts.claim_readings import Reading
from provgraph.verdicts.covers import Cover
from provgraph.verdicts.names import part_of_name, same_name
from provgraph.verdicts.role_fillers import fillers_of
from provgraph.verdicts.sentence_words import SentenceWords
from provgraph.verdicts.units import Unit

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
DIRECTIONS = {
    word: others
    for one, other in (
        ({"before", "until"}, {"after", "since"}), ({"into", "to", "towards"}, {"from"}), ({"for"}, {"against"}),
        ({"above", "over"}, {"below", "under"}), ({"inside", "within"}, {"outside"}), ({"with"}, {"without"}),
    )
    for side, others in ((one, other), (other, one))
    for word in side
}  # fmt: skip
"""Words before a noun or clause with those that tell the opposite."""


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


def tree_objections(reading: Reading) -> Iterator[Objection]:
    """All of them but those of a comparison, which hold only where nothing else is against the claim."""
    for objections in (
        _of_having,
        _of_owners,
        _of_agents,
        _of_copulas,
        _of_directions,
        _of_dates,
        _of_descriptions,
        _of_adjectives,
        _of_two_named,
    ):
        yield from objections(reading)


def _of_two_named(reading: Reading) -> Iterator[Objection]:
    """The one of two of which the sentence says something: "opened mills in Turin and Leeds; the latter closed"."""
    sentence, units, links = reading.best.sentence, reading.best.units, reading.best.links
    tokens = sentence.parsed.tokens if sentence is not None else ()
    for token in tokens:
        names = sentence.names.get(token.index, ()) if sentence is not None else ()
        if token.text.lower() not in ("latter", "former") or not names or token.head not in reading.best.at:
            continue
        for number, unit in enumerate(units):
            link, name = links[number], reading.claim.meaning.evidence.text[unit.start : unit.end]
            if unit.kind != "name" or link is None or not 0 <= link.at < token.index:
                continue
            beside = tokens[link.at].relation == "conj" or any(
                c.relation == "conj"
                for c in sentence.parsed.children[link.at]  # type: ignore[union-attr]
            )
            if beside and not any(same_name(name, each) for each in names):
                yield Objection("another's", number, token)


def is_within_span(date: Unit, cover: Cover) -> bool:
    """Whether a year of the claim lies between two of the sentence that tell from when to when: "from 1890 to 1902"."""
    if cover.sentence is None or not date.head.text.isdigit():
        return False
    years = {
        _case(t.index, cover.sentence.parsed): int(t.text)
        for t in cover.sentence.parsed.tokens
        if len(t.text) == 4 and t.text.isdigit()
    }
    begun = next((years[case] for case in ("from", "between", "since") if case in years), None)
    ended = next((years[case] for case in ("to", "until", "till", "and") if case in years), None)
    return begun is not None and ended is not None and begun < int(date.head.text) < ended


def _of_descriptions(reading: Reading) -> Iterator[Objection]:
    """A person said to be another before the name: "the geologist Karl" where the claim has "the botanist Karl"."""
    sentence, units, links = reading.best.sentence, reading.best.units, reading.best.links
    for number, unit in enumerate(units):
        name = links[unit.above] if unit.above >= 0 and units[unit.above].kind == "name" else None
        if sentence is None or name is None or name.at < 0 or not is_being(unit.head.lemma.lower()):
            continue
        link, named = links[number], sentence.parsed.tokens[name.at]
        before = [
            c for c in sentence.parsed.children[name.at] if c.relation == "compound" and c.pos == "NOUN"
        ]
        own = link is not None and link.at in {t.index for t in sentence.parsed.subtree(named)}
        if not own and any(is_being(token.lemma.lower()) for token in before):
            yield Objection("apart", number)


def _of_adjectives(reading: Reading) -> Iterator[Objection]:
    """An adjective that stands before another noun in the sentence: "twice as many as the old one"."""
    sentence, units, links = reading.best.sentence, reading.best.units, reading.best.links
    for number, unit in enumerate(units):
        link, noun = links[number], links[unit.above] if unit.above >= 0 else None
        if (
            sentence is None
            or link is None
            or noun is None
            or unit.kind != "adjective"
            or min(link.at, noun.at) < 0
        ):
            continue
        token, alike = sentence.parsed.tokens[link.at], {link.at, noun.at}
        if _is_exchanged(number, token, reading):
            yield Objection("apart", number)
            continue
        of_other = token.relation == "amod" and token.head not in (noun.at, *sentence.coordinated(noun.at))
        if (
            unit.head.relation != "amod"
            or units[unit.above].kind != "noun"
            or noun.way != "same"
            or not of_other
        ):
            continue
        if token.head not in reading.best.at and not alike & set(sentence.chain(token.head)):
            yield Objection("apart", number)


def _is_exchanged(number: int, token: Token, reading: Reading) -> bool:
    """Whether a modifier stands before the noun that the claim has with another: "replaced steel screws with plastic
    ones"."""
    units, links, at = reading.best.units, reading.best.links, token.head
    if token.relation not in ("amod", "compound", "nummod") or at < 0:
        return False
    others = [i for i, link in enumerate(links) if link is not None and link.at == at]
    noun = links[units[number].above]
    return noun is not None and at != noun.at and any(i != units[number].above for i in others)


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


def comparison_objections(reading: Reading) -> Iterator[Objection]:
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
        parsed = reading.claim.sentence_at(unit.start)
        for child in parsed.children[unit.head.index]:
            word = child.text.lower()
            if child.relation not in ("case", "mark") or word not in DIRECTIONS or word in words:
                continue
            link = reading.best.links[number]
            said = sentence.parsed.children[link.at] if link is not None and link.at >= 0 else ()
            other = next((c for c in said if c.text.lower() in DIRECTIONS[word]), None)
            if other is not None:
                yield Objection("exchanged", number, other, against=True)


def _of_owners(reading: Reading) -> Iterator[Objection]:
    """Whose it is, where the sentence has a pronoun there for another name: "Jakob and his wife" of Emil's wife."""
    sentence, units = reading.best.sentence, reading.best.units
    for number, unit in enumerate(units):
        noun = reading.best.links[unit.above] if unit.above >= 0 else None
        if sentence is None or noun is None or noun.at < 0 or unit.kind != "name":
            continue
        owner = unit.head.relation == "nmod:poss" or (unit.head.relation == "nmod" and _is_of(unit, reading))
        name = reading.claim.meaning.evidence.text[unit.start : unit.end]
        for token in sentence.parsed.children[noun.at]:
            names = sentence.names.get(token.index, ()) if token.relation == "nmod:poss" else ()
            if owner and names and not any(same_name(name, n) or part_of_name(name, n) for n in names):
                yield Objection("another's", number, token)


def _of_agents(reading: Reading) -> Iterator[Objection]:
    """Who does something in the claim, and another thing in the sentence: "she retired and was replaced by Ben"."""
    sentence, units, links = reading.best.sentence, reading.best.units, reading.best.links
    for number, unit in enumerate(units):
        who, act = links[number], links[unit.above] if unit.above >= 0 else None
        if sentence is None or who is None or act is None or min(who.at, act.at) < 0:
            continue
        token, verb = sentence.parsed.tokens[who.at], sentence.parsed.tokens[act.at]
        does = unit.head.relation in ("nsubj", "obl:agent") and units[unit.above].kind == "verb"
        if does and token.relation == "obl:agent" and verb.pos == "VERB" and token.head != act.at:
            yield Objection("apart", number)


def _is_of(unit: Unit, reading: Reading) -> bool:
    parsed = reading.claim.sentence_at(unit.start)
    return _case(unit.head.index, parsed) == "of"


def _of_copulas(reading: Reading) -> Iterator[Objection]:
    """Of "X is Y" X in the one, Y in another clause with a subject of its own, or the one beside the other: "by the
    coordinator and by Ada"."""
    sentence, units, links = reading.best.sentence, reading.best.units, reading.best.links
    if sentence is None:
        return
    for number, unit in enumerate(units):
        own = next(
            (i for i, u in enumerate(units) if u.above == number and u.head.relation in ("nsubj", "csubj")),
            None,
        )
        one, other = links[number], links[own] if own is not None else None
        if one is None or other is None or other.way != "same" or min(one.at, other.at) < 0:
            continue
        if own is not None and units[own].head.relation == "csubj":
            subjects = [
                c for c in sentence.parsed.children[one.at] if c.relation.startswith(("nsubj", "csubj"))
            ]
            if any(c.pos != "PRON" and c.index not in sentence.chain(other.at) for c in subjects):
                yield Objection("apart", number)
            continue
        if _is_beside(one.at, other.at, sentence.parsed):
            yield Objection("apart", number)
        if unit.kind != "noun" or own is None or units[own].kind != "name":
            continue
        if in_other_clauses(other.at, one.at, sentence):
            yield Objection("apart", number)


def _is_beside(one: int, other: int, sentence: ParsedSentence) -> bool:
    """Whether "and" or "or" joins two words, as two things."""
    first, second = sentence.tokens[min(one, other)], sentence.tokens[max(one, other)]
    joined = any(c.relation == "cc" and c.index > first.index for c in sentence.children[second.index])
    is_beside = second.head == first.index or (first.relation == "conj" and second.head == first.head)
    return second.relation == "conj" and joined and is_beside


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
        if in_other_clauses(date.at, above.at, sentence) or _in_aside(date.at, above.at, sentence):
            yield Objection("apart", number)


def _in_aside(one: int, other: int, sentence: SentenceWords) -> bool:
    """Whether one of two words is in a clause that hangs on a noun, the other outside: "the wheel, made in 1855, …"."""
    path, tokens = sentence.path(one, other), sentence.parsed.tokens
    return any(tokens[i].relation.startswith("acl") and tokens[i].head in path for i in path)


def in_other_clauses(one: int, other: int, sentence: SentenceWords) -> bool:
    """Whether a clause with a subject of its own lies between two words."""
    path = sentence.path(one, other)
    tokens = sentence.parsed.tokens
    return any(_begins_clause(tokens[i], sentence.parsed) and tokens[i].head in path for i in path)


def _begins_clause(token: Token, sentence: ParsedSentence) -> bool:
    beside = token.relation in ("parataxis", "conj", "advcl", "ccomp", "appos", "dep")
    return beside and any(c.relation.startswith("nsubj") for c in sentence.children[token.index])


def _case(index: int, sentence: ParsedSentence) -> str:
    """The preposition before a word, empty where there is none."""
    return next((c.text.lower() for c in sentence.children[index] if c.relation == "case"), "")


def is_being(lemma: str) -> bool:
    return wordnet.is_person(lemma)
