"""Passages that are read: what the sentences of retrieved chunks say, found as a derivation asks for it.

A chunk is read once; the readings of the last two or three hundred chunks are kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

import anyio.to_thread

from provgraph.derivation.evidence import Found, ReadPassage, SentenceLikelihood, speaks_of
from provgraph.derivation.relevance import is_of_unknown
from provgraph.documents.tables import row_spans
from provgraph.flows.runner.answering_sentences import AnsweringSentence, answering_sentences
from provgraph.flows.runner.passages import RetrievedPassage
from provgraph.flows.runner.run import Run
from provgraph.language.concepts import concepts
from provgraph.language.sentences import after_list_mark, sentence_spans
from provgraph.ports.retriever import (
    NO_EDGES,
    ChunkHit,
    QuestionTerm,
    RetrievalRequest,
    RetrievalResult,
    Without,
)
from provgraph.reading.datelines import after_dateline
from provgraph.reading.kept_parses import KeptParses, RecentResults
from provgraph.reading.parser import BuiltInParser
from provgraph.reading.reader import read_parsed
from provgraph.reading.syntax import ParsedSentence, Parser

KEPT_CHARACTERS: Final = 400_000
"""Of the chunks whose readings are kept, some 200 bytes each."""
MOST_SENTENCES: Final = 40
LONGEST_SENTENCE: Final = 800
"""Sentences of a chunk that are read, and how many characters one may have: what is longer is no sentence."""
CHUNKS: Final = 8
"""How many chunks are read for one query."""
WEIGHED: Final = 10
RETRIEVED: Final = 20
"""How many chunks are retrieved for the question as it was asked; of them any may be quoted."""
MOST_LIKELY: Final = 3
"""Of how many chunks the sentences are weighed; beside the first, chunks with one of the likeliest are read too."""


_Key = tuple[str, str, int]
"""A chunk, its title and the hash of its text: with words left out it reads otherwise."""


class Readings:
    """Reads chunks, and keeps what it has read, the least used going first; `parser` is for questions and single
    sentences. Threads may share one."""

    def __init__(self, parser: Parser | None = None) -> None:
        self._reader: Parser = BuiltInParser() if parser is None else parser
        self.parser: Parser = KeptParses(self._reader)
        self._kept: RecentResults[_Key, ReadPassage] = RecentResults(KEPT_CHARACTERS)

    def read(self, passages: Sequence[RetrievedPassage]) -> list[ReadPassage]:
        """What passages say; spans are characters of the chunk's text. New ones are parsed together: that takes half as
        long."""
        known = {_key(passage): read for passage in passages if (read := self._kept.get(_key(passage)))}
        new = {_key(passage): passage for passage in passages if _key(passage) not in known}
        spans = {key: prose_spans(each.hit.text) for key, each in new.items()}
        sentences = [(new[key].hit.text, span) for key, own in spans.items() for span in own]
        parsed = iter(self._reader.parse_all(sentences) if sentences else ())
        for key, passage in new.items():
            known[key] = _read(passage.hit, tuple(islice(parsed, len(spans[key]))))
            self._kept.put(key, known[key], len(passage.hit.text))
        return [known[_key(passage)] for passage in passages]


def _key(passage: RetrievedPassage) -> _Key:
    hit = passage.hit
    return hit.chunk.value, hit.title, hash(hit.text)


def _read(hit: ChunkHit, parsed: tuple[ParsedSentence, ...]) -> ReadPassage:
    reading = read_parsed(hit.text, parsed, topic(hit.title, hit.text))
    return ReadPassage(hit.chunk.value, hit.document.value, hit.title, hit.text, reading, parsed)


@dataclass(frozen=True)
class QueryPassages:
    """The chunks of one retrieval as passages, best first, and the sentences of the best of them by how likely each
    answers."""

    terms: Sequence[QuestionTerm]
    passages: Sequence[RetrievedPassage]
    sentences: Sequence[AnsweringSentence]


class PassageFinder:
    """Implements `derivation.evidence.Finder` for one run: each query is a retrieval of its own, made once.

    `passages_by_key` are all that were found, `led_by` the first query that led to each. `first` is what was retrieved
    for the question itself already, `RETRIEVED` chunks of it. `ruled_out` are sentences (with single spaces) that a
    derivation found to tell what is asked of something else. `without` is what these retrievals do without, where
    that is not what the run does without.
    """

    def __init__(
        self,
        run: Run,
        readings: Readings,
        method: str = "",
        first: RetrievalResult | None = None,
        without: Without | None = None,
    ) -> None:
        self.passages_by_key: dict[str, RetrievedPassage] = {}
        self.led_by: dict[str, str] = {}
        self.ruled_out: set[str] = set()
        self._run = run
        self._readings = readings
        self._method = method
        self._first = first
        self._without = without
        self._retrieved: dict[str, QueryPassages] = {}
        self._found: dict[str, Found] = {}

    @property
    def parser(self) -> Parser:
        return self._readings.parser

    def rules_out(self, question: str, sentence: str) -> bool:
        """Whether a sentence tells what is asked of something else, or of what nothing that was found knows."""
        texts = [f"{each.hit.title} {each.hit.text}" for each in self.passages_by_key.values()]
        return " ".join(sentence.split()) in self.ruled_out or (
            bool(texts) and is_of_unknown(question, sentence, texts, self.parser)
        )

    async def passages(self, query: str) -> Sequence[ReadPassage]:
        return (await self.found(query)).passages

    async def found(self, query: str) -> Found:
        if query not in self._found:
            self._found[query] = await self._read(query, lambda passages: passages)
        return self._found[query]

    async def about(self, query: str, name: str, most: int) -> Found:
        def speaking(passages: Sequence[RetrievedPassage]) -> Sequence[RetrievedPassage]:
            return [passage for passage in passages if speaks_of(passage.hit.title, passage.hit.text, name)][
                :most
            ]

        return await self._read(query, speaking)

    async def _read(
        self, query: str, chosen: Callable[[Sequence[RetrievedPassage]], Sequence[RetrievedPassage]]
    ) -> Found:
        """What a query leads to, of which those chosen are read."""
        retrieved = await self.retrieved(query)
        kept = _worth_reading(retrieved.passages[:WEIGHED], retrieved.sentences)
        for passage in kept:
            self.passages_by_key.setdefault(passage.hit.chunk.value, passage)
            self.led_by.setdefault(passage.hit.chunk.value, query)
        read = await anyio.to_thread.run_sync(self._readings.read, chosen(kept))
        weights = {term.text: term.weight for term in retrieved.terms}
        return Found(tuple(read), weights, _senses(retrieved.sentences))

    async def retrieved(self, query: str) -> QueryPassages:
        """What a query leads to, whether or not it is read."""
        if query not in self._retrieved:
            result = await self._result(query)
            passages = await self._run.passages(result.chunks)
            sentences = await anyio.to_thread.run_sync(answering_sentences, query, result.terms, passages)
            self._retrieved[query] = QueryPassages(result.terms, passages, sentences)
        return self._retrieved[query]

    async def _result(self, query: str) -> RetrievalResult:
        is_asked = query == self._run.question.text
        if is_asked and self._first is not None:
            return self._first
        chunks = RETRIEVED if is_asked else WEIGHED
        request = RetrievalRequest(
            query, concepts(query), method=self._method, chunks=chunks, limits=NO_EDGES
        )
        return await self._run.retrieve(request, self._without)


def _worth_reading(
    weighed: Sequence[RetrievedPassage], answering: Sequence[AnsweringSentence]
) -> list[RetrievedPassage]:
    """The best passages, and those in which the likeliest sentences stand."""
    likely = {sentence.passage.hit.chunk for sentence in answering[:MOST_LIKELY]}
    return [passage for passage in weighed if passage.rank <= CHUNKS or passage.hit.chunk in likely]


def _senses(answering: Sequence[AnsweringSentence]) -> dict[tuple[str, int], SentenceLikelihood]:
    """By chunk and place in its text."""
    senses = {}
    for sentence in answering:
        start = sentence.words.start - sentence.passage.at.offset
        likeness = {sense.start: sense.likeness for sense in sentence.passage.hit.senses}.get(start, 0.0)
        senses[sentence.passage.hit.chunk.value, start] = SentenceLikelihood(likeness, sentence.probability)
    return senses


def topic(title: str, text: str) -> str:
    """A title that may be what "it" and "he" stand for: one that is a name; that of a file is not, unless the text has
    it."""
    bare = title.strip()
    words = _TITLE_WORD.findall(bare)
    is_name = bare[:1].isupper() and not bare.isupper() and len(bare) > 3 and not _FILE_NAME.search(bare)
    return title if words and (is_name or (len(bare) > 2 and bare in text)) else ""


_TITLE_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_FILE_NAME: Final = re.compile(r"[_/\\\\]|\.[a-z]{2,4}\Z|\A[a-z\d-]+\Z")


def prose_spans(text: str) -> list[tuple[int, int]]:
    """The sentences that are read, behind a number or dateline: not the rows of tables, not the heads of these, and no
    questions, which say nothing."""
    spans = [(start, end) for start, end in sentence_spans(text) if end - start <= LONGEST_SENTENCE]
    if "|" in text:
        taken = list(row_spans(text))
        spans = [span for span in spans if not any(s < span[1] and span[0] < e for s, e in taken)]
    bare = [(after_list_mark(text, start, end), end) for start, end in spans]
    told = [(start, end) for start, end in bare if not _QUESTION.fullmatch(text, start, end)]
    return [(after_dateline(text, start, end), end) for start, end in told[:MOST_SENTENCES]]


_QUESTION: Final = re.compile(
    r"(?:who|whom|whose|what|which|when|where|why|how|can|could|may|must|do|does|did|is|are|was|were|has|have|will"
    r"|would|should)\b[^.!?]*\?",
    re.IGNORECASE,
)


_ENGLISH: Final = re.compile(
    r"\b(?:who|whom|whose|what|which|when|where|why|how|does|did|is|are|were|has|had|the|of|and|by|"
    r"during|from|with|to|its|their|been|could|would|should|may|must|shall|much|many|any|anyone|anybody|anything|"
    r"for|she|they|this|that|there|ever|still|born|"
    r"if|my|your|our|it|get)\b|\A(?:was|will|can|do) (?:.*\w{2}(?:ed|ing)|an?|i|he|you|we|people|children|dogs)\b",
    re.IGNORECASE,
)
_NOT_LATIN: Final = re.compile(r"[^\W\d_a-zA-Z\u00c0-\u024f]")


def is_english(question: str) -> bool:
    """Whether a question has words that only English questions have; a derivation reads no other language yet."""
    return bool(_ENGLISH.search(question)) and is_latin(question)


def is_latin(text: str) -> bool:
    """Whether all its letters are Latin."""
    return not any(match[0].isalpha() for match in _NOT_LATIN.finditer(text))
