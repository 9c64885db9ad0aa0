"""An answer, whoever wrote it: its text, its sentences with what supports each, and what is proved in short."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from provgraph.catalogue.sources import Source, Words
from provgraph.errors import ProvGraphError
from provgraph.flows.runner.events import CitedSentence, ClaimVerdict
from provgraph.provenance.derivation import DerivedAnswer
from provgraph.provenance.document_trace import ChunkSupport, chunk_support_quads
from provgraph.provenance.trace import Origin, SentenceSupport, SessionOutcome, TraceScope, support_quads
from provgraph.rdf.iris import SessionNames
from provgraph.rdf.terms import Quad
from provgraph.wire.attribution import AttributedClaim
from provgraph.wire.highlights import Highlights

REFUSAL = "No answer found."


@dataclass(frozen=True)
class AnswerSentence:
    """A sentence of the answer, `text[start:end]`: indexes of the selected edges and chunks behind it, and the words
    cited.

    Without edges and chunks it is unsupported. `overlap` is the measured share (0…1) of its content that the cited
    words hold, None for one that repeats them.
    """

    start: int
    end: int
    words: tuple[Words, ...] = ()
    edges: tuple[int, ...] = ()
    chunks: tuple[int, ...] = ()
    overlap: float | None = None
    origin: Origin = Origin.QUOTED

    def cited(self, names: SessionNames) -> CitedSentence:
        """With the IRIs that edges and chunks have in the trace."""
        return CitedSentence(
            self.start,
            self.end,
            tuple(map(names.edge, self.edges)),
            self.words,
            tuple(map(names.chunk, self.chunks)),
            self.origin,
        )


@dataclass(frozen=True)
class DraftAnswer:
    """An answer that is complete and not yet recorded. Without sentences it is a refusal; with `failure` it broke off.

    `quads` are what a flow says of it besides; clients get them too, but not `rejected`: the candidates that were not
    selected. `outcome` is what its sentences make of it, unless a flow says otherwise.
    """

    text: str
    sentences: tuple[AnswerSentence, ...] = ()
    short_answer: DerivedAnswer | None = None
    failure: ProvGraphError | None = None
    quads: Sequence[Quad] = ()
    rejected: Iterable[Quad] = ()
    highlights: Highlights | None = None
    verdict: ClaimVerdict | None = None
    attribution: tuple[AttributedClaim, ...] = ()
    outcome: SessionOutcome | None = None

    @property
    def pieces(self) -> list[str]:
        """The text, cut behind each sentence."""
        ends = [*(sentence.end for sentence in self.sentences), len(self.text)]
        pieces = [self.text[start:end] for start, end in zip([0, *ends], ends, strict=False)]
        return [piece for piece in pieces if piece]

    def ending(self) -> SessionOutcome:
        """How the session ends with this answer."""
        if self.failure:
            return SessionOutcome.FAILED
        return self.outcome or (SessionOutcome.ANSWERED if self.sentences else SessionOutcome.REFUSED)


def refusal() -> DraftAnswer:
    """That there is no answer."""
    return DraftAnswer(REFUSAL)


def joined(texts: Sequence[str], sentence: Callable[[int, int, int], AnswerSentence]) -> DraftAnswer:
    """Texts one after another, a space between them; `sentence(index, start, end)` makes the sentence of each.

    A refusal where there is no text.
    """
    if not texts:
        return refusal()
    sentences: list[AnswerSentence] = []
    start = 0
    for index, text in enumerate(texts):
        sentences.append(sentence(index, start, start + len(text)))
        start += len(text) + 1
    return DraftAnswer(" ".join(texts), tuple(sentences))


def sentence_quads(scope: TraceScope, sentences: Sequence[AnswerSentence]) -> list[Quad]:
    """What a trace says of the sentences of an answer and of the words they cite.

    Words of a fact have a quotation in the source graph; words of a selected chunk get one in the trace.
    """
    if any(sentence.chunks for sentence in sentences):
        return chunk_support_quads(scope, [_chunk_support(sentence) for sentence in sentences])
    return support_quads(scope, [_edge_support(scope.names, sentence) for sentence in sentences])


def _chunk_support(sentence: AnswerSentence) -> ChunkSupport:
    return ChunkSupport(
        sentence.start,
        sentence.end,
        sentence.chunks,
        tuple(words.quotation_of_chunk for words in sentence.words),
        sentence.overlap,
        sentence.edges,
        sentence.origin,
    )


def _edge_support(names: SessionNames, sentence: AnswerSentence) -> SentenceSupport:
    return SentenceSupport(
        sentence.start,
        sentence.end,
        tuple(map(names.edge, sentence.edges)),
        tuple(words.quotation for words in sentence.words if isinstance(words, Source)),
        sentence.overlap,
        sentence.origin,
    )
