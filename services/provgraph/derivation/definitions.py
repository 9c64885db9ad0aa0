"""What something is: what a sentence says behind "is" of a subject that has the question's words and hardly more, or in
an apposition to its name; and what a code or a word in quotation marks means.
"""

from __future__ import annotations

import re
from typing import Final

from provgraph.derivation.asking import asking
from provgraph.derivation.evidence import Finder, ReadPassage, support_at
from provgraph.derivation.result import Derived, Step
from provgraph.derivation.telling_sentences import most_telling
from provgraph.reading.propositions import Span
from provgraph.reading.questions import QuestionReading
from provgraph.reading.syntax import ParsedSentence, Parser, Token

MOST_LOOKED_AT: Final = 6
_CONFIDENCE: Final = 0.8
_MOST_BESIDE: Final = 1
"""Words of a subject that the question has not."""
_LONGEST: Final = 25
_TELLING: Final = frozenset("NOUN PROPN VERB ADJ NUM".split())
_LEFT_OUT: Final = frozenset("acl:relcl appos parataxis advcl nsubj cop aux punct cc mark advmod".split())
_DEFINING: Final = frozenset("a an the".split())


_MEANING_ASKED: Final = re.compile(
    r"what (?:does|do|is meant by|is the meaning of)\b(?P<words>.{1,160})", re.IGNORECASE
)
_TERM: Final = re.compile(r"\b(?P<code>[A-Z]{1,4}[-.]?\d{1,4})\b|[\"“‘](?P<quoted>[^\"“”‘’]{1,60})[\"”’]")
_MEANING: Final = (
    r"\b{}\b[\"”’]?(?: [\w ]{{1,30}}?)? (?:means|stands for|indicates|signals) (?:that )?(?P<meaning>[^.;\n]{{3,160}}?)"
    r"(?=[.;\n]|,? (?:and|so|in which) )",
    r"(?:^|\n|[.;] ){}(?::| [–—=]) (?P<meaning>[^.;\n]{{3,160}})",
)


async def meaning_told(text: str, finder: Finder) -> Derived | None:
    """What a code ("E4") or quoted word means, where the passages found say it in one way; else None."""
    asked = _MEANING_ASKED.match(text)
    term = _TERM.search(asked["words"]) if asked is not None and "mean" in text.casefold() else None
    if term is None:
        return None
    patterns = [re.compile(form.format(re.escape(term["code"] or term["quoted"]))) for form in _MEANING]
    told: dict[str, Derived] = {}
    for passage in await finder.passages(text):
        for match in (m for pattern in patterns for m in pattern.finditer(passage.text)):
            span = Span(match.start("meaning"), match.end("meaning"), match["meaning"])
            step = Step(
                "look up", span.text, f"It is said to mean this: {span.text}.", (support_at(passage, span),)
            )
            told[span.text] = Derived(span.text, "span", (step,), _CONFIDENCE)
    return next(iter(told.values())) if len(told) == 1 else None


async def defined(question: QuestionReading, text: str, parser: Parser, finder: Finder) -> Derived | None:
    """None where no likely sentence says what it is."""
    found = await finder.found(text)
    asked = asking(question, text, parser, found.weights)
    wanted = {word.lemma for word in asked.words}
    for passage, sentence in most_telling(asked, found)[:MOST_LOOKED_AT] if wanted else ():
        span = _complement(passage, sentence, wanted) or _apposition(passage, sentence, wanted)
        if span is not None:
            support = support_at(passage, span)
            step = Step("look up", span.text, f"It is said to be this: {span.text}.", (support,))
            return Derived(span.text, "span", (step,), _CONFIDENCE)
    return None


def _complement(passage: ReadPassage, sentence: ParsedSentence, wanted: set[str]) -> Span | None:
    for root in sentence.roots:
        children = sentence.children[root.index]
        subject = next((c for c in children if c.relation == "nsubj"), None)
        verb = next((c for c in children if c.relation == "cop"), None)
        if subject is None or verb is None or not subject.index < verb.index < root.index:
            continue
        if any(child.text.casefold() in ("not", "no", "never", "n't") for child in children):
            continue
        if _is_meant(sentence, subject, wanted):
            return _words(passage, sentence, root, verb.index + 1)
    return None


def _apposition(passage: ReadPassage, sentence: ParsedSentence, wanted: set[str]) -> Span | None:
    """ "the Wren, a small scale": the phrase behind a name that is all that is asked about."""
    for token in sentence.tokens:
        name = sentence.tokens[token.head] if token.relation == "appos" and token.head >= 0 else None
        first = sentence.edges(token)[0]
        is_said = sentence.tokens[first].text.casefold() in _DEFINING and token.pos == "NOUN"
        if name is None or name.pos != "PROPN" or not is_said or token.index < name.index:
            continue
        of_name = {
            name.lemma.casefold(),
            *(c.lemma.casefold() for c in sentence.children[name.index] if c.pos == "PROPN"),
        }
        if of_name == wanted:
            return _words(passage, sentence, token, first)
    return None


def _is_meant(sentence: ParsedSentence, subject: Token, wanted: set[str]) -> bool:
    """Whether a subject has all words that are wanted, and hardly another: the half-life of radium is not what a
    half-life is."""
    of_another = (c for c in sentence.children[subject.index] if c.relation.startswith("nmod"))
    if any(wanted.isdisjoint(t.lemma.casefold() for t in sentence.subtree(c)) for c in of_another):
        return False
    opened = [t.index for t in sentence.tokens if t.text == "("]
    closed = [t.index for t in sentence.tokens if t.text == ")"]
    aside = {i for first, last in zip(opened, closed, strict=False) for i in range(first, last)}
    own = {t.lemma.casefold() for t in _kept(sentence, subject) if t.pos in _TELLING and t.index not in aside}
    return wanted <= own and len(own - wanted) <= _MOST_BESIDE


def _words(passage: ReadPassage, sentence: ParsedSentence, head: Token, first: int) -> Span | None:
    """The phrase of a head from its word `first` on, in a row, without clauses that only add."""
    kept = {t.index for t in _kept(sentence, head)} | {head.index}
    last = head.index
    while last + 1 in kept or (last + 2 in kept and sentence.tokens[last + 1].pos in ("PUNCT", "CCONJ")):
        if sentence.tokens[last + 1].text == ";":
            break
        last += 1
    if last - first > _LONGEST:
        return None
    start, end = sentence.tokens[first].start, sentence.tokens[last].end
    return Span(start, end, passage.text[start:end])


def _kept(sentence: ParsedSentence, head: Token) -> list[Token]:
    """What hangs on a head but for clauses that only add."""
    children = (c for c in sentence.children[head.index] if c.relation not in _LEFT_OUT)
    return [head, *(token for child in children for token in sentence.subtree(child))]
