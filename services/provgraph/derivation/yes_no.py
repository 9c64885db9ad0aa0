"""Questions for yes or no: the question is put as a statement, and evidence judged for and against it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from anyio import to_thread

from provgraph.derivation.evidence import Finder, ReadPassage, Support, support_at
from provgraph.derivation.names import holds, likeness
from provgraph.derivation.result import Derived, Step
from provgraph.derivation.times_asked import parts_of, times_told
from provgraph.reading.gapped_clauses import gapped_clause
from provgraph.reading.propositions import Span
from provgraph.reading.question_trees import as_statement
from provgraph.reading.questions import QuestionReading
from provgraph.reading.syntax import ParsedSentence, Parser, Token
from provgraph.verdicts.judgement import EvidenceText, Judgement, Place
from provgraph.verdicts.judging import judge

MOST_PASSAGES: Final = 4
MOST_SENTENCES: Final = 12
LEAST: Final = 0.6
"""How sure a verdict must be."""
LEAST_OF_DENIALS: Final = 0.4
"""How sure it must be where a sentence that has all of the claim denies something."""
_DENYING: Final = frozenset("not n't no never nobody none neither nor nothing without".split())
_TELLING: Final = frozenset("NOUN PROPN VERB ADJ NUM".split())
HELPING_VERBS: Final = frozenset(
    "am is are was were do does did has have had can could will would may might should must".split()
)


async def decided(question: QuestionReading, parser: Parser, finder: Finder) -> Derived | None:
    """Yes or no where evidence decides it; None where it does not, or the question cannot be put as a statement."""
    claim = statement_of(question.text, parser)
    names = [name.label for name in question.names if name.value is None]
    found = await judged(claim, names, question.text, parser, finder) if claim else None
    found = found or await _by_opposite(question.text, finder)
    found = found or await _by_nobody(claim, names, question.text, parser, finder)
    return found or await _forbidden(claim, names, question.text, parser, finder)


_OPPOSITES: Final = {
    "profit": "loss", "surplus": "deficit", "rise": "fall", "increase": "decrease", "gain": "loss", "victory": "defeat",
}  # fmt: skip
_SIDES: Final = (
    _OPPOSITES | {other: one for one, other in _OPPOSITES.items() if other != "loss"} | {"loss": "profit"}
)
_ASKED_OF: Final = re.compile(rf"\b(?:an?|any) (?:\w+ )?(?P<noun>{'|'.join(_SIDES)})\b", re.IGNORECASE)


async def _by_opposite(question: str, finder: Finder) -> Derived | None:
    """Yes or no, to whether there was a profit at a time: no, where a sentence tells of a loss then."""
    match, times = _ASKED_OF.search(question), times_told(question)
    if match is None or not times:
        return None
    noun = match["noun"].casefold()
    told = [
        (said, support_at(passage, sentence))
        for passage in await finder.passages(question)
        for sentence in passage.reading.sentences
        for part in parts_of(sentence.text)
        if times <= times_told(part) and _AMOUNT.search(part)
        for said in {noun, _SIDES[noun]} & set(re.findall(r"[a-z]+", part.casefold()))
    ]
    if len({said for said, _ in told}) != 1:
        return None
    said, support = told[0]
    text = "yes" if said == noun else "no"
    step = Step("judge", text, f"It tells of a {said}: {support.sentence.text}", (support,))
    return Derived(text, "yes-no", (step,), _OF_OPPOSITES)


_AMOUNT: Final = re.compile(r"\d")
_OF_OPPOSITES: Final = 0.85
_ANY: Final = re.compile(r"\b(any|some)(?=(?:one|body|thing)?\b)", re.IGNORECASE)
_NONE: Final = {
    "no one": "someone", "nobody": "somebody", "nothing": "something", "none": "some", "no": "some",
}  # fmt: skip
_NO: Final = re.compile(r"\b(?:no one|nobody|nothing|none|no)\b", re.IGNORECASE)


async def _by_nobody(
    claim: str, names: Sequence[str], question: str, parser: Parser, finder: Finder
) -> Derived | None:
    """Yes or no, to whether anybody did something: no, where a sentence says that of nobody."""
    if not _ANY.search(claim):
        return None
    some = _ANY.sub(lambda match: "Some" if match[1][:1].isupper() else "some", claim)
    passages = await _about(names, question, finder)
    denied = await to_thread.run_sync(_said_of_nobody, some, question, passages, parser)
    return denied or (await judged(some, names, question, parser, finder) if some != claim else None)


def _said_of_nobody(
    claim: str, question: str, passages: Sequence[ReadPassage], parser: Parser
) -> Derived | None:
    for passage in passages:
        for start, end in _evidence(passage, question).sentences or ():
            said = passage.text[start:end]
            put = _NO.sub(lambda match: _NONE[match[0].casefold()], said, count=1)
            if put == said:
                continue
            verdict = judge(claim, [EvidenceText(passage.key, put, passage.title)], parser)
            if verdict.label == "SUPPORTS" and verdict.confidence >= LEAST:
                span = passage.sentence_at(start)
                step = Step("judge", "no", f"A sentence denies it: {claim}", (Support(passage, span, span),))
                return Derived("no", "yes-no", (step,), verdict.confidence)
    return None


_OF_ONES_OWN: Final = re.compile(r"\bif (?:I|we|my|our)\b")
"""A condition on who asks: no sentence of a document says it or denies it, and rules are read for it."""
_PERMITTING: Final = frozenset("may can could should".split())
_FORBIDDING: Final = re.compile(
    r"\b(?P<duty>must|should|shall|may|can)(?:not| not|n[’']t| never)\b", re.IGNORECASE
)


async def _forbidden(
    claim: str, names: Sequence[str], question: str, parser: Parser, finder: Finder
) -> Derived | None:
    """No, to whether something may be done of which a rule says that it must not."""
    helper = question.split(maxsplit=1)[0].casefold() if claim else ""
    if helper not in _PERMITTING:
        return None
    for duty in ("must", "should", "may"):
        put = claim.replace(f" {helper} ", f" {duty} ", 1)
        found = await judged(put, names, question, parser, finder) if duty != helper else None
        if (
            found is not None
            and found.text == "no"
            and any(
                _FORBIDDING.search(support.sentence.text) for step in found.steps for support in step.supports
            )
        ):
            return found
    return None


async def judged(
    claim: str, names: Sequence[str], question: str, parser: Parser, finder: Finder
) -> Derived | None:
    """Whether a claim about what is named is so, by the passages that speak of it; None where they do not decide it."""
    passages = await _about(names, question, finder)
    if not passages or _OF_ONES_OWN.search(claim):
        return None
    evidence = [_evidence(passage, question) for passage in passages]
    verdict = await to_thread.run_sync(_needed, claim, evidence, parser)
    steps = tuple(_steps(verdict, claim, passages))
    if steps and (verdict.confidence >= LEAST or _is_plain_denial(verdict, claim, parser)):
        return Derived(_yes_or_no(verdict), "yes-no", steps, verdict.confidence)
    return await to_thread.run_sync(_by_full_clause, claim, question, passages, parser)


def _needed(claim: str, evidence: Sequence[EvidenceText], parser: Parser) -> Judgement:
    """The verdict on a claim, by one of its deciding sentences alone where that says as much as all of them."""
    verdict = judge(claim, evidence, parser)
    for place in verdict.deciding if len(verdict.deciding) > 1 else ():
        text = next(each for each in evidence if each.id == place.source)
        alone = judge(claim, [replace(text, sentences=[(place.start, place.end)])], parser)
        if (
            alone.label == verdict.label
            and alone.confidence >= verdict.confidence
            and len(alone.deciding) == 1
        ):
            return replace(verdict, deciding=alone.deciding)
    return verdict


def _yes_or_no(verdict: Judgement) -> str:
    return "yes" if verdict.label == "SUPPORTS" else "no"


def _is_plain_denial(verdict: Judgement, claim: str, parser: Parser) -> bool:
    """Whether the one sentence against a claim has all that it is about beside a word that denies."""
    if verdict.label != "REFUTES" or verdict.confidence < LEAST_OF_DENIALS or len(verdict.deciding) != 1:
        return False
    (place,) = verdict.deciding
    said, claimed = (
        {t.lemma.casefold() for p in parser.parse(each, [(0, len(each))]) for t in p.tokens if is_told(t)}
        for each, is_told in ((place.text, bool), (claim, _is_telling))
    )
    return not _DENYING.isdisjoint(said) and claimed <= said


def _is_telling(token: Token) -> bool:
    return token.pos in _TELLING and token.lemma.casefold() not in HELPING_VERBS


def _by_full_clause(
    claim: str, question: str, passages: Sequence[ReadPassage], parser: Parser
) -> Derived | None:
    """The same by single sentences, with the clause in full that has no verb of its own."""
    for passage in passages:
        for start, end in _evidence(passage, question).sentences or ():
            sentence = next(
                parsed_sentence
                for parsed_sentence in passage.parsed
                if (parsed_sentence.start, parsed_sentence.end) == (start, end)
            )
            clause = gapped_clause(passage.text, sentence)
            if not clause:
                continue
            verdict = judge(claim, [EvidenceText(passage.key, clause, passage.title)], parser)
            if verdict.label != "NOT ENOUGH INFO" and verdict.confidence >= LEAST:
                span = passage.sentence_at(start)
                text, said = _yes_or_no(verdict), f"A clause of it says in full: {clause}"
                step = Step("judge", text, said, (Support(passage, span, span),))
                return Derived(text, "yes-no", (step,), verdict.confidence)
    return None


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
    passages = list(await finder.passages(question))
    for name in names[:2]:
        passages += (
            read_passage for read_passage in (await finder.passages(name))[:2] if read_passage not in passages
        )

    def named(passage: ReadPassage) -> int:
        return sum(holds(passage.text, name) or likeness(passage.title, name) > 0.8 for name in names)

    ranked = sorted(
        (read_passage for read_passage in passages if named(read_passage) or not names),
        key=lambda read_passage: -named(read_passage),
    )
    return ranked[:MOST_PASSAGES]


def _evidence(passage: ReadPassage, question: str) -> EvidenceText:
    """The sentences with most words of the question, in their order."""
    words = {word.casefold() for word in question.rstrip("?").split() if len(word) > 3}

    def met(sentence: ParsedSentence) -> int:
        return sum(t.text.casefold() in words for t in sentence.tokens)

    best = sorted(passage.parsed, key=lambda parsed_sentence: -met(parsed_sentence))[:MOST_SENTENCES]
    spans = sorted((parsed_sentence.start, parsed_sentence.end) for parsed_sentence in best)
    return EvidenceText(passage.key, passage.text, passage.title, spans)


def _steps(verdict: Judgement, claim: str, passages: Sequence[ReadPassage]) -> list[Step]:
    supports = [support for place in verdict.deciding if (support := _support(place, passages)) is not None]
    text = "yes" if verdict.label == "SUPPORTS" else "no"
    said = "say" if text == "yes" else "speak against"
    return [Step("judge", text, f"Sentences {said} it: {claim}", tuple(supports))] if supports else []


def _support(place: Place, passages: Sequence[ReadPassage]) -> Support | None:
    passage = next((read_passage for read_passage in passages if read_passage.key == place.source), None)
    if passage is None:
        return None
    return support_at(passage, Span(place.start, place.end, place.text))
