"""A derivation's result → an answer: the sentences that prove it, quoted in the order of its steps, under the short
answer; or what is known and what no document says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.catalogue.sources import Words
from provgraph.derivation.evidence import Support
from provgraph.derivation.result import Derived, Incomplete, Step
from provgraph.flows.graph_rag.selection import Choice
from provgraph.flows.runner.answers import AnswerSentence, DraftAnswer
from provgraph.flows.runner.derivation import AnswerKind, Derivation, Input, SentenceInput, StepInput
from provgraph.flows.runner.reading_passages import PassageFinder
from provgraph.provenance.document_trace import SelectedChunk
from provgraph.provenance.trace import Origin, Outcome

SELECTOR: Final = "derivation"
NOT_NEEDED: Final = "The answer was derived from other sentences."


@dataclass(frozen=True)
class Quoted:
    """A sentence that proves a step: its words, as places of its page, and the index of its chunk."""

    words: Words
    chunk: int

    @property
    def text(self) -> str:
        return " ".join(self.words.text.split())


class Proof:
    """The chunks and sentences that a derivation stands on, each once, in the order of the steps."""

    def __init__(self, steps: Sequence[Step], finder: PassageFinder) -> None:
        self.chunks: list[SelectedChunk] = []
        self.sentences: list[Quoted] = []
        self._finder = finder
        self._steps = steps
        self._of: dict[tuple[str, int], int] = {}
        self._chunk_of: dict[str, int] = {}
        for step in steps:
            for support in step.supports:
                self._add(step, support)

    def selects(self, choice: Choice) -> bool:
        """Whether one of the sentences says a fact."""
        return any(
            source.page == quoted.words.page
            and source.start < quoted.words.end
            and quoted.words.start < source.end
            for source in choice.sources
            for quoted in self.sentences
        )

    def of(self, step: Step) -> list[int]:
        """The indexes of a step's sentences."""
        return list(dict.fromkeys(self._of[_key(each)] for each in step.supports))

    def deciding(self) -> Sequence[Quoted]:
        """The sentences of the last step, or of those whose values it used."""
        last = self._steps[-1]
        own = self.of(last) or [index for used in last.uses for index in self.of(self._steps[used])]
        return [self.sentences[index] for index in dict.fromkeys(own)]

    def _add(self, step: Step, support: Support) -> None:
        passage = self._finder.passages_by_key[support.passage.key]
        if support.passage.key not in self._chunk_of:
            self._chunk_of[support.passage.key] = len(self.chunks)
            self.chunks.append(self._selected(step, support.passage.key))
        if _key(support) not in self._of:
            self._of[_key(support)] = len(self.sentences)
            words = passage.words(support.sentence.start, support.sentence.end)
            self.sentences.append(Quoted(words, self._chunk_of[support.passage.key]))

    def _selected(self, step: Step, key: str) -> SelectedChunk:
        hit = self._finder.passages_by_key[key].hit
        led = f"Found for “{self._finder.led_by[key]}”"
        reasoning = f"{led}; a sentence of it proves a step of the derivation: {step.explanation}"
        return SelectedChunk(hit.chunk, hit.score, (), reasoning, SELECTOR)


def derived_draft(derived: Derived, proof: Proof) -> DraftAnswer:
    """The short answer as the first words, then the sentences that prove it."""
    short = derived.text[:1].upper() + derived.text[1:] if derived.kind == "yes-no" else derived.text
    quoted = [] if proof.sentences[0].text.startswith(short) else [_first(short, proof)]
    return _draft([*quoted, *(_quotation(each) for each in proof.sentences)], derived, proof, len(quoted))


def incomplete_draft(incomplete: Incomplete, proof: Proof) -> DraftAnswer:
    """What is known, quoted, and in a sentence what no document says: a refusal."""
    pieces = [_quotation(each) for each in proof.sentences]
    text, sentences = _laid_out(pieces)
    return DraftAnswer(" ".join(filter(None, (text, incomplete.missing))), sentences, outcome=Outcome.REFUSED)


_Piece = tuple[str, AnswerSentence]


def _first(short: str, proof: Proof) -> _Piece:
    deciding = proof.deciding()
    chunks = tuple(dict.fromkeys(each.chunk for each in deciding))
    words = tuple(each.words for each in deciding)
    ended = short if short.endswith((".", "!", "?")) else f"{short}."
    return ended, AnswerSentence(0, 0, words, chunks=chunks, origin=Origin.DERIVED)


def _quotation(quoted: Quoted) -> _Piece:
    return quoted.text, AnswerSentence(0, 0, (quoted.words,), chunks=(quoted.chunk,))


def _laid_out(pieces: Sequence[_Piece]) -> tuple[str, tuple[AnswerSentence, ...]]:
    """The pieces one after another, a space between them."""
    sentences: list[AnswerSentence] = []
    start = 0
    for text, sentence in pieces:
        placed = AnswerSentence(
            start, start + len(text), sentence.words, chunks=sentence.chunks, origin=sentence.origin
        )
        sentences.append(placed)
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
