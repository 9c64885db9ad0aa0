"""What the trace says in the end of an answer from chunks: its sentences, what is behind them, and what was left."""

from __future__ import annotations

from collections.abc import Iterable

from provgraph.flows.runner.answer_stream import Ending, Told
from provgraph.flows.runner.events import CitedSentence
from provgraph.flows.runner.from_chunks.answers import Statement
from provgraph.provenance.document_trace import (
    ChunkSupport,
    PassedOverChunk,
    chunk_support_quads,
    passed_over_chunk_quads,
)
from provgraph.provenance.trace import TraceScope
from provgraph.rdf.iris import SessionNames


def ending(scope: TraceScope, passed_over: Iterable[PassedOverChunk], told: Told[Statement]) -> Ending:
    return Ending(
        chunk_support_quads(scope, [_support(each) for each in told.statements]),
        passed_over_chunk_quads(scope, tuple(passed_over)),
        tuple(_cited(scope.names, each) for each in told.statements),
    )


def _support(said: Statement) -> ChunkSupport:
    quotations = tuple(words.quotation_of_chunk for words in said.words)
    return ChunkSupport(said.start, said.end, said.chunks, quotations, said.overlap)


def _cited(names: SessionNames, said: Statement) -> CitedSentence:
    return CitedSentence(said.start, said.end, (), said.words, tuple(map(names.chunk, said.chunks)))
