"""What a question asks for, told by its words alone: the phrase that is open, the kind of thing that fills it, and the
words that its answer should stand near. It needs no reading of relations, so it has something to say of any question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.derivation.affinity import part_of, stems
from provgraph.derivation.plan import type_by_words
from provgraph.language import wordnet
from provgraph.language.asked_kinds import asked_kind
from provgraph.language.terms import FUNCTION_WORDS
from provgraph.language.wordnet import Part
from provgraph.reading.entity_types import type_of_noun
from provgraph.reading.questions import QuestionReading
from provgraph.reading.syntax import ParsedSentence, Parser, Token

_OPEN: Final = frozenset("who whom whose what which when where how why".split())
_BEFORE_NOUN: Final = frozenset("DET ADJ ADV NUM PART PUNCT".split())
_EMPTY_NOUNS: Final = frozenset("name kind type sort form title term one thing part".split())
_WHEN_NOUNS: Final = frozenset("year date day month decade century time".split())
_MEASURES: Final[dict[str, str]] = {
    "long": "time length months", "old": "months time", "tall": "length", "high": "length", "far": "length",
    "deep": "length", "wide": "length", "heavy": "mass", "big": "area length volume", "large": "area volume length",
    "fast": "speed", "soon": "time months", "quickly": "time months", "often": "time months",
}  # fmt: skip
"""What an adjective or adverb behind "how" measures."""
_OF_SUMS: Final = {"high": 2, "big": 1, "large": 1}
"""Adjectives that say of a sum how much it is, and in how many meanings its noun may be one."""
_MATTER: Final = frozenset(("noun.artifact", "noun.object", "noun.animal", "noun.body"))
MONEY: Final = "money"
SHARE: Final = "share"
TEMPERATURE: Final = "temperature"
_MEASURED: Final = {"money": MONEY, "share": SHARE}
"""Dimensions of numbers that have no unit of measure, by the kind of a question."""
_MEASURED_BY: Final[dict[str, str]] = {
    **dict.fromkeys(("height", "length", "distance", "depth", "width"), "length"),
    **dict.fromkeys(("price", "cost", "salary", "budget"), MONEY),
    "weight": "mass", "area": "area", "speed": "speed", "temperature": TEMPERATURE, "percentage": SHARE,
}  # fmt: skip
"""What a number for one of `_ATTRIBUTES` measures."""
_ATTRIBUTES: Final = frozenset(
    "height length weight area population age distance number amount percentage share size cost price speed depth "
    "width budget salary capacity temperature rate".split()
)
OF_SAID: Final = frozenset(
    "profession occupation job career role position nationality genre language religion style color colour subject "
    "abbreviation nickname title reason cause purpose".split()
)
"""Nouns of which a phrase may be one, though WordNet has them as groups or places."""
_FIELDS: Final = {
    "noun.person": "Person", "noun.location": "Place", "noun.group": "Organization", "noun.time": "Date",
}  # fmt: skip


@dataclass(frozen=True)
class QuestionWord:
    """A content word: its part of speech where it is no name, its weight, and how near the open phrase it stands."""

    text: str
    lemma: str
    part: Part | None
    weight: float
    nearness: float


@dataclass(frozen=True)
class Asking:
    """`kind` is an entity type, "Date", "Number", "Reason" or empty; `noun` what is asked for ("river"), empty where
    the question does not say; `dimensions` what a number has to measure, `counted` what it counts."""

    text: str
    kind: str
    noun: str
    words: tuple[QuestionWord, ...]
    names: tuple[str, ...]
    dimensions: frozenset[str] = frozenset()
    counted: str = ""
    governor: str = ""
    role: str = ""
    several: bool = False

    @property
    def weight(self) -> float:
        return sum(word.weight for word in self.words) or 1.0


def asking(question: QuestionReading, text: str, parser: Parser, weights: Mapping[str, float]) -> Asking:
    """What `text` asks for; `weights` are those of its words in the collection."""
    parsed = parser.parse(text, [(0, len(text.rstrip()))])
    sentence = parsed[0] if parsed else ParsedSentence((), 0, 0)
    focus = _open_word(sentence)
    noun = _noun(sentence, focus)
    kind, dimensions, counted = _kind(sentence, focus, noun, question, text)
    names = tuple(name.label for name in question.names if name.value is None)
    words = tuple(_words(sentence, focus, noun, weights))
    lemma = noun.lemma.casefold() if noun is not None else ""
    governor, role = role_of(sentence, noun or focus)
    several = noun is not None and noun.tag in ("NNS", "NNPS") and kind != "Number"
    return Asking(text, kind, lemma, words, names, dimensions, counted, governor, role, several)


def asks_who_is_something(asked: Asking) -> bool:
    """Whether it is asked who has a part or an office ("Who is the engineer?"), not who somebody is."""
    return asked.kind == "Person" and bool(asked.noun)


def asks_which(asked: Asking) -> bool:
    """Whether a question that may ask what something is asks which of its kind it is: "Who is the engineer?", "What is
    the title of her memoirs?"."""
    return asks_who_is_something(asked) or bool(_OF_SOMETHING.match(asked.text))


_OF_SOMETHING: Final = re.compile(
    r"^(?:what|which) (?:is|was|are|were) (?:the|his|her|its|their|\S+(?: \S+)?['’]s?) .*\b\w+", re.IGNORECASE
)


def asks_for_things(asked: Asking) -> bool:
    """Whether it is asked what somebody does something to, one thing or several: "What did it bring?"."""
    is_open = asked.kind not in ("Person", "Place", "Number", "Date") and not asked.noun
    return is_open and asked.role == "object" and asked.text.casefold().startswith("what ")


def role_of(sentence: ParsedSentence, token: Token | None) -> tuple[str, str]:
    """The lemma of the word that a phrase hangs on, and how: as who does it, as what it is done to, or by which
    preposition; active and passive alike."""
    if token is None or token.head < 0:
        return "", ""
    while (
        token.relation in ("conj", "appos", "flat", "compound", "det")
        and sentence.tokens[token.head].head >= 0
    ):
        token = sentence.tokens[token.head]
    above = sentence.tokens[token.head]
    case = next((c.text.casefold() for c in sentence.children[token.index] if c.relation == "case"), "")
    if token.relation.startswith("nsubj"):
        return above.lemma.casefold(), "object" if "pass" in token.relation else "subject"
    if case == "by":
        return above.lemma.casefold(), "subject"
    return above.lemma.casefold(), case or token.relation.partition(":")[0].replace("obj", "object")


def _open_word(sentence: ParsedSentence) -> Token | None:
    """The word that asks: the first, where a question begins with it, else a "what" or "which" that no noun stands
    before, else any."""
    tokens = [token for token in sentence.tokens if token.text.casefold() in _OPEN]
    first = [token for token in tokens if token.index <= 1]
    commas = [token.index for token in sentence.tokens if token.text == ","]
    if first and not (first[0].text.casefold() in ("when", "where") and commas and len(tokens) > 1):
        return first[0]
    last = [token for token in tokens if token.index >= len(sentence.tokens) - 2]
    if last:
        return last[0]
    free = [token for token in tokens if not _is_relative(sentence, token)]
    which = [token for token in free if token.text.casefold() in ("what", "which", "how")]
    return next(iter([*which, *free, *tokens]), None)


def _is_relative(sentence: ParsedSentence, token: Token) -> bool:
    before = sentence.tokens[token.index - 1] if token.index else None
    return before is not None and before.pos in ("NOUN", "PROPN", "PRON", "PUNCT") and token.relation != "det"


def _noun(sentence: ParsedSentence, focus: Token | None) -> Token | None:
    """The noun that is asked for: "which river", "what is the name of the river"."""
    if focus is None or focus.text.casefold() not in ("what", "which", "whose", "how", "who"):
        return None
    tokens = sentence.tokens
    near = tokens[focus.index + 1 : focus.index + 6]
    behind = next((t for t in near if t.pos not in ("ADJ", "ADV", "NUM", "DET", "PART", "X")), None)
    is_who = focus.text.casefold() == "who"
    if focus.relation == "det" or (behind is not None and behind.pos == "NOUN" and not is_who):
        of = tokens[focus.head] if focus.relation == "det" and focus.head > focus.index else None
        head = of if of is not None and of.pos in ("NOUN", "PROPN") else behind
        while head is not None and head.pos == "NOUN" and _continues(sentence, head):
            head = tokens[head.index + 1]
        return _telling(sentence, head)
    if focus.text.casefold() == "how" or behind is None or behind.lemma != "be":
        return None
    rest = tokens[behind.index + 1 :]
    rest = rest[_behind_owner(rest) :]
    subject = next(
        (t for t in rest if t.pos in ("NOUN", "PROPN") or (is_who and t.pos not in _BEFORE_NOUN)), None
    )
    while subject is not None and _continues(sentence, subject):
        subject = tokens[subject.index + 1]
    if is_who and subject is not None and subject.pos == "PROPN":
        return _office(sentence, subject)
    return _telling(sentence, subject) if subject is not None and subject.pos == "NOUN" else None


def _office(sentence: ParsedSentence, first: Token) -> Token | None:
    """The noun of an office in capitals: "who is the Safety Officer"; None where it is somebody's name."""
    head = sentence.tokens[first.head] if first.relation in ("compound", "amod") and first.head > 0 else first
    has_article = any(child.text.casefold() == "the" for child in sentence.children[head.index])
    return head if has_article and wordnet.is_person(head.lemma.casefold()) else None


def _behind_owner(tokens: Sequence[Token]) -> int:
    """Where what is asked for begins, behind whose it is: "the council's auditors". Relatives of somebody who is named
    are told by relations."""
    place = max((place for place, token in enumerate(tokens, 1) if token.text in _OWNING), default=0)
    is_named = place > 1 and tokens[place - 2].pos == "PROPN"
    is_relative = is_named and any(
        wordnet.is_kind_of(token.lemma.casefold(), "relative", "n") for token in tokens[place:]
    )
    return 0 if is_relative else place


_OWNING: Final = frozenset(("'s", "’s", "'", "’"))


def _continues(sentence: ParsedSentence, token: Token) -> bool:
    after = token.index + 1
    return after < len(sentence.tokens) and sentence.tokens[after].pos == "NOUN"


def _telling(sentence: ParsedSentence, noun: Token | None) -> Token | None:
    """Of "the name of the river" the river."""
    if noun is None or noun.lemma.casefold() not in _EMPTY_NOUNS:
        return noun
    below = [t for t in sentence.dependents(noun, "nmod") if t.pos in ("NOUN", "PROPN")]
    return below[0] if below and below[0].pos == "NOUN" else None


def _kind(
    sentence: ParsedSentence, focus: Token | None, noun: Token | None, question: QuestionReading, text: str
) -> tuple[str, frozenset[str], str]:
    asked = focus.text.casefold() if focus is not None else ""
    after = (
        sentence.tokens[focus.index + 1]
        if focus is not None and focus.index + 1 < len(sentence.tokens)
        else None
    )
    if asked == "how" and after is not None:
        if after.text.casefold() in ("many", "much"):
            is_much = after.text.casefold() == "much"
            if is_much and (asked_kind(text) == "money" or _is_of_money(sentence, noun)):
                return "Number", frozenset((MONEY,)), ""
            return "Number", frozenset(), noun.lemma.casefold() if noun is not None else ""
        if after.text.casefold() in _MEASURES:
            return "Number", _dimensions(sentence, after), ""
        return "", frozenset(), ""
    plain = {
        "who": "Person",
        "whom": "Person",
        "whose": "Person",
        "when": "Date",
        "where": "Place",
        "why": "Reason",
    }
    if asked in plain and noun is None:
        return plain[asked], frozenset(), ""
    measured = _MEASURED.get(asked_kind(text))
    if measured and asked in ("what", "which", "") and (noun is None or noun.lemma.casefold() in _ATTRIBUTES):
        return "Number", frozenset((measured,)), ""
    if noun is not None and _WHAT_IS.match(text) and _is_sum(noun.lemma.casefold()):
        return "Number", frozenset((MONEY,)), ""
    if noun is not None and noun.lemma.casefold() == "number" and _is_designation(sentence, noun):
        return "", frozenset(), ""
    if noun is not None:
        kind, lemma = kind_of_noun(noun.lemma.casefold()) or plain.get(asked, ""), noun.lemma.casefold()
        return kind, frozenset((_MEASURED_BY[lemma],) if lemma in _MEASURED_BY else ()), ""
    return question.expected_type or ("" if focus is not None else type_by_words(text)), frozenset(), ""


_SUMS: Final = ("payment", "cost", "income", "loss")
_WHAT_IS: Final = re.compile(r"what(?:['’]s| is| was| are| were) the\b", re.IGNORECASE)


def _is_of_money(sentence: ParsedSentence, noun: Token | None) -> bool:
    """Whether it is asked how much of a sum there is: "how much profit", "how much is the rent"."""
    said = [t for t in sentence.tokens if t.relation.startswith("nsubj") and t.pos == "NOUN"]
    be = any(t.lemma.casefold() == "be" for t in sentence.tokens)
    subjects = said if noun is None and be else []
    return any(_is_sum(token.lemma.casefold()) for token in ([noun] if noun is not None else subjects))


def _is_sum(noun: str) -> bool:
    """Whether a noun is of money that is paid: a rent, a fee, an allowance."""
    is_owned = wordnet.fields(noun, "n", 1) == ("noun.possession",)
    return is_owned and any(wordnet.is_kind_of(noun, wide, "n", 2) for wide in _SUMS)


def _is_designation(sentence: ParsedSentence, number: Token) -> bool:
    """Whether a number names a thing and counts nothing: "the order number of the cartridge"."""
    before = sentence.tokens[number.index - 1] if number.index else None
    return before is not None and before.pos in ("NOUN", "PROPN") and before.head == number.index


def _dimensions(sentence: ParsedSentence, measure: Token) -> frozenset[str]:
    """What the adjective behind "how" measures: of a rent or a fine the money."""
    of_what = [t for t in sentence.tokens if t.relation.startswith("nsubj") and t.pos in ("NOUN", "PROPN")]
    senses = _OF_SUMS.get(measure.text.casefold(), 0)
    if senses and any("noun.possession" in wordnet.fields(t.lemma.casefold(), "n", senses) for t in of_what):
        return (
            frozenset((MONEY,))
            if senses > 1
            else frozenset((MONEY, *_MEASURES[measure.text.casefold()].split()))
        )
    if measure.text.casefold() == "long" and any(_is_of_matter(t.lemma.casefold()) for t in of_what):
        return frozenset(("length",))
    return frozenset(_MEASURES[measure.text.casefold()].split())


def _is_of_matter(noun: str) -> bool:
    """Whether how long it is tells no time: of a bridge or a river, not of a film."""
    return not _MATTER.isdisjoint(wordnet.fields(noun, "n", 1))


def kind_of_noun(noun: str) -> str:
    """The kind of what a noun names; empty where it does not tell."""
    if noun in _WHEN_NOUNS:
        return "Date"
    if noun in _ATTRIBUTES:
        return "Number"
    if noun in OF_SAID:
        return ""
    if kind := type_of_noun(noun):
        return kind
    fields = wordnet.fields(noun, "n", 1)
    if fields == ("noun.time",) and wordnet.fields(noun, "n") != fields:
        return ""  # a stage is also where one sings
    return _FIELDS.get(fields[0], "") if fields else ""


def _words(
    sentence: ParsedSentence, focus: Token | None, noun: Token | None, weights: Mapping[str, float]
) -> Iterator[QuestionWord]:
    known = {stem: weight for word, weight in weights.items() for stem in stems(word)}
    usual = sorted(known.values())[len(known) // 2] if known else 1.0
    for token in sentence.tokens:
        word = token.text.casefold()
        if (
            word in FUNCTION_WORDS
            or word in _OPEN
            or not re.search(r"\w", word)
            or word in _OWNING
            or _is_measure(sentence, token)
        ):
            continue
        weight = max((known[stem] for stem in stems(word) if stem in known), default=usual)
        away = distance(sentence, token.index, (noun or focus).index) if focus is not None else 4
        yield QuestionWord(word, token.lemma.casefold(), part_of(token), weight, 1 / (1 + 0.5 * away))


def _is_measure(sentence: ParsedSentence, token: Token) -> bool:
    """Whether a word only says what is measured: "how heavy" is told by a mass, in whatever words."""
    before = sentence.tokens[token.index - 1].text.casefold() if token.index else ""
    return before == "how" and token.text.casefold() in _MEASURES


def distance(sentence: ParsedSentence, one: int, other: int) -> int:
    """Steps between two words of a tree; 20 where they are of two trees."""
    first, second = list(sentence.chain(one)), list(sentence.chain(other))
    shared = next((token for token in first if token in second), None)
    return 20 if shared is None else first.index(shared) + second.index(shared)
