"""HTTP face of where facts come from: `GET /api/v1/lineage`, and of comparing extractors: `GET
/api/v1/compare`."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Query

from provgraph.catalogue.collections import Collections
from provgraph.catalogue.comparison import DocumentComparison, ExtractorComparison
from provgraph.catalogue.document_names import named_document
from provgraph.catalogue.documents import DocumentCatalogue
from provgraph.catalogue.lineage import lineages
from provgraph.catalogue.naming import NamedFact
from provgraph.late_routes import LateRouter
from provgraph.rdf.graphs import DEFAULT_COLLECTION
from provgraph.rdf.json_terms import triple_to_json
from provgraph.traces.fact_finder import FactFinder
from provgraph.traces.views import lineage_view, source_view
from provgraph.wire.lineage import FactReader, FoundFact, Lineage, ReadingComparison

_PART: Final = 2_000

Part = Annotated[str, Query(min_length=1, max_length=_PART)]


def lineage_router(finder: FactFinder) -> APIRouter:
    router = LateRouter(prefix="/api/v1", tags=["catalogue"])

    @router.get("/lineage")
    async def lineage(s: Part, p: Part, o: Part, collection: str = DEFAULT_COLLECTION) -> Lineage:
        """Every source of one fact, and what contradicts it. A part is an IRI or a label; `o` may be a literal, as in
        N-Triples or plain."""
        graphs = await finder.collections.require(collection)
        fact = await finder.fact(NamedFact(s, p, o), collection, graphs)
        return lineage_view(await lineages(finder.collections.store, graphs, [fact]), fact)

    return router


def reading_comparison_router(collections: Collections) -> APIRouter:
    router = LateRouter(prefix="/api/v1", tags=["catalogue"])

    @router.get("/compare")
    async def compare(
        id: str,
        by: str = "extractor",
        between: Annotated[list[str] | None, Query(max_length=20)] = None,
        collection: str = DEFAULT_COLLECTION,
    ) -> ReadingComparison:
        """The facts of a document by who found them: extractor, model or version; all of them, or those that
        `between` names."""
        catalogue = DocumentCatalogue(collections.store, await collections.require(collection))
        document = await named_document(catalogue, id)
        found = await ExtractorComparison(catalogue).compared(document, by, between or ())
        return ReadingComparison(
            document=document.value,
            by=by,
            readers=[
                FactReader(name=name, facts=found.found(name), only=found.only(name))
                for name in found.readers
            ],
            shared=found.shared,
            facts=_facts(found),
        )

    return router


def _facts(found: DocumentComparison) -> list[FoundFact]:
    return [
        FoundFact(
            subject=found.labels[compared.fact.subject],
            relation=found.labels[compared.fact.predicate],
            object=found.labels[compared.fact.object],
            triple=triple_to_json(compared.fact),
            found_by=list(compared.found_by),
            sources=[
                source_view(source, found.extractions.get(source.subgraph)) for source in compared.sources
            ],
        )
        for compared in found.facts
    ]
