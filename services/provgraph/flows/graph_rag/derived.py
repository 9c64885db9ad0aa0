"""A derivation's result → an answer: the sentences that prove it, quoted in the order of its steps, under the short
answer; or what is known and what no document says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from provgraph.catalogue.sources import Source, Words
from provgraph.derivation.evidence import Support
from provgraph.derivation.result import Derived, Incomplete, Step
from provgraph.flows.graph_rag.selection import Choice
from provgraph.flows.runner.answers import AnswerSentence, DraftAnswer
from provgraph.flows.runner.derivation import AnswerKind, Derivation, Input, SentenceInput, StepInput
from provgraph.flows.runner.reading_passages import PassageFinder
from provgraph.provenance.document_trace import SelectedChunk
from provgraph.provenance.trace import Origin, SessionOutcome

SELECTOR: Final = "derivation"
NO_ANSWER: Final = "Its sentences do not say what is asked for."
NOT_NEEDED: Final = "The answer was derived from other sentences."


@dataclass(frozen=True)
class Quoted:
    """A sentence that proves a step: its words, and the indexes of the selected facts that say them, else of its
    chunk."""

    text: str
    words: tuple[Words, ...]
    edges: tuple[int, ...] = ()
    chunks: tuple[int, ...] = ()


class Proof:
    """The sentences that a derivation stands on, each once, in the order of the steps.

    `facts` are those of the selected facts that one of the sentences says, `left` the others; `chunks` are where the
    sentences stand that no selected fact says.
    """

    def __init__(self, steps: Sequence[Step], finder: PassageFinder, choices: Sequence[Choice]) -> None:
        self.steps = steps
        self.chunks: list[SelectedChunk] = []
        self.sentences: list[Quoted] = []
        self._finder = finder
        self._of: dict[tuple[str, int], int] = {}
        self._chunk_of: dict[str, int] = {}
        places = {_key(support): self._words(support) for step in steps for support in step.supports}
        self.facts = [choice for choice in choices if any(_says(choice, words) for words in places.values())]
        self.left = [choice for choice in choices if choice not in self.facts]
        for step in steps:
            for support in step.supports:
                if _key(support) not in self._of:
                    self._of[_key(support)] = len(self.sentences)
                    self.sentences.append(self._quoted(step, support, places[_key(support)]))

    def of(self, step: Step) -> list[int]:
        """The indexes of a step's sentences."""
        return list(dict.fromkeys(self._of[_key(support)] for support in step.supports))

    def deciding(self) -> Sequence[Quoted]:
        """The sentences of the last step, or of those whose values it used."""
        last = self.steps[-1]
        own = self.of(last) or [index for used in last.uses for index in self.of(self.steps[used])]
        return [self.sentences[index] for index in dict.fromkeys(own)] or self.sentences[-1:]

    def _words(self, support: Support) -> Words:
        passage = self._finder.passages_by_key[support.passage.key]
        return passage.words(support.sentence.start, support.sentence.end)

    def _quoted(self, step: Step, support: Support, words: Words) -> Quoted:
        text = " ".join(words.text.split())
        saying = [(index, source) for index, fact in enumerate(self.facts) for source in _saying(fact, words)]
        if saying:
            places = {(source.page, source.start): source for _, source in saying}
            return Quoted(text, tuple(places.values()), tuple(dict.fromkeys(index for index, _ in saying)))
        return Quoted(text, (words,), chunks=(self._chunk(step, support.passage.key),))

    def _chunk(self, step: Step, key: str) -> int:
        if key not in self._chunk_of:
            self._chunk_of[key] = len(self.chunks)
            hit = self._finder.passages_by_key[key].hit
            led = f"Found for “{self._finder.led_by[key]}”"
            reasoning = f"{led}; a sentence of it proves a step of the derivation: {step.explanation}"
            self.chunks.append(SelectedChunk(hit.chunk, hit.score, (), reasoning, SELECTOR))
        return self._chunk_of[key]


def _saying(fact: Choice, words: Words) -> list[Source]:
    """The sources of a fact that are just these words."""
    return [
        source
        for source in fact.sources
        if source.page == words.page and source.text.split() == words.text.split()
    ]


def _says(fact: Choice, words: Words) -> bool:
    return bool(_saying(fact, words))


def derived_draft(derived: Derived, proof: Proof) -> DraftAnswer:
    """The short answer as the first words, then the sentences that prove it."""
    short = derived.text[:1].upper() + derived.text[1:] if derived.kind == "yes-no" else derived.text
    is_said = proof.sentences[0].text.startswith(short) and not derived.completeness
    quoted = [] if is_said else [_first(short, proof, derived.completeness)]
    return _draft(
        [*quoted, *(_quotation(sentence) for sentence in proof.sentences)], derived, proof, len(quoted)
    )


def probable_draft(proof: Proof) -> DraftAnswer:
    """The sentences that probably hold the answer, and no short one."""
    text, sentences = _laid_out([_quotation(sentence) for sentence in proof.sentences])
    return DraftAnswer(text, sentences)


def incomplete_draft(incomplete: Incomplete, proof: Proof) -> DraftAnswer:
    """What is known, quoted, and in a sentence what no document says: a refusal."""
    pieces = [_quotation(sentence) for sentence in proof.sentences]
    text, sentences = _laid_out(pieces)
    return DraftAnswer(
        " ".join(filter(None, (text, incomplete.missing))), sentences, outcome=SessionOutcome.REFUSED
    )


_Piece = tuple[str, AnswerSentence]


def _first(short: str, proof: Proof, completeness: str = "") -> _Piece:
    deciding = proof.deciding()
    chunks = tuple(dict.fromkeys(index for each in deciding for index in each.chunks))
    edges = tuple(dict.fromkeys(index for each in deciding for index in each.edges))
    words = tuple(place for each in deciding for place in each.words)
    ended = short if short.endswith((".", "!", "?")) else f"{short}."
    return " ".join(filter(None, (ended, completeness))), AnswerSentence(
        0, 0, words, edges, chunks, origin=Origin.DERIVED
    )


def _quotation(quoted: Quoted) -> _Piece:
    return quoted.text, AnswerSentence(0, 0, quoted.words, quoted.edges, quoted.chunks)


def _laid_out(pieces: Sequence[_Piece]) -> tuple[str, tuple[AnswerSentence, ...]]:
    """The pieces one after another, a space between them."""
    sentences: list[AnswerSentence] = []
    start = 0
    for text, sentence in pieces:
        sentences.append(replace(sentence, start=start, end=start + len(text)))
        start += len(text) + 1
    return " ".join(text for text, _ in pieces), tuple(sentences)


def _draft(pieces: Sequence[_Piece], derived: Derived, proof: Proof, before: int) -> DraftAnswer:
    text, sentences = _laid_out(pieces)
    derivation = Derivation()
    for step in derived.steps:
        quoted: list[Input] = [SentenceInput(before + index) for index in proof.of(step)]
        used: list[Input] = [StepInput(index) for index in step.uses]
        derivation.step(step.operation, [*used, *quoted], step.value, step.explanation, step.sparql or None)
    return DraftAnswer(text, sentences, derivation.short_answer(AnswerKind(derived.kind), derived.text))


def _key(support: Support) -> tuple[str, int]:
    return support.passage.key, support.sentence.start
