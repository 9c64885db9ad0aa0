"""Questions for yes or no: the question is put as a statement, and evidence judged for and against it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from anyio import to_thread

from provgraph.derivation.evidence import Finder, ReadPassage, Support
from provgraph.derivation.names import holds, likeness
from provgraph.derivation.result import Derived, Step
from provgraph.reading.propositions import Span
from provgraph.reading.question_trees import as_statement
from provgraph.reading.questions import QuestionReading
from provgraph.reading.syntax import ParsedSentence, Parser
from provgraph.verdicts.judgement import EvidenceText, Judgement, Place
from provgraph.verdicts.judging import judge

MOST_PASSAGES: Final = 4
MOST_SENTENCES: Final = 12
LEAST: Final = 0.6
"""How sure a verdict must be."""
HELPING_VERBS: Final = frozenset(
    "is are was were do does did has have had can could will would may might should must".split()
)


async def decided(question: QuestionReading, parser: Parser, finder: Finder) -> Derived | None:
    """Yes or no where evidence decides it; None where it does not, or the question cannot be put as a statement."""
    claim = statement_of(question.text, parser)
    names = [each.label for each in question.names if each.value is None]
    return await judged(claim, names, question.text, parser, finder) if claim else None


async def judged(
    claim: str, names: Sequence[str], question: str, parser: Parser, finder: Finder
) -> Derived | None:
    """Whether a claim about what is named is so, by the passages that speak of it; None where they do not decide it."""
    passages = await _about(names, question, finder)
    if not passages:
        return None
    evidence = [_evidence(each, question) for each in passages]
    verdict = await to_thread.run_sync(judge, claim, evidence, parser)
    steps = tuple(_steps(verdict, claim, passages))
    if verdict.label == "NOT ENOUGH INFO" or verdict.confidence < LEAST or not steps:
        return None
    return Derived("yes" if verdict.label == "SUPPORTS" else "no", "yes-no", steps, verdict.confidence)


def statement_of(text: str, parser: Parser) -> str:
    """ "Did Ada Novak live in Graz?" → "Ada Novak did live in Graz."; empty where no subject is found."""
    bare = text.strip().rstrip("?").rstrip()
    parsed = parser.parse(bare, [(0, len(bare))])
    if not parsed or not parsed[0].tokens or parsed[0].tokens[0].text.casefold() not in HELPING_VERBS:
        return ""
    end = _subject_end(as_statement(parsed[0]))
    if not end:
        return ""
    helper = parsed[0].tokens[0].text.casefold()
    subject, rest = bare[parsed[0].tokens[1].start : end], bare[end:].strip()
    return f"{subject[:1].upper()}{subject[1:]} {helper} {rest}." if rest else ""


def _subject_end(sentence: ParsedSentence) -> int:
    """Where the subject after the helping verb ends, 0 where there is none."""
    for token in sentence.tokens[1:]:
        if not token.relation.startswith("nsubj"):
            continue
        below = [each.index for each in sentence.subtree(token)]
        last = token.index
        while last + 1 in below:
            last += 1
        first = min(below)
        return sentence.tokens[last].end if first <= 2 else 0
    return 0


async def _about(names: Sequence[str], question: str, finder: Finder) -> list[ReadPassage]:
    """The passages that speak of something that is named."""
    found = list(await finder.passages(question))
    for name in names[:2]:
        found += (each for each in (await finder.passages(name))[:2] if each not in found)

    def named(passage: ReadPassage) -> int:
        return sum(holds(passage.text, name) or likeness(passage.title, name) > 0.8 for name in names)

    ranked = sorted((each for each in found if named(each) or not names), key=lambda each: -named(each))
    return ranked[:MOST_PASSAGES]


def _evidence(passage: ReadPassage, question: str) -> EvidenceText:
    """The sentences with most words of the question, in their order."""
    words = {word.casefold() for word in question.rstrip("?").split() if len(word) > 3}

    def met(sentence: ParsedSentence) -> int:
        return sum(t.text.casefold() in words for t in sentence.tokens)

    best = sorted(passage.parsed, key=lambda each: -met(each))[:MOST_SENTENCES]
    spans = sorted((each.start, each.end) for each in best)
    return EvidenceText(passage.key, passage.text, passage.title, spans)


def _steps(verdict: Judgement, claim: str, passages: Sequence[ReadPassage]) -> list[Step]:
    supports = [support for place in verdict.deciding if (support := _support(place, passages)) is not None]
    text = "yes" if verdict.label == "SUPPORTS" else "no"
    said = "say" if text == "yes" else "speak against"
    return [Step("judge", text, f"Sentences {said} it: {claim}", tuple(supports))] if supports else []


def _support(place: Place, passages: Sequence[ReadPassage]) -> Support | None:
    passage = next((each for each in passages if each.key == place.source), None)
    if passage is None:
        return None
    return Support(passage, passage.sentence_at(place.start), Span(place.start, place.end, place.text))
