"""Papers as a collection has them: documents with what a bibliography says of them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from anyio import to_thread

from provgraph.errors import InvalidInput, NotFound
from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.terms import NamedNode, Quad, texts_of
from provgraph.rdf.vocabulary import DC, PROV, RDF, TG

LEAST_TITLE: Final = 3
"""Words of a title by which alone two documents are one paper: "Report" names many."""


@dataclass(frozen=True)
class StoredPaper:
    """`identifiers` each begin with what they are: "doi:…", "arXiv:…"; what is not known is empty."""

    iri: NamedNode
    title: str
    creators: tuple[str, ...] = ()
    date: str = ""
    identifiers: tuple[str, ...] = ()
    source: str = ""
    abstract: str = ""

    @property
    def reference(self) -> str:
        """How an answer names it: by its title alone, which stands in the paper. A year or an author that only its
        metadata has would be a word of the answer that no cited word supports."""
        return f"“{self.title}”"


@dataclass(frozen=True)
class PaperCatalogue:
    """The papers of one collection: all of its documents."""

    store: QuadStore
    graphs: CollectionGraphs

    async def papers(self) -> list[StoredPaper]:
        """By title; a paper that is stored twice is one."""
        (found,) = await self.store.match([QuadPattern(None, RDF.type, TG.Document, self.graphs.source)])
        nodes = [quad.subject for quad in found if isinstance(quad.subject, NamedNode)]
        described = await self.store.match([QuadPattern(node, graph=self.graphs.source) for node in nodes])
        return await to_thread.run_sync(_papers, nodes, described)

    async def versions(self, papers: Sequence[StoredPaper]) -> dict[NamedNode, NamedNode]:
        """The version in which the store has each paper."""
        graph = self.graphs.source
        patterns = [QuadPattern(None, PROV.specialization_of, paper.iri, graph) for paper in papers]
        found = await self.store.match(patterns)
        return {
            paper.iri: quad.subject
            for paper, quads in zip(papers, found, strict=True)
            for quad in quads
            if isinstance(quad.subject, NamedNode)
        }

    async def chosen(self, names: Sequence[str]) -> list[StoredPaper]:
        """The papers that are called so: by id, by an identifier with or without its kind, or by title.

        Raises `NotFound` for a name that is no paper's, and `InvalidInput` for one that is several papers'.
        """
        papers = await self.papers() if names else []
        return list({paper.iri: paper for paper in (_named(papers, name) for name in names)}.values())


def _papers(nodes: Sequence[NamedNode], described: Sequence[Sequence[Quad]]) -> list[StoredPaper]:
    papers = (_paper(node, quads) for node, quads in zip(nodes, described, strict=True))
    return each_once(sorted(papers, key=lambda paper: (paper.title.casefold(), paper.iri.value)))


def each_once(papers: Sequence[StoredPaper]) -> list[StoredPaper]:
    """One of those that are the same paper, stored twice from other bytes: the one of which most is known."""
    kept: list[StoredPaper] = []
    places = defaultdict[str, set[int]](set)
    for paper in papers:
        keys = {*_identifiers(paper), _title(paper)} - {""}
        alike = sorted(set[int]().union(*(places[key] for key in keys)))
        place = next((index for index in alike if _is_same(kept[index], paper)), len(kept))
        if place == len(kept):
            kept.append(paper)
        elif _known(paper) > _known(kept[place]):
            kept[place] = paper
        for key in keys:
            places[key].add(place)
    return kept


def _is_same(one: StoredPaper, other: StoredPaper) -> bool:
    """Of one long title, and with nothing known of them that differs; an identifier decides."""
    ours, theirs = _identifiers(one), _identifiers(other)
    if ours and theirs:
        return not ours.isdisjoint(theirs)
    if not _title(one) or _title(one) != _title(other):
        return False
    return not (one.creators and other.creators) or one.creators == other.creators


def _identifiers(paper: StoredPaper) -> set[str]:
    """Without the version that arXiv gives."""
    return {re.sub(r"v\d+\Z", "", identifier.casefold()) for identifier in paper.identifiers}


def _title(paper: StoredPaper) -> str:
    """Empty where it is too short to tell a paper by."""
    words = paper.title.casefold().split()
    return " ".join(words) if len(words) >= LEAST_TITLE else ""


def _known(paper: StoredPaper) -> int:
    return sum(map(bool, (paper.creators, paper.date, paper.identifiers, paper.source, paper.abstract)))


def _named(papers: Sequence[StoredPaper], name: str) -> StoredPaper:
    asked = " ".join(name.split()).casefold()
    stored_papers = [paper for paper in papers if paper.iri.value == name.strip()]
    stored_papers = stored_papers or [paper for paper in papers if asked in _names(paper)]
    if not stored_papers:
        raise NotFound(
            f"There is no paper {name[:120]!r} in this collection. Look them up with 'provgraph research papers'."
        )
    if len(stored_papers) > 1:
        raise InvalidInput(
            f"{name[:120]!r} is the name of {len(stored_papers)} papers. Choose by id, as 'provgraph research papers' "
            "has it."
        )
    return stored_papers[0]


def _names(paper: StoredPaper) -> set[str]:
    identifiers = {identifier.casefold() for identifier in paper.identifiers}
    bare = {identifier.partition(":")[2] for identifier in identifiers}
    return {*identifiers, *bare, paper.title.casefold(), paper.iri.value.rpartition(":")[2].casefold()}


def _paper(node: NamedNode, quads: Sequence[Quad]) -> StoredPaper:
    def texts(predicate: NamedNode) -> tuple[str, ...]:
        return tuple(sorted(texts_of(quads, predicate)))

    def text(predicate: NamedNode) -> str:
        return next(iter(texts(predicate)), "")

    return StoredPaper(
        iri=node,
        title=text(DC.title),
        creators=texts(DC.creator),
        date=text(DC.date),
        identifiers=texts(DC.identifier),
        source=text(DC.source),
        abstract=text(DC.description),
    )
