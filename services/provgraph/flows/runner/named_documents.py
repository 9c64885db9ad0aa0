"""A question that names a long document is put to that one: a report says "we" where the question says whose it is, and
other reports speak of the same things in the same words.

A document is named by its title or file. Others stay in question where a passage of theirs has the name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from provgraph.flows.runner.run import Run
from provgraph.language.terms import FUNCTION_WORDS, terms
from provgraph.ports.quad_store import QuadPattern
from provgraph.ports.retriever import RetrievalResult
from provgraph.rdf.terms import Literal, NamedNode, named
from provgraph.rdf.vocabulary import DC, PROV, RDF, TG

LONG_PAGES: Final = 20
LONG_CHUNKS: Final = 60
"""A document of so many pages, or of so many chunks on fewer, is a long one."""
MOST_LOOKED_AT: Final = 10
"""How many documents, the best found, are looked at, and how many passages for the name."""
_WORD: Final = re.compile(r"[^\W_]+(?:['’&.-][^\W_]+)*")
_FEWEST_LETTERS: Final = 3
_MOST_LETTERS: Final = 6
"""Letters of a name that other words may be contracted to."""
_OWNED: Final = re.compile(r"['’]s?$")


@dataclass(frozen=True)
class Name:
    """A name in a question: its words in their order."""

    words: tuple[str, ...]

    @cached_property
    def terms(self) -> frozenset[str]:
        return frozenset(terms(" ".join(self.words)))

    def is_in(self, text: str) -> bool:
        """Whether a text has all its words; whether it has them as one, as files are called; or whether it is
        contracted from words that follow each other there, as AMEX from American Express."""
        spaced = re.sub(r"[_\W]+", " ", text)
        if self.terms <= set(terms(spaced)):
            return True
        joined = "".join(self.words).casefold()
        held = spaced.casefold().split()
        if len(self.words) > 1:
            return joined in held
        is_short = _FEWEST_LETTERS <= len(joined) <= _MOST_LETTERS
        return is_short and any(_is_contracted(joined, held[at:]) for at in range(len(held)))


def _is_contracted(name: str, words: Sequence[str], used: int = 0) -> bool:
    """Whether a name is made of the beginnings of words, one after the other, of two at least."""
    if not name:
        return used > 1
    return bool(words) and any(
        _is_contracted(name[size:], words[1:], used + 1)
        for size in range(1, min(len(words[0]), len(name)) + 1)
        if words[0].startswith(name[:size])
    )


def names_of(question: str) -> list[Name]:
    """The names in a question: runs of words with a capital, without what begins the question."""
    runs: list[list[str]] = [[]]
    end = 0
    for number, match in enumerate(_WORD.finditer(question)):
        word = _OWNED.sub("", match[0])
        is_name = word[:1].isupper() and not any(c.isdigit() for c in word)
        leads = not number and word.casefold() in FUNCTION_WORDS | _LEADING
        if not is_name or leads or question[end : match.start()].strip():
            runs.append([])
        if is_name and not leads:
            runs[-1].append(word)
        if _OWNED.search(match[0]):
            runs.append([])
        end = match.end()
    return [Name(tuple(run)) for run in runs if run and len("".join(run)) > 2]


_LEADING: Final = frozenset(
    "who whom whose what which when where why how list name give tell calculate compute please".split()
)


@dataclass(frozen=True)
class NamedDocuments:
    """The documents that a question names by title or file, with their titles, and those that it is not put to."""

    titles: Mapping[NamedNode, str] = field(default_factory=dict)
    left_out: tuple[NamedNode, ...] = ()


async def named_documents(run: Run, text: str, result: RetrievalResult) -> NamedDocuments:
    """What a question is put to; nothing where it names no long document."""
    names = names_of(text)
    hits = [hit.document for hit in result.documents[:MOST_LOOKED_AT]]
    if not names or not hits:
        return NamedDocuments()
    reader = _Titles(run)
    titles = await reader.of(hits)
    if not await reader.any_is_long(
        [named_node for named_node in hits if _has_one(titles[named_node], names)]
    ):
        return NamedDocuments()
    every = await documents_of(run)
    titles = await reader.of(every)
    titled = [named_node for named_node in every if _has_one(titles[named_node], names)]
    names = [name for name in names if any(_has_one(titles[named_node], [name]) for named_node in titled)]
    named = {*titled, *(hit.document for hit in result.chunks[:MOST_LOOKED_AT] if _has_one(hit.text, names))}
    left_out = tuple(named_node for named_node in every if named_node not in named)
    return NamedDocuments({named_node: titles[named_node] for named_node in titled}, left_out)


async def documents_of(run: Run) -> list[NamedNode]:
    """The documents that a question is put to: all of its collection but those that are left out."""
    pattern = QuadPattern(None, RDF.type, TG.Document, run.graphs.source)
    (quads,) = await run.services.store.match([pattern])
    left_out = set(run.question.without.documents)
    nodes = [quad.subject for quad in quads if isinstance(quad.subject, NamedNode)]
    return [node for node in nodes if node not in left_out]


async def narrowed(run: Run, result: RetrievalResult) -> RetrievalResult:
    """What was found, without facts that no document says which the question is put to."""
    sources = await run.sources([edge.triple for edge in result.edges])
    return replace(result, edges=tuple(edge for edge in result.edges if sources[edge.triple]))


def _has_one(text: str, names: Iterable[Name]) -> bool:
    return any(name.is_in(text) for name in names)


@dataclass(frozen=True)
class _Titles:
    """Titles and lengths of the documents of a run's collection."""

    run: Run

    async def of(self, documents: Sequence[NamedNode]) -> dict[NamedNode, str]:
        """The title and the file of each."""
        graph = self.run.graphs.source
        patterns = [
            QuadPattern(document, named_node, None, graph)
            for document in documents
            for named_node in (DC.title, DC.source)
        ]
        read = await self.run.services.store.match(patterns)
        words = [" ".join(q.object.value for q in quads if isinstance(q.object, Literal)) for quads in read]
        return {each: f"{words[2 * at]} {words[2 * at + 1]}" for at, each in enumerate(documents)}

    async def any_is_long(self, documents: Sequence[NamedNode]) -> bool:
        graph, store = self.run.graphs.source, self.run.services.store

        async def derived(nodes: Sequence[NamedNode], most: int) -> Sequence[Sequence[NamedNode]]:
            patterns = [QuadPattern(None, PROV.was_derived_from, node, graph) for node in nodes]
            found = await store.match(patterns, limit=most) if patterns else []
            return [[named(quad.subject) for quad in quads] for quads in found]

        pages = await derived(documents, LONG_PAGES)
        if any(len(own) >= LONG_PAGES for own in pages):
            return True
        chunks = iter(await derived([page for own in pages for page in own], LONG_CHUNKS))
        return any(sum(len(next(chunks)) for _ in own) >= LONG_CHUNKS for own in pages)
