"""The thing that a question asks about, where the sentence of an answer tells of something of it, or of another by
number: where a copy of the painting hangs, how many work in the other town.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from provgraph.derivation.affinity import related
from provgraph.derivation.evidence import ReadPassage
from provgraph.derivation.number_fit import stand_alike
from provgraph.derivation.result import Derived
from provgraph.language import wordnet
from provgraph.reading.syntax import ParsedSentence, Token
from provgraph.reading.value_reading import read_value
from provgraph.reading.values import Ordinal
from provgraph.verdicts.converses import roles

_LIGHT: Final = frozenset("be have do become get take make".split())
_BEFORE_NOUN: Final = ("DET", "ADJ", "NUM", "NOUN", "PROPN", "PUNCT", "PRON")
_FARTHEST: Final = 5
_SHORT: Final = 4
"""Letters of a noun that may be any part of another: the light of a lighthouse is told by its first ones."""
_ASKING: Final = frozenset("what which whose how many much".split())
_DONE_TO: Final = ("obj", "nsubj:pass")
_TAKING_UP: Final = frozenset(
    "proposal motion plan measure project request suggestion decision change resolution scheme bill idea matter".split()
)
"""Nouns that stand for whatever was told before."""
_BEFORE_HEAD: Final = frozenset("compound flat det amod nummod nmod:poss".split())
_ANY: Final = frozenset("each every all any".split())
_WHOLES: Final = frozenset(
    "noun.group noun.quantity noun.location noun.relation noun.shape noun.tops".split()
)
"""Fields of nouns that only count or name what stands behind "of": "a group of", "the city of"."""


def is_of_thing_asked(found: Derived, question: ParsedSentence) -> bool:
    """Whether the sentence says it of the thing itself, and not of something of it: a copy of a painting."""
    ending = found.ending
    verbs = {t.lemma.casefold() for t in question.tokens if t.pos == "VERB" and t.relation != "amod"} - _LIGHT
    asked = {t.lemma.casefold() for t in question.tokens}
    nouns = [t for t in question.tokens if t.pos in ("NOUN", "PROPN")]
    subjects = [t for t in nouns if t.relation.startswith("nsubj")] or [
        t for t in nouns if t.relation == "obj"
    ]
    things = {t.lemma.casefold() for t in subjects}
    objects = {t.lemma.casefold() for t in nouns if _is_known_object(question, t)}
    objects |= {
        child.lemma.casefold()
        for t in nouns
        if t.lemma.casefold() in objects
        for child in question.children[t.index]
        if child.relation in ("compound", "amod")
    }
    doers = {t.lemma.casefold() for t in nouns if t.pos == "NOUN" and t.relation == "nsubj"}
    return not ending or not all(
        _is_of_something(sentence, verbs, things, asked)
        or _is_done_to_another(sentence, verbs, objects)
        or _is_of_other_place(sentence, question)
        or _is_done_by_another(sentence, verbs, doers)
        or is_of_other_owner(sentence, question)
        or _is_done_by_relative(sentence, question, verbs)
        or _is_done_to_what_stands_beside(sentence, question)
        for support in ending
        if (sentence := support.parsed)
    )


def is_other_part(found: Derived, question: Sequence[ParsedSentence], noun: str) -> bool:
    """Whether each sentence gives somebody another part than the question asks for: who appoints a manager is not the
    manager, and who built a mill does not own it for that."""
    tokens = [token for each in question for token in each.tokens]
    verbs = {t.lemma.casefold() for t in tokens if t.pos == "VERB"}
    if not verbs and tokens[0].text.casefold() == "who":
        noun = noun or next((t.lemma.casefold() for t in tokens if t.relation.startswith("nsubj")), "")
    is_doer = any(t.text.casefold() == "who" and t.relation == "nsubj" for t in tokens)
    is_owner = any(wordnet.is_kind_of(verb, "own", "v", 1, 1) for verb in verbs)
    ending = found.ending
    return bool(ending) and all(
        (noun and not verbs and any(t.lemma.casefold() == noun for t in _objects(sentence, verb)))
        or (is_doer and _has_other_side(verbs, verb.lemma.casefold()))
        or (is_owner and "verb.possession" not in wordnet.fields(verb.lemma.casefold(), "v", 3))
        if (sentence := support.parsed) is not None
        and (verb := _done_by(sentence, support.token)) is not None
        else False
        for support in ending
    )


def _has_other_side(verbs: set[str], said: str) -> bool:
    """Whether who does what is said has the other side of what is asked: who leaves a house does not inherit it."""
    exchanged = [each for verb in verbs if (each := roles(verb, said)) is not None]
    return bool(exchanged) and not any("A" in each.get("A", ()) for each in exchanged)


def _done_by(sentence: ParsedSentence, doer: Token | None) -> Token | None:
    """The verb that tells what somebody does or did; None where the sentence says no such thing of that one."""
    while doer is not None and doer.relation in _BEFORE_HEAD and doer.head > doer.index:
        doer = sentence.tokens[doer.head]
    if doer is None or doer.head < 0 or sentence.tokens[doer.head].pos != "VERB":
        return None
    verb = sentence.tokens[doer.head]
    is_by = any(c.relation == "case" and c.text.casefold() == "by" for c in sentence.children[doer.index])
    return verb if doer.relation == "nsubj" or (is_by and doer.relation.startswith("obl")) else None


def is_given(found: Derived, question: Sequence[ParsedSentence], noun: str) -> bool:
    """Whether an answer is only the name of somebody whom the question tells of: of "her mother, Maud Devlin, died"
    Maud for who raised her after her mother's death."""
    said = {
        t.lemma.casefold() for parsed_sentence in question for t in parsed_sentence.tokens if t.pos == "NOUN"
    } - {noun}
    does = any(
        t.pos == "VERB" and t.lemma.casefold() not in _LIGHT
        for parsed_sentence in question
        for t in parsed_sentence.tokens
    )
    ending = found.ending if does else ()
    return bool(ending) and all(
        sentence is not None and _is_named_so(sentence, support.words.start, said)
        for support in ending
        for sentence in (support.parsed,)
    )


def _is_named_so(sentence: ParsedSentence, place: int, nouns: set[str]) -> bool:
    own = next((t for t in sentence.tokens if t.start <= place < t.end), None)
    while own is not None and own.relation in ("compound", "flat") and own.head >= 0:
        own = sentence.tokens[own.head]
    if own is None or own.pos != "PROPN" or own.relation != "appos" or own.head < 0:
        return False
    whose = sentence.tokens[own.head]
    return whose.lemma.casefold() in nouns and wordnet.is_person(whose.lemma.casefold())


def _is_of_other_place(sentence: ParsedSentence, question: ParsedSentence) -> bool:
    """Whether a sentence has a noun of the question with another ordinal: the first prize, the second."""
    asked, told = _ordinals(question), _ordinals(sentence)
    return any(told.get(noun) and not ranks & told[noun] for noun, ranks in asked.items())


def is_of_other_owner(sentence: ParsedSentence, question: ParsedSentence) -> bool:
    """Whether a sentence has a noun of the question as that of somebody or something else: the tenant's obligations,
    the landlord's, or that for another: the posters for the concert hall, those for the town hall."""
    told = {token.lemma.casefold() for token in sentence.tokens}
    for thing, tie, owner in _owned(question):
        others = [other for noun, by, other in _owned(sentence) if noun == thing and by == tie]
        plain = sum(token.lemma.casefold() == thing for token in sentence.tokens)
        if others and len(others) == plain and owner not in told:
            return not any(_may_be_one(owner, other) for other in others)
    return False


def _owned(sentence: ParsedSentence) -> Iterator[tuple[str, str, str]]:
    """Nouns with the common noun that says which they are, and by what: "the tenant's obligations", "the price of the
    ticket", "the posters for the hall", "the town hall"."""
    for token in sentence.tokens:
        above = (
            token.lemma.casefold(),
            sentence.tokens[token.head].lemma.casefold() if token.head >= 0 else "",
        )
        if token.relation == "compound" and token.pos == "NOUN":
            yield above[1], token.relation, above[0]
        if token.relation.startswith("nmod") and token.head >= 0 and _is_common(sentence, token):
            cases = {c.text.casefold() for c in sentence.children[token.index] if c.relation == "case"}
            tie = "of" if cases & _OF else "where" if cases & _WHERE else next(iter(sorted(cases)), "")
            if tie:
                yield above[1], tie, above[0]


_WHERE: Final = frozenset("in on at over under above below behind beside near by".split())
_OF: Final = frozenset(("of", "'s", "’s", "'", "’"))


def _is_common(sentence: ParsedSentence, token: Token) -> bool:
    """Whether a token is a common noun, also where it has a capital as in contracts: "the Tenant"."""
    has_article = any(
        child.text.casefold() == "the" and child.index == token.index - 1
        for child in sentence.children[token.index]
    )
    return token.pos == "NOUN" or (has_article and wordnet.known(token.text.casefold(), "n"))


def _may_be_one(one: str, other: str) -> bool:
    return (
        related(one, "n", other, "n") > 0
        or wordnet.is_kind_of(one, other, "n", 3)
        or wordnet.is_kind_of(other, one, "n", 3)
    )


def _is_done_by_another(sentence: ParsedSentence, verbs: set[str], doers: set[str]) -> bool:
    """Whether the sentence has the verb of the question done by another common noun, and this one elsewhere: of "herons
    eat the newts" not what newts eat."""
    tokens = [t for t in sentence.tokens if t.pos == "VERB" and t.lemma.casefold() in verbs]
    if verbs == {"cost"} and not tokens and any(t.lemma.casefold() == "cost" for t in sentence.tokens):
        tokens = list(sentence.roots)  # "has 50 rooms and costs £2", where it is taken for a noun
    subjects = [c for verb in tokens for c in sentence.children[verb.index] if c.relation == "nsubj"]
    elsewhere = any(t.lemma.casefold() in doers and t not in subjects for t in sentence.tokens)
    for verb in tokens:
        if not subjects and verb.relation == "conj" and verb.head >= 0:
            subjects = [c for c in sentence.children[verb.head] if c.relation == "nsubj"]
    return (
        bool(doers and subjects)
        and (elsewhere or verbs == {"cost"})
        and all(
            token.pos == "NOUN" and not any(_may_be_one(token.lemma.casefold(), doer) for doer in doers)
            for token in subjects
        )
    )


def _is_done_by_relative(sentence: ParsedSentence, question: ParsedSentence, verbs: set[str]) -> bool:
    """Whether the sentence has the verb of the question of somebody of the one who is named: of "her father died of
    typhoid" typhoid is not what she died of."""
    asked = {token.lemma.casefold() for token in question.tokens}
    named = [t for t in question.tokens if t.relation.startswith("nsubj") and t.pos == "PROPN"]
    doers = [
        child
        for verb in sentence.tokens
        if verb.pos == "VERB" and verb.lemma.casefold() in verbs
        for child in sentence.children[verb.index]
        if child.relation.startswith("nsubj")
    ]
    return bool(named and doers) and all(
        token.lemma.casefold() not in asked
        and wordnet.is_person(token.lemma.casefold())
        and any(child.relation == "nmod:poss" for child in sentence.children[token.index])
        for token in doers
    )


def _is_done_to_what_stands_beside(sentence: ParsedSentence, question: ParsedSentence) -> bool:
    """Whether a sentence only names what a question tells of, and says of something else that it was done to it: of
    "the boathouse, which was completed in 1894, stands below Mill Bridge" nothing was done to the bridge."""
    named = [t for t in question.tokens if t.relation == "nsubj:pass" and t.pos == "PROPN"]
    verbs = [t.lemma.casefold() for t in question.tokens if t.pos == "VERB"]
    undergoers = [
        noun
        for token in sentence.tokens
        if token.pos == "VERB" and any(related(verb, "v", token.lemma.casefold(), "v") for verb in verbs)
        if any(child.relation == "aux:pass" for child in sentence.children[token.index])
        if (noun := _undergoer(sentence, token)) is not None
    ]
    return bool(named and undergoers) and all(
        noun.pos in ("NOUN", "PROPN")
        and noun.lemma.casefold() not in {token.lemma.casefold() for token in question.tokens}
        and any(
            token.pos == "PROPN" and token.text == name.text and not _belongs(sentence, token, noun)
            for token in sentence.tokens
        )
        for noun in undergoers
        for name in named
    )


def _undergoer(sentence: ParsedSentence, verb: Token) -> Token | None:
    """What a passive verb is said of: of a relative clause the noun that it describes."""
    subject = next((c for c in sentence.children[verb.index] if c.relation.startswith("nsubj")), None)
    is_clause = verb.relation.startswith("acl") and verb.head >= 0
    if subject is None or (is_clause and subject.pos == "PRON"):
        return sentence.tokens[verb.head] if is_clause else None
    return subject


def _belongs(sentence: ParsedSentence, token: Token, noun: Token) -> bool:
    """Whether a name is part of a phrase or stands beside it for the same thing."""
    relations = [token.relation]
    for above in sentence.above(token):
        if above is noun:
            return set(relations) <= {"appos", "compound", "flat", "nmod:poss", "nmod"}
        relations.append(above.relation)
    return False


def _ordinals(sentence: ParsedSentence) -> dict[str, set[int]]:
    """By noun, the ordinals that stand before it."""
    ordinals: dict[str, set[int]] = {}
    for token in sentence.tokens:
        value = (
            read_value(token.text)
            if token.relation in ("amod", "advmod") and token.head > token.index
            else None
        )
        if isinstance(value, Ordinal):
            ordinals.setdefault(sentence.tokens[token.head].lemma.casefold(), set()).add(value.rank)
    return ordinals


def _is_known_object(question: ParsedSentence, noun: Token) -> bool:
    """Whether something is done to a noun of the question that is not asked for itself."""
    asking = any(c.text.casefold() in _ASKING for c in question.children[noun.index])
    return noun.pos == "NOUN" and noun.relation in _DONE_TO and not asking


def _is_done_to_another(sentence: ParsedSentence, verbs: set[str], objects: set[str]) -> bool:
    """Whether the sentence has the verb of the question with another noun for what it is done to, and not this one."""
    if not objects or any(token.lemma.casefold() in objects for token in sentence.tokens):
        return False
    tokens = [t for t in sentence.tokens if t.pos == "VERB" and t.lemma.casefold() in verbs]
    done_to = [token for verb in tokens for token in _objects(sentence, verb)]
    return bool(done_to) and all(
        token.pos == "NOUN"
        and token.lemma.casefold() not in _TAKING_UP
        and not any(
            related(one, "n", other, "n")
            or (len(one) > _SHORT and other.startswith(one))
            or wordnet.is_kind_of(one, other, "n")
            or wordnet.is_kind_of(other, one, "n")
            for one, other in ((token.lemma.casefold(), thing) for thing in objects)
        )
        for token in done_to
    )


def _objects(sentence: ParsedSentence, verb: Token) -> list[Token]:
    """What something is done to, also where a verb before says it: of "the tower was designed and built" the tower."""
    own = [child for child in sentence.children[verb.index] if child.relation in _DONE_TO]
    has_subject = any(child.relation.startswith("nsubj") for child in sentence.children[verb.index])
    if own or has_subject or verb.relation != "conj" or verb.head < 0:
        return own
    before = sentence.tokens[verb.head]
    return [child for child in sentence.children[before.index] if child.relation == "nsubj:pass"]


def _is_of_something(sentence: ParsedSentence, verbs: set[str], things: set[str], asked: set[str]) -> bool:
    """Told by the order of words: with names in quotation marks trees are often wrong."""
    tokens = [token for token in sentence.tokens if token.lemma.casefold() in things]
    heads = [head for token in tokens if (head := _whose(sentence, token)) is not None]
    return (
        bool(tokens)
        and len(heads) == len(tokens)
        and any(token.lemma.casefold() in verbs for token in sentence.tokens)
        and all(
            head.lemma.casefold() not in asked
            and not _is_any(sentence, head)
            and _WHOLES.isdisjoint(wordnet.fields(head.lemma.casefold(), "n", 1))
            for head in heads
        )
    )


def _is_any(sentence: ParsedSentence, noun: Token) -> bool:
    """Whether all of a kind are meant: "each case of"."""
    return any(child.text.casefold() in _ANY for child in sentence.children[noun.index])


def _whose(sentence: ParsedSentence, token: Token) -> Token | None:
    """The noun of which a token is told behind "of"; None where it stands for itself."""
    at = token.index - 1
    while at > 0 and sentence.tokens[at].pos in _BEFORE_NOUN and token.index - at <= _FARTHEST:
        at -= 1
    before = sentence.tokens[at - 1] if at > 0 else None
    is_of = before is not None and sentence.tokens[at].text.casefold() == "of" and before.pos == "NOUN"
    return before if is_of else None


def number_of_another(
    passage: ReadPassage, sentence: ParsedSentence, place: int, question: ParsedSentence
) -> Token | None:
    """The other number of a sentence that stands with what the question names, where the one at `place` does not: of
    "three in Graz and two in Tysen" two, for Tysen; None where the number at `place` may be the one."""
    own = next((token for token in sentence.tokens if token.start <= place < token.end), None)
    if own is None:
        return None
    counted = {t.head for t in question.tokens if t.text.casefold() in ("many", "much")}
    naming = (t for t in question.tokens if t.index not in counted and t.pos in ("PROPN", "NOUN", "ADJ"))
    asked = {token.lemma.casefold() for token in naming}
    owners = {
        owner.index: owner
        for token in sentence.tokens
        if token.lemma.casefold() in asked and (owner := _owner(sentence, token)) is not None
    }
    mine = {own.index, own.head}
    other = next(iter(owners.values()), None) if len(owners) == 1 and mine.isdisjoint(owners) else None
    is_alike = other is not None and stand_alike(passage.values, place, other.start)
    return other if is_alike else None


def _owner(sentence: ParsedSentence, token: Token) -> Token | None:
    """The number that a word hangs on as where, of whom or with what it is."""
    if not any(child.relation == "case" for child in sentence.children[token.index]):
        return None
    below = [t for noun in sentence.dependents(token, "nmod") for t in (noun, *sentence.children[noun.index])]
    amounts = [t for t in below if t.pos == "NUM"]
    if amounts:
        return amounts[0]  # "after a loss of £75,000"
    for above in sentence.above(token):
        if above.pos == "NUM":
            return above
        counted = [c for c in sentence.children[above.index] if c.relation == "nummod"]
        if counted:
            return counted[0]
        if above.pos in ("VERB", "AUX"):
            return None
    return None
