"""Papers on a topic, one after another: each fetched unless the collection has it, and what cannot be had is told."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from provgraph.documents.bibliography import Bibliography
from provgraph.errors import NotFound, ProvGraphError, UnreadableDocument
from provgraph.ingestion.papers.bibtex import abstract_file
from provgraph.ingestion.planning import LostFile, SourceFile
from provgraph.ports.paper_search import FoundPaper, PaperSearch, UnusableEntry, Waits
from provgraph.ports.quad_store import QuadStore
from provgraph.rdf.graphs import source_graph
from provgraph.rdf.terms import Literal, NamedNode, Quad
from provgraph.rdf.vocabulary import DC, TG

Doing = Callable[[str], None]
"""Is told what a search is at, in words; an empty text when that is over."""


@dataclass(frozen=True)
class SearchedPapers:
    """`store` knows which papers a collection has."""

    search: PaperSearch
    store: QuadStore

    async def on(
        self, topic: str, most: int, collection: str, doing: Doing
    ) -> AsyncGenerator[SourceFile | LostFile]:
        """Ends after what went wrong, where the search itself fails."""
        try:
            with _reporting_waits(doing, "searching arXiv") as waits:
                found = await self.search.search(topic, most, waits)
        except ProvGraphError as error:
            yield LostFile(f"arXiv: {topic}", error, f"The search for {topic!r}")
            return
        if not found:
            none = NotFound(
                f"arXiv has no paper with all the words of {topic[:80]!r}. Use fewer or other words."
            )
            yield LostFile(f"arXiv: {topic}", none, f"The search for {topic!r}")
        for paper in found:
            if isinstance(paper, UnusableEntry):
                yield LostFile(paper.title, UnreadableDocument(paper.reason), paper.title)
            elif not await self._is_there(paper, collection):
                async for file in self._fetched(paper, doing):
                    yield file

    async def _is_there(self, paper: FoundPaper, collection: str) -> bool:
        """Whether the collection has this version of it, and not its abstract only."""
        node, graph = NamedNode(paper.id), source_graph(collection)
        said = ((DC.identifier, paper.version), (TG.mime_type, "application/pdf"))
        return all(
            await self.store.contains(
                [Quad(node, predicate, Literal(text), graph) for predicate, text in said]
            )
        )

    async def _fetched(self, paper: FoundPaper, doing: Doing) -> AsyncGenerator[SourceFile | LostFile]:
        """The paper; or why it cannot be had, and its abstract in its place."""
        name = paper.version.removeprefix("arXiv:").replace("/", "-")
        described = Bibliography(
            paper.creators, paper.published, paper.identifiers, paper.abstract, paper.address
        )
        file = SourceFile(f"{name}.pdf", b"", "application/pdf", paper.title, paper.id, described)
        try:
            with _reporting_waits(doing, f"fetching {name}") as waits:
                content = await self.search.pdf(paper, waits)
            yield replace(file, content=content)
        except ProvGraphError as error:
            yield LostFile(file.name, error, paper.title, paper.address)
            if paper.abstract:
                yield abstract_file(f"{name}.txt", paper.title, file)


@contextmanager
def _reporting_waits(doing: Doing, what: str) -> Iterator[Waits]:
    """What is being done is told, and each wait that it takes."""
    doing(what)
    try:
        yield lambda seconds: doing(f"waiting {seconds:.0f} s for arXiv")
    finally:
        doing("")
