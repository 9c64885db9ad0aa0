"""A short answer in other words than the question's: the sentence that is nearest by sense, by words of one meaning, by
what is read in it and by what else its document says, and in it what is of the kind asked for.

Roles and relations say nothing here, so this is tried last. The chance of a sentence is among all that were found.
Where a question is put to no one document, other documents speak of like things: more is asked of the sentence then.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.comprehension.answer_spans import AnswerSpan, answer_chances, answer_spans
from provgraph.derivation.affinity import likest_sense
from provgraph.derivation.evidence import Found, ReadPassage, support_at
from provgraph.derivation.result import AnswerKind, Derived, Step
from provgraph.derivation.yes_no import HELPING_VERBS
from provgraph.language.asked_kinds import Kind, asked_kind, expressions, has_kind
from provgraph.language.languages import ENGLISH, language_of
from provgraph.language.polarity import asked_polarity, denies
from provgraph.language.terms import FUNCTION_WORDS, words
from provgraph.reading.entity_types import type_of_noun
from provgraph.reading.propositions import Span

MOST_NEAR: Final = 24
"""Of so many sentences, those most like the question, it is asked what is read in them."""
LIKENESS, READING, HAS_KIND, LACKS_KIND, WORDS, DOCUMENT = 16.1, 0.74, 1.04, -0.94, 1.17, 0.29
"""What likeness, the logarithm of the chance that an answer is read, the kind asked for, words of one meaning and the
document's other sentences count. Fitted to put the right sentence first (ListNet: Cao et al. 2007) for 100 questions
in other words to ten documents among 500 other passages: of documents that were left out first for 40, without the
last two for 36, by likeness alone for 27; where the document is named for 60 and 42."""
LEAST: Final = 0.6
"""How likely a sentence has to be among those of the document: of 35 such in which something of the kind was read, 32
gave the right answer."""
LEAST_OF_MANY: Final = 0.75
"""The same where no document is named."""
LEAST_LIKE: Final = 0.08
"""How like the question it has to be, too: in a short document one is soon likelier than all others."""
WEAK: Final = 0.6
"""An answer by words and roles that is less likely yields to one that is said in other words."""
LEAST_READ, SURELY_READ = 0.1, 0.5
"""How likely an answer has to be read in it; more where only a noun tells the kind, as names are of many things."""
CLEARLY_LIKE: Final = 0.25
"""A sentence as like the question as this answers also where no kind is asked for, and where little is read in it but
it has the sum, share, date or time that is asked for."""
LEAST_LIKE_OF_ALL: Final = 0.2
LEAST_SUPPORT: Final = 1.5
"""How like the question the sentence has to be, and how much its document has to say beside it, where others may
answer: of a question that no document answers some sentence of the many is soon likelier than the rest."""
_LEAST_CHANCE: Final = 1e-3
_MOST_ADDED: Final = 3
"""Words that may be read around what is of the kind: "fourteen characters", "EUR 16 per hour"."""
_SPANS: Final = 6
_NUMBERING: Final = re.compile(r"\s*(?:[-*•]|\(?\d+(?:\.\d+)*[.)]?|\([a-z]\))\s+(?=[A-Z“\"])")
_MEASURED: Final = ("date", "duration", "money", "share")
_MOST_OPEN: Final = 5
_WHY: Final = re.compile(r"\W*(?:why|for what reason)\b", re.IGNORECASE)
_REASON_BEFORE: Final = re.compile(r"\b(?:because(?: of)?|due to|owing to|on account of|thanks to) \Z")
_NAMED: Final = re.compile(r"(?<!^)(?<![.!?] )\b(?:[A-Z]\w+|\d[\d,.]*)|^\W*[A-Z]\w+(?=['’]s\b| [A-Z])")
_COUNTED: Final = re.compile(r"\bhow many (?:\w+ly )?(\w{3,})", re.IGNORECASE)
_COUNTS: Final = 0.5
"""How nearly what is counted and a word of the sentence have to say the same (`affinity.likest_sense`)."""
_TWO_CLAUSES: Final = re.compile(r"[,;:]| (?:and|but|or) ")
_WHICH: Final = re.compile(r"\W*(?:which|what)((?: [a-z]+){1,2})", re.IGNORECASE)
_OF_MONEY: Final = re.compile(
    r"\W*(?:what|which)\b.*\b(?:worth|reward|fine|sales|revenue|price)\b", re.IGNORECASE
)
_SEVERAL: Final = re.compile(
    r"\W*(?:\w+ )?(?:which|what) (?:are the names|people|countries|cities|(?!(?:is|was|has|does)\b)\w+[^\Ws]s)\b",
    re.IGNORECASE,
)
_NAMES: Final = ("person", "place")
_ANSWER_KINDS: Final[dict[Kind, AnswerKind]] = {"person": "entity", "place": "entity", "date": "date"}


@dataclass(frozen=True)
class NearSentence:
    """A sentence of a passage without its number, how like the question it is (-1…1), how likely an answer is read in
    it, how likely it is the one that answers (0…1), and what else its document says, as the logarithm of a sum."""

    passage: ReadPassage
    span: Span
    likeness: float
    read: float = 0.0
    chance: float = 0.0
    support: float = 0.0


def said_in_other_words(question: str, found: Found, in_one: bool = True) -> Derived | None:
    """None where no sentence is likely enough, or it has nothing of the kind asked for that is read as the answer;
    `in_one` tells whether the question is put to one document, else that has to be told by what it says."""
    if not in_one and _NAMED.search(question):
        return None  # what is said of a name is found by that
    best = nearest(question, found)
    if best is None or best.chance < (LEAST if in_one else LEAST_OF_MANY) or best.likeness < LEAST_LIKE:
        return None
    if language_of(best.span.text) != ENGLISH or not (in_one or _is_of_its_document(question, best)):
        return None
    if is_yes_no(question):
        return _derived(best, best.span, "no", "yes-no") if _is_denied(question, best) else None
    if _SEVERAL.match(question):
        return None
    kind = kind_asked(question)
    span = _read(question, best, kind) if kind else _read_openly(question, best)
    if span is None:
        return None
    start = best.span.start + span.start
    own = Span(start, start + len(span.text), span.text)
    return _derived(best, own, own.text, _ANSWER_KINDS.get(kind, "number" if kind else "span"))


def _read(question: str, best: NearSentence, kind: Kind) -> AnswerSpan | None:
    least = LEAST_READ if asked_kind(question) else SURELY_READ
    if kind in _MEASURED and best.likeness >= CLEARLY_LIKE:
        least = 0.0
    return read_of_kind(question, best.span.text, kind) if best.read >= least else None


def _read_openly(question: str, best: NearSentence) -> AnswerSpan | None:
    """The few words that are read as the answer where the question tells no kind; of a reason what its words open."""
    if best.read < LEAST_READ or best.likeness < CLEARLY_LIKE:
        return None
    (spans,) = answer_spans(question, [best.span.text], 1)
    for span in spans:
        is_short = span.text.count(" ") < _MOST_OPEN and not _TWO_CLAUSES.search(span.text)
        is_reason = _REASON_BEFORE.search(best.span.text[: span.start]) is not None
        if is_short and is_reason == bool(_WHY.match(question)):
            return span
    return None


def _is_of_its_document(question: str, best: NearSentence) -> bool:
    """Whether a question that is put to many documents is one to the document of a sentence: it says more that is like
    the question, and the sentence what is counted."""
    if best.likeness < LEAST_LIKE_OF_ALL or best.support < LEAST_SUPPORT:
        return False
    counted = _COUNTED.search(question)
    return counted is None or any(
        likest_sense(counted[1], word) >= _COUNTS for word in _content_words(best.span.text)
    )


_OPENING: Final = frozenset("in at on under during after before for according with within from".split())


def is_yes_no(question: str) -> bool:
    """Whether the last sentence of a question begins with a verb that asks, perhaps behind a circumstance ("In the
    trial, did …")."""
    last = re.split(r"[.!?]\s+", question.strip())[-1]
    circumstance, _, rest = last.rpartition(", ")
    opens = circumstance.partition(" ")[0].casefold() in _OPENING
    return (rest if opens else last).partition(" ")[0].casefold() in HELPING_VERBS


def kind_asked(question: str) -> Kind:
    """The kind that the wording tells, or the noun behind "which": a firm or an athlete has a name."""
    if kind := asked_kind(question):
        return kind
    which = _WHICH.match(question)
    nouns = which[1].split() if which else []
    types = [noun_type for noun in nouns if (noun_type := type_of_noun(noun))]
    if types:
        return "place" if types[-1] == "Place" else "person"
    return "money" if _OF_MONEY.match(question) else ""


def nearest(question: str, found: Found) -> NearSentence | None:
    """The likeliest of the sentences found, each counted once; None where none has a vector."""
    near = _near(found)
    if not near:
        return None
    reads = answer_chances(question, [each.span.text for each in near])
    kind = kind_asked(question)
    own = [_score(each, read, kind) for each, read in zip(near, reads, strict=True)]
    support = [_support(near, own, number) for number in range(len(near))]
    scores = [
        score + DOCUMENT * beside + WORDS * _shared_sense(each.span.text, found.weights)
        for each, score, beside in zip(near, own, support, strict=True)
    ]
    highest = max(scores)
    whole = sum(math.exp(score - highest) for score in scores)
    first = scores.index(highest)
    best = near[first]
    return NearSentence(best.passage, best.span, best.likeness, reads[first], 1 / whole, support[first])


def _score(sentence: NearSentence, read: float, kind: Kind) -> float:
    has = has_kind(sentence.span.text, kind)
    of_kind = 0.0 if has is None else HAS_KIND if has else LACKS_KIND
    return LIKENESS * sentence.likeness + READING * math.log(read + _LEAST_CHANCE) + of_kind


def _support(near: Sequence[NearSentence], scores: Sequence[float], number: int) -> float:
    """What the other sentences of a sentence's document say, the likest counting most."""
    document = near[number].passage.document
    others = (
        math.exp(score / 2)
        for at, (each, score) in enumerate(zip(near, scores, strict=True))
        if at != number and each.passage.document == document
    )
    return 2 * math.log(sum(others, math.exp(-2)))


def _shared_sense(sentence: str, weights: Mapping[str, float]) -> float:
    """The share of the question's weight that a sentence has in its words or in words of one meaning."""
    said = _content_words(sentence)
    whole = sum(weights.values())
    met = (
        weight * max((likest_sense(word, each) for each in said), default=0.0)
        for word, weight in weights.items()
    )
    return sum(met) / whole if whole else 0.0


def _content_words(text: str) -> list[str]:
    return [word for word in words(text) if len(word) > 2 and word.casefold() not in FUNCTION_WORDS]


def _near(found: Found) -> list[NearSentence]:
    """Those most like the question; of what overlapping passages have of one sentence, the longest."""
    every = sorted(_sentences(found), key=lambda each: -len(each.span.text))
    kept = list[NearSentence]()
    for each in every:
        if not any(other.span.text.endswith(each.span.text) for other in kept):
            kept.append(each)
    return sorted(kept, key=lambda each: -each.likeness)[:MOST_NEAR]


def _sentences(found: Found) -> Iterator[NearSentence]:
    for passage in found.passages:
        for sentence in passage.parsed:
            sense = found.senses.get((passage.key, sentence.start))
            text = passage.text[sentence.start : sentence.end]
            if sense is None or text.startswith("#"):
                continue
            number = _NUMBERING.match(text)
            start = sentence.start + (number.end() if number else 0)
            yield NearSentence(
                passage, Span(start, sentence.end, passage.text[start : sentence.end]), sense.likeness
            )


def read_of_kind(question: str, sentence: str, kind: Kind) -> AnswerSpan | None:
    """The likeliest span of a sentence that is of a kind; None where that has several of the kind, or none."""
    (spans,) = answer_spans(question, [sentence], _SPANS)
    of_kind = [(start, end) for each in _kinds(kind) for start, end in expressions(sentence, each)]
    for span in spans:
        inside = [each for each in of_kind if each[0] < span.end and span.start < each[1]]
        if inside:
            return _cut(span, sentence, inside, kind)
    return None


def _kinds(kind: Kind) -> Sequence[Kind]:
    return ("date", "duration") if kind == "date" else (kind,)


def _cut(
    span: AnswerSpan, sentence: str, of_kind: Sequence[tuple[int, int]], kind: Kind
) -> AnswerSpan | None:
    if kind in _NAMES:
        of_kind = [each for each in of_kind if " " in sentence[slice(*each)]] or of_kind
    if len(of_kind) > 1:
        return None
    ((start, end),) = of_kind
    if kind not in _NAMES and span.text.count(" ") <= sentence[start:end].count(" ") + _MOST_ADDED:
        return span
    return AnswerSpan(start, end, sentence[start:end], span.chance)


def _is_denied(question: str, sentence: NearSentence) -> bool:
    """Whether a sentence of one clause says that what is asked is not so."""
    clause = _TWO_CLAUSES.split(sentence.span.text)[0]
    if "whether" in words(clause):
        return False  # what is not decided or known is not denied
    return asked_polarity(question) != "denied" and denies(clause)


def _derived(sentence: NearSentence, words: Span, text: str, kind: AnswerKind) -> Derived:
    why = (
        f"Of the sentences that were found this is nearest to the question by sense (likeness "
        f"{sentence.likeness:.2f}) and by what is read in it: {sentence.chance:.0%} likely."
    )
    step = Step("choose", text, why, (support_at(sentence.passage, words),))
    return Derived(text, kind, (step,), sentence.chance)
