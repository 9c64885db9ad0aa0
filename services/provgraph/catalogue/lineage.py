"""Where facts come from: every sentence that says one, who read it there, and what contradicts it; one document as
several extractors read it; and which extractors, in which version, read a collection.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

from provgraph.catalogue.contradictions import Contradiction, Contradictions
from provgraph.catalogue.documents import DocumentCatalogue
from provgraph.catalogue.naming import fact_terms, is_statement, labels
from provgraph.catalogue.sources import Extraction, Source, SourceReader
from provgraph.errors import InvalidInput, NotFound
from provgraph.ports.quad_store import QuadPattern, QuadStore
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.terms import Literal, NamedNode, Quad, Term, Triple
from provgraph.rdf.vocabulary import PROV, RDF, TG


@dataclass(frozen=True)
class FactLineage:
    """`sources` are by document, page and place, `subgraphs` all that contain the fact; without any it is not there."""

    fact: Triple
    sources: tuple[Source, ...]
    subgraphs: tuple[NamedNode, ...]
    contradictions: tuple[Contradiction, ...]

    @property
    def documents(self) -> int:
        """How many documents say it."""
        return len({source.place.document for source in self.sources})


@dataclass(frozen=True)
class Lineages:
    """The lineages of some facts; `extractions` are by subgraph, `labels` by term, `quads` what was read for them."""

    of: Mapping[Triple, FactLineage]
    extractions: Mapping[NamedNode, Extraction]
    labels: Mapping[Term, str]
    quads: Sequence[Quad]

    def sources(self) -> dict[Triple, tuple[Source, ...]]:
        return {fact: lineage.sources for fact, lineage in self.of.items()}


async def lineages(store: QuadStore, graphs: CollectionGraphs, facts: Sequence[Triple]) -> Lineages:
    """The lineage of each fact of a collection, by bound patterns: its time does not grow with the collection."""
    reader, rivals = SourceReader(store, graphs.source), SourceReader(store, graphs.source)
    sources = await reader.sources(facts)
    subgraphs = await reader.subgraphs(facts)
    extractions = await reader.extractions(node for nodes in subgraphs.values() for node in nodes)
    against = await Contradictions(store, graphs, rivals).of(sources)
    contradictions = [contradiction for rival in against.values() for contradiction in rival]
    read = await rivals.extractions(source.subgraph for rival in contradictions for source in rival.sources)
    terms = [
        term for fact in (*facts, *(rival.fact for rival in contradictions)) for term in fact_terms(fact)
    ]
    return Lineages(
        of={fact: FactLineage(fact, sources[fact], subgraphs[fact], against[fact]) for fact in sources},
        extractions={**read, **extractions},
        labels=await labels(store, graphs.knowledge, terms),
        quads=reader.quads,
    )


NO_MODEL: Final = "no model"

READERS: Final[Mapping[str, Callable[[Extraction], str]]] = {
    "extractor": lambda extraction: extraction.extractor,
    "model": lambda extraction: extraction.model or NO_MODEL,
    "version": lambda extraction: f"{extraction.extractor} {extraction.version}",
}
"""What two readings are told apart by, and what each is called by it."""


@dataclass(frozen=True)
class ComparedFact:
    """A fact of the document, who found it there, and where: one source for each sentence and reading."""

    fact: Triple
    found_by: tuple[str, ...]
    sources: tuple[Source, ...]


@dataclass(frozen=True)
class DocumentComparison:
    """`readers` are all who are compared; facts are in reading order. `extractions` are by subgraph."""

    readers: tuple[str, ...]
    facts: tuple[ComparedFact, ...]
    extractions: Mapping[NamedNode, Extraction]
    labels: Mapping[Term, str]

    @property
    def shared(self) -> int:
        """How many facts all of them found."""
        return sum(len(fact.found_by) == len(self.readers) for fact in self.facts)

    def found(self, reader: str) -> int:
        return sum(reader in fact.found_by for fact in self.facts)

    def only(self, reader: str) -> int:
        return sum(fact.found_by == (reader,) for fact in self.facts)


@dataclass(frozen=True)
class ExtractorComparison:
    """Compares the readings of one document. Facts are one where their triples are equal."""

    catalogue: DocumentCatalogue

    async def compared(self, document: NamedNode, by: str, between: Sequence[str] = ()) -> DocumentComparison:
        """Everybody who read the document, or only those that `between` names.

        Raises `NotFound` for a document that is not there and for a name that read nothing of it, `InvalidInput`
        for a `by` that is none of `READERS`.
        """
        if by not in READERS:
            raise InvalidInput(
                f"Readings are not compared by {by[:80]!r}. Choose one of: {', '.join(READERS)}."
            )
        await self.catalogue.document(document)
        reader = SourceReader(self.catalogue.store, self.catalogue.graphs.source)
        extractions = await reader.extractions(await self._subgraphs(document))
        named = {subgraph: READERS[by](extraction) for subgraph, extraction in extractions.items()}
        readers = _chosen(sorted(set(named.values())), between, document)
        contained = await self._contained([subgraph for subgraph in named if named[subgraph] in readers])
        sources = await reader.sources(list(contained))
        facts = [
            _compared_fact(fact, {named[subgraph] for subgraph in subgraphs}, sources[fact], subgraphs)
            for fact, subgraphs in contained.items()
        ]
        terms = [term for fact in contained for term in fact_terms(fact)]
        return DocumentComparison(
            readers=tuple(readers),
            facts=tuple(sorted(facts, key=_reading_order)),
            extractions=extractions,
            labels=await labels(self.catalogue.store, self.catalogue.graphs.knowledge, terms),
        )

    async def _subgraphs(self, document: NamedNode) -> list[NamedNode]:
        level = [document]
        for _ in ("page", "chunk", "subgraph"):
            graph = self.catalogue.graphs.source
            patterns = [QuadPattern(None, PROV.was_derived_from, node, graph) for node in level]
            found = await self.catalogue.store.match(patterns)
            level = [q.subject for quads in found for q in quads if isinstance(q.subject, NamedNode)]
        return level

    async def _contained(self, subgraphs: Sequence[NamedNode]) -> dict[Triple, set[NamedNode]]:
        graph = self.catalogue.graphs.source
        patterns = [QuadPattern(node, TG.contains, None, graph) for node in subgraphs]
        containing: dict[Triple, set[NamedNode]] = defaultdict(set)
        for node, quads in zip(subgraphs, await self.catalogue.store.match(patterns), strict=True):
            for quad in quads:
                if isinstance(quad.object, Triple) and is_statement(quad.object):
                    containing[quad.object].add(node)
        return containing


def _chosen(present: Sequence[str], between: Sequence[str], document: NamedNode) -> Sequence[str]:
    for name in between:
        if name not in present:
            raise NotFound(
                f"{name[:80]!r} has read nothing of {document.value}. Choose from: {', '.join(present) or 'nobody'}."
            )
    return list(dict.fromkeys(between)) or present


def _compared_fact(
    fact: Triple, found_by: set[str], sources: Sequence[Source], subgraphs: set[NamedNode]
) -> ComparedFact:
    own = tuple(source for source in sources if source.subgraph in subgraphs)
    return ComparedFact(fact, tuple(sorted(found_by)), own)


def _reading_order(compared: ComparedFact) -> tuple[int, int, str]:
    first = min(((source.page_number, source.start) for source in compared.sources), default=(0, 0))
    return (*first, str(compared.fact))


_READINGS: Final = f"""
SELECT ?agent ?version ?model ?document (COUNT(DISTINCT ?chunk) AS ?chunks) WHERE {{{{ GRAPH {{graph}} {{{{
  ?subgraph {RDF.type} {TG.Subgraph} ; {PROV.was_derived_from} ?chunk ; {PROV.was_generated_by} ?activity .
  ?activity {PROV.was_associated_with} ?agent ; {TG.component_version} ?version .
  OPTIONAL {{{{ ?activity {TG.llm_model} ?model }}}}
  ?chunk {PROV.was_derived_from} ?page . ?page {PROV.was_derived_from} ?document . ?document {RDF.type} {TG.Document}
}}}} }}}} GROUP BY ?agent ?version ?model ?document
"""


@dataclass(frozen=True)
class DocumentReading:
    """An extractor, in one version and with one model (empty for rules), read `chunks` chunks of a document."""

    extractor: str
    version: str
    model: str
    document: NamedNode
    chunks: int


async def document_readings(store: QuadStore, graph: NamedNode) -> list[DocumentReading]:
    """All readings that the source graph `graph` holds; it looks at every chunk of the collection."""
    rows = await store.select(_READINGS.format(graph=graph))
    return [
        DocumentReading(
            unquote(_words(row["agent"]).rpartition(":")[2]),
            _words(row["version"]),
            _words(row.get("model")),
            document,
            int(_words(row["chunks"])),
        )
        for row in rows
        if isinstance(document := row["document"], NamedNode)
    ]


def _words(term: Term | None) -> str:
    return term.value if isinstance(term, Literal | NamedNode) else ""
