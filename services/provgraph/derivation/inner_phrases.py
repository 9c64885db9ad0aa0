"""Things that a question describes and does not name: "the country where the Bubye River is found".

Such a phrase can be asked for by itself, and the question again with what was found in its place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from provgraph.derivation.asking import kind_of_noun
from provgraph.language import wordnet
from provgraph.reading.entity_types import demonyms
from provgraph.reading.syntax import ParsedSentence, Parser, Token

_BEFORE: Final = frozenset("det amod compound nummod nmod:poss flat".split())
_BEHIND: Final = frozenset("nmod acl flat".split())
_NO_THINGS: Final = frozenset(
    "name kind type sort part one number amount year date time day month century term way reason example member "
    "series end beginning start side top bottom charge border population area height length size age thing".split()
)
_NAMING: Final = frozenset("name names title kind type sort".split())
_NAMED_WITH_OF: Final = frozenset(
    "village town city island isle hamlet commune borough municipality kingdom republic parish peninsula".split()
)
"""Nouns of places whose name follows them: "the village of Clonbrook" is that and describes nothing."""
_FIELDS: Final = frozenset(
    "noun.artifact noun.communication noun.object noun.location noun.group noun.person".split()
)
_CONTENT: Final = frozenset("NOUN VERB ADJ PROPN NUM".split())
_BE: Final = frozenset("is was are were 's ’s".split())


@dataclass(frozen=True)
class InnerPhrase:
    """The characters from `start` to `end` of a question, and the noun that says what they describe."""

    start: int
    end: int
    text: str
    noun: str

    @property
    def question(self) -> str:
        """The question for what is described."""
        asks = "Who" if kind_of_noun(self.noun) == "Person" else "What"
        words = self.text.rstrip(" ,;:.?")
        if words.startswith("The "):
            words = f"the {words[4:]}"
        return f"{asks} is {words}?"

    def replaced(self, question: str, name: str) -> str:
        """The question with a name in place of the phrase."""
        return f"{question[: self.start]}{name}{question[self.end :]}"


@dataclass(frozen=True)
class AskedWithin:
    """A thing that a question brings in with the clause that asks: "a university located in what city". `clause` is
    what is asked of it, said behind its name."""

    question: str
    clause: str

    def replaced(self, question: str, name: str) -> str:  # noqa: ARG002
        """The question for the rest, of the thing by its name."""
        return f"{name}{self.clause}?"


_WH: Final = frozenset("what which who whom whose how".split())
_RELATIVE: Final = frozenset("that which who".split())
_CLAUSES: Final = frozenset("acl acl:relcl".split())


def asked_within(text: str, parser: Parser) -> AskedWithin | None:
    """The thing whose clause asks the question; None where the question does not begin with what it tells."""
    sentences = parser.parse(text, [(0, len(text.rstrip()))])
    if len(sentences) != 1:
        return None
    (sentence,) = sentences
    asking = [token for token in sentence.tokens if token.text.casefold() in _WH]
    for wh in reversed(asking):
        for head in _heads(sentence, wh):
            noun = sentence.tokens[head.head] if head.head >= 0 else None
            if noun is not None and head.relation in _CLAUSES and head.index > noun.index:
                return _asked_of(text, sentence, noun, head, wh)
    return None


def _heads(sentence: ParsedSentence, token: Token) -> list[Token]:
    """A word and all that it hangs on, the nearest first."""
    heads = [token]
    while heads[-1].head >= 0 and len(heads) <= len(sentence.tokens):
        heads.append(sentence.tokens[heads[-1].head])
    return heads


def _asked_of(text: str, sentence: ParsedSentence, noun: Token, verb: Token, wh: Token) -> AskedWithin | None:
    first, last = sentence.edges(verb)
    before = [t for t in sentence.children[noun.index] if t.index < noun.index and t.relation == "det"]
    is_new = bool(before) and before[0].text.casefold() in ("a", "an", "the", "another", "one")
    named = any(map(_is_name, sentence.tokens[: noun.index]))
    if not (is_new and named and noun.pos == "NOUN" and first > noun.index and wh.index > first):
        return None
    clause = _clause(text, sentence, first, last)
    opened = text[: before[0].start] if before else ""
    if not clause or not opened.strip():
        return None
    return AskedWithin(f"{opened}what {text[before[0].end : noun.end].strip()}?", clause)


def _clause(text: str, sentence: ParsedSentence, first: int, last: int) -> str:
    """What is said behind the name: with its verb where that is left out; empty where it has another subject."""
    tokens = sentence.tokens
    while first < last and tokens[first].pos == "PUNCT":
        first += 1
    rest = text[tokens[first].start : tokens[last].end].rstrip(" ?.,")
    lead = tokens[first].text.casefold()
    if lead in _RELATIVE:
        return rest[len(lead) :]
    if lead == "whose":
        return f"'s{rest[len(lead) :]}"
    return f" is {rest}" if tokens[first].pos in ("VERB", "ADJ") else ""


def with_owner_put(text: str, parser: Parser, titles: Sequence[str] = ()) -> str:
    """The question with the name for the pronoun of a relative: "Where did Ada Novak meet her husband?" as "… meet Ada
    Novak's husband?", a last name as the title has it that ends with it; as it is where it has not one subject with a
    name before."""
    for sentence in parser.parse(text, [(0, len(text.rstrip()))]):
        named = [t for t in sentence.tokens if t.relation.startswith("nsubj") and t.pos == "PROPN"]
        for token in sentence.tokens:
            relative = sentence.tokens[token.head].lemma.casefold() if token.head > token.index else ""
            is_of_it = token.relation == "nmod:poss" and token.pos == "PRON" and len(named) == 1
            if is_of_it and named[0].index < token.index and wordnet.is_kind_of(relative, "relative", "n"):
                first, last = sentence.edges(named[0])
                name = text[sentence.tokens[first].start : sentence.tokens[last].end]
                full = next((title for title in titles if title.endswith(f" {name}")), name)
                return f"{text[: token.start]}{full}'s{text[token.end :]}"
    return text


def inner_phrases(text: str, parser: Parser) -> list[InnerPhrase]:
    """The described things of a question, those first that describe no other, the shortest of them first; later those
    whose noun does not tell of what kind they are."""
    phrases = [
        phrase
        for sentence in parser.parse(text, [(0, len(text.rstrip()))])
        for token in sentence.tokens
        if (phrase := _phrase(text, sentence, token)) is not None
    ]
    return sorted(
        phrases,
        key=lambda phrase: (
            sum(_is_within(other, phrase) for other in phrases),
            not kind_of_noun(phrase.noun),
            phrase.end - phrase.start,
            phrase.start,
        ),
    )


def _is_within(one: InnerPhrase, other: InnerPhrase) -> bool:
    return one is not other and other.start <= one.start and one.end <= other.end


def asks_of_described(text: str, parser: Parser) -> bool:
    """Whether a question describes somebody or some place whom other documents may tell of, or sets several things side
    by side."""
    return bool(_SEVERAL.search(text)) or any(kind_of_noun(each.noun) for each in inner_phrases(text, parser))


_SEVERAL: Final = re.compile(
    r"\b(?:or|both|the same|(?:older|younger|longer|earlier|later|larger) than)\b", re.IGNORECASE
)


def _phrase(text: str, sentence: ParsedSentence, noun: Token) -> InnerPhrase | None:
    lemma = noun.lemma.casefold()
    behind = sentence.tokens[min(noun.index + 1, len(sentence.tokens) - 1)].text.casefold()
    if noun.pos != "NOUN" or noun.text[:1].isupper() or not (_is_thing(lemma) or behind == "where"):
        return None
    first, last = _extent(sentence, noun)
    inside = sentence.tokens[first : last + 1]
    words = [token.text.casefold() for token in inside]
    if not inside or (all(map(_is_name, inside[noun.index - first + 1 :])) and noun.index < last):
        return None  # "the film The Lantern Keeper" has its name
    if not _is_definite(inside, noun) or not any(map(_is_name, inside)) or "what" in words or "how" in words:
        return None
    outside = [*sentence.tokens[:first], *sentence.tokens[last + 1 :]]
    if lemma in _NAMED_WITH_OF and all(map(_is_name, inside[noun.index - first + 2 :])):
        return None
    if _is_asked(sentence, first, last) or not any(token.pos in _CONTENT for token in outside):
        return None
    return InnerPhrase(inside[0].start, inside[-1].end, text[inside[0].start : inside[-1].end], lemma)


def _is_thing(noun: str) -> bool:
    """Whether a noun is of things that have names."""
    if noun in _NO_THINGS:
        return False
    return kind_of_noun(noun) not in ("", "Date", "Number") or not _FIELDS.isdisjoint(
        wordnet.fields(noun, "n", 2)
    )


def _is_definite(inside: tuple[Token, ...], noun: Token) -> bool:
    """Whether a phrase is of one thing: "the bridge …", "Ada Novak's husband"."""
    if inside[0].text.casefold() == "the":
        return inside[0] is not noun
    is_owned = any(token.text in ("'s", "’s", "'", "’") for token in inside[: noun.index - inside[0].index])
    return is_owned and inside[0].text.casefold() not in ("a", "an")


def _is_name(token: Token) -> bool:
    """Whether a word is of a name; "Jamaican" tells of many."""
    is_capital = token.pos == "PROPN" or (token.text[:1].isupper() and token.index > 0)
    return is_capital and token.text not in demonyms()


def _is_asked(sentence: ParsedSentence, first: int, last: int) -> bool:
    """Whether the phrase is what is asked for itself: "who is the director …", "what is the name of the river"; not in
    "What is the country where Damerjog is named after?", where something is said of it."""
    if any(token.pos == "VERB" for token in sentence.tokens[last + 1 :]) and first > 0:
        is_relative = any(token.pos in ("VERB", "AUX") for token in sentence.tokens[: first - 1])
        return not is_relative and sentence.tokens[first - 1].text.casefold() in ("what", "which", "whose")
    before = [token.text.casefold() for token in sentence.tokens[:first]]
    while len(before) > 2 and before[-1] == "of" and before[-2] in _NAMING:
        before = before[:-3] if before[-3] == "the" else before[:-2]
    if not before:
        return False
    return before[-1] in ("what", "which", "whose") or (
        len(before) > 1 and before[-2] in ("who", "what", "which", "where") and before[-1] in _BE
    )


def _extent(sentence: ParsedSentence, noun: Token) -> tuple[int, int]:
    """The first and the last word of the phrase: all that hangs on the noun without a gap."""
    first = last = noun.index
    for child in reversed(sentence.children[noun.index]):
        left, right = sentence.edges(child)
        if child.index < noun.index and child.relation in _BEFORE and right == first - 1:
            first = left
    for child in sentence.children[noun.index]:
        left, right = sentence.edges(child)
        is_next = left == last + 1 or (left == last + 2 and sentence.tokens[last + 1].pos == "ADP")
        if child.index > noun.index and child.relation.partition(":")[0] in _BEHIND and is_next:
            last = right
    clause = _relative_clause(sentence, noun)
    is_all = any(token.pos in _CONTENT for token in sentence.tokens[:first])
    if clause is not None and (is_all or clause < _last_word(sentence) or not noun.index < last < clause):
        return first, clause
    return first, _without_main_verb(sentence, first, last)


def _last_word(sentence: ParsedSentence) -> int:
    return max((token.index for token in sentence.tokens if token.pos != "PUNCT"), default=0)


def _relative_clause(sentence: ParsedSentence, noun: Token) -> int | None:
    """The last word of the clause that "where", "that", "of which" and their like begin behind the noun, or a name with
    a verb ("the country Ada Novak is from"), as the order of the words tells it: it and each that such a word begins
    within it have a verb, and the next belongs to what is asked. None where there is no such clause."""
    tokens = sentence.tokens
    rest = tokens[noun.index + 1 :]
    behind_name = next((token for token in rest if token.pos != "PROPN"), noun)
    opening = next((token for token in rest if token.pos != "ADP"), noun)
    if opening.text.casefold() in _OPENING and opening.index <= noun.index + 2:
        start = opening.index + 1
    elif behind_name.index > noun.index + 1 and _has_own_verb(sentence, behind_name):
        start = behind_name.index
    else:
        return None
    without_verb, with_verb, is_open = 1, 0, False
    for token in tokens[start:]:
        before, behind = tokens[token.index - 1], tokens[min(token.index + 1, len(tokens) - 1)]
        if token.text in _ENDING and not _is_name(behind):
            return token.index - 1
        if token.text.casefold() in _OPENING or token.text == "when":
            without_verb, is_open = without_verb + 1, False
        elif token.pos in ("VERB", "AUX") and before.pos not in ("PART", "CCONJ"):
            if not (is_open and _goes_on(before, token)) and not (
                with_verb and not without_verb and not _is_main(sentence, noun, token)
            ):
                if not without_verb:
                    return token.index - 1
                without_verb, with_verb = without_verb - 1, with_verb + 1
            is_open = True
        elif token.pos not in ("ADV", "PART"):
            is_open = False
    return _last_word(sentence) if with_verb else None


def _has_own_verb(sentence: ParsedSentence, verb: Token) -> bool:
    """Whether it is a verb and not that of the question, at its end: "Where was the singer of the band Larks born?"."""
    is_bare = verb.tag in ("VB", "VBN") and verb.index == _last_word(sentence)
    return verb.pos in ("AUX", "VERB") and not is_bare


def _goes_on(before: Token, verb: Token) -> bool:
    """Whether a verb goes on from an auxiliary before it: "is located", "had been named"."""
    is_be = before.lemma.casefold() == "be"
    return before.pos in ("AUX", "ADV") and not (is_be and verb.tag in ("VB", "VBP", "VBZ", "VBD"))


def _is_main(sentence: ParsedSentence, noun: Token, verb: Token) -> bool:
    """Whether a second verb may be that of the question: a participle only at its end, where an auxiliary stands in
    front of the noun, and there no past tense ("Who is the singer whose cover Ada made?")."""
    is_fronted = any(token.pos == "AUX" for token in sentence.tokens[: noun.index])
    is_last = all(token.pos in ("PUNCT", "ADP") for token in sentence.tokens[verb.index + 1 :])
    if verb.tag in ("VBN", "VBG") and sentence.tokens[verb.index - 1].pos != "ADP":
        return is_last and is_fronted
    return not (verb.tag == "VBD" and is_last and is_fronted)


def _without_main_verb(sentence: ParsedSentence, first: int, last: int) -> int:
    """Without the verb of a question at its end: "When was the director of the film born?"."""
    tokens, verb = sentence.tokens, last
    while verb > first and tokens[verb].pos == "ADP":
        verb -= 1
    is_verb = tokens[verb].pos == "VERB" and tokens[verb].tag in ("VBN", "VB")
    is_fronted = any(token.pos == "AUX" for token in tokens[:first])
    is_within = tokens[verb - 1].pos in ("AUX", "ADV", "PART")
    is_last = all(token.pos in ("PUNCT", "ADP") for token in tokens[verb + 1 :])
    return verb - 1 if is_verb and is_fronted and is_last and not is_within else last


_OPENING: Final = frozenset("where that which who whom whose".split())
_ENDING: Final = (",", "?", ".", ";")


def in_order(text: str, parser: Parser) -> str:
    """The question with a clause at the noun that it tells of: "Where was the club founded whose ground is Ashby Park?"
    as "Where was the club whose ground is Ashby Park founded?"."""
    for sentence in parser.parse(text, [(0, len(text.rstrip()))]):
        tokens = sentence.tokens
        for verb, opening in pairwise(tokens[1:]):
            noun = tokens[verb.index - 1]
            is_opening = opening.text.casefold() in _OPENING or (
                opening.pos == "ADP"
                and tokens[min(opening.index + 1, len(tokens) - 1)].text.casefold() == "which"
            )
            before = tokens[: noun.index]
            is_fronted = any(t.pos == "AUX" for t in before) and any(t.tag.startswith("W") for t in before)
            if (
                is_opening
                and is_fronted
                and noun.pos == "NOUN"
                and verb.tag in ("VBN", "VB")
                and verb.pos == "VERB"
            ):
                end = tokens[-1].start if tokens[-1].pos == "PUNCT" else tokens[-1].end
                clause = text[opening.start : end].strip()
                return f"{text[: verb.start]}{clause} {verb.text}{text[end:]}"
    return text
