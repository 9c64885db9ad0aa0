"""A question that names a long document is put to that one: a report says "we" where the question says whose it is, and
other reports speak of the same things in the same words.

A document is named by its title or file. Others stay in question where a passage of theirs has the name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from provgraph.flows.runner.run import Run
from provgraph.language.terms import FUNCTION_WORDS, terms
from provgraph.ports.quad_store import QuadPattern
from provgraph.ports.retriever import RetrievalResult
from provgraph.rdf.terms import Literal, NamedNode
from provgraph.rdf.vocabulary import DC, PROV, RDF, TG

LONG_PAGES: Final = 20
LONG_CHUNKS: Final = 60
"""A document of so many pages, or of so many chunks on fewer, is a long one."""
MOST_LOOKED_AT: Final = 10
"""How many documents, the best found, are looked at, and how many passages for the name."""
_WORD: Final = re.compile(r"[^\W_]+(?:['’&.-][^\W_]+)*")
_OWNED: Final = re.compile(r"['’]s?$")


def names_of(question: str) -> list[frozenset[str]]:
    """The names in a question, each as its words: runs of words with a capital, without what begins the question."""
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
    return [frozenset(terms(" ".join(run))) for run in runs if run and len("".join(run)) > 2]


_LEADING: Final = frozenset(
    "who whom whose what which when where why how list name give tell calculate compute please".split()
)


async def without_unnamed(run: Run, text: str, found: RetrievalResult) -> tuple[NamedNode, ...]:
    """The documents that a question is not put to; none where it names no long document."""
    names = names_of(text)
    hits = [hit.document for hit in found.documents[:MOST_LOOKED_AT]]
    if not names or not hits:
        return ()
    reader = _Titles(run)
    titles = await reader.of(hits)
    if not await reader.any_is_long([each for each in hits if _has_one(titles[each], names)]):
        return ()
    every = await reader.all()
    titles = await reader.of(every)
    named = {each for each in every if _has_one(titles[each], names)}
    names = [name for name in names if any(_has_one(titles[each], [name]) for each in named)]
    named |= {hit.document for hit in found.chunks[:MOST_LOOKED_AT] if _has_one(hit.text, names)}
    return tuple(each for each in every if each not in named)


async def narrowed(run: Run, found: RetrievalResult) -> RetrievalResult:
    """What was found, without facts that no document says which the question is put to."""
    said = await run.sources([edge.triple for edge in found.edges])
    return replace(found, edges=tuple(edge for edge in found.edges if said[edge.triple]))


def _has_one(text: str, names: Iterable[frozenset[str]]) -> bool:
    held = set(terms(re.sub(r"[_\W]+", " ", text)))
    return any(name <= held for name in names)


@dataclass(frozen=True)
class _Titles:
    """Titles and lengths of the documents of a run's collection."""

    run: Run

    async def all(self) -> list[NamedNode]:
        pattern = QuadPattern(None, RDF.type, TG.Document, self.run.graphs.source)
        (quads,) = await self.run.services.store.match([pattern])
        left_out = set(self.run.question.without.documents)
        nodes = [quad.subject for quad in quads if isinstance(quad.subject, NamedNode)]
        return [each for each in nodes if each not in left_out]

    async def of(self, documents: Sequence[NamedNode]) -> dict[NamedNode, str]:
        """The title and the file of each."""
        graph = self.run.graphs.source
        patterns = [
            QuadPattern(each, said, None, graph) for each in documents for said in (DC.title, DC.source)
        ]
        read = await self.run.services.store.match(patterns)
        words = [" ".join(q.object.value for q in quads if isinstance(q.object, Literal)) for quads in read]
        return {each: f"{words[2 * at]} {words[2 * at + 1]}" for at, each in enumerate(documents)}

    async def any_is_long(self, documents: Sequence[NamedNode]) -> bool:
        graph, store = self.run.graphs.source, self.run.services.store
        for document in documents:
            (pages,) = await store.match([QuadPattern(None, PROV.was_derived_from, document, graph)])
            if len(pages) >= LONG_PAGES:
                return True
            nodes = [quad.subject for quad in pages if isinstance(quad.subject, NamedNode)]
            chunks = await store.match(
                [QuadPattern(None, PROV.was_derived_from, each, graph) for each in nodes]
            )
            if sum(map(len, chunks)) >= LONG_CHUNKS:
                return True
        return False
