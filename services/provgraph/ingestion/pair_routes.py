"""HTTP face of question-answer pairs: `POST /api/v1/kgqa/build` and `GET /api/v1/kgqa/pairs`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from fastapi import APIRouter, Query

from provgraph.catalogue.document_names import named_document
from provgraph.catalogue.documents import DocumentCatalogue
from provgraph.catalogue.naming import fact_terms, labels
from provgraph.catalogue.pairs import PairCatalogue, PlacedPair
from provgraph.extraction.extractors import ExtractionOptions
from provgraph.ingestion.jobs import Jobs
from provgraph.ingestion.pipeline import Ingestion
from provgraph.late_routes import LateRouter
from provgraph.rdf.graphs import DEFAULT_COLLECTION
from provgraph.rdf.terms import Term
from provgraph.wire.documents import Job
from provgraph.wire.kgqa import BuildPairsRequest, PairFact, QuestionAnswerPair, QuestionAnswerPairs


def pair_router(ingestion: Ingestion, jobs: Jobs) -> APIRouter:
    router = LateRouter(prefix="/api/v1/kgqa", tags=["kgqa"])

    @router.post("/build", status_code=202, response_model=Job)
    async def build(body: BuildPairsRequest) -> Job:
        """Make question-answer pairs of documents that are ingested, and draw facts from them. Watch the job that is
        returned; what is built already is not built again."""
        graphs = await ingestion.collections.require(body.collection)
        name = ingestion.extractors.pairs_by(body.engine)
        options = ExtractionOptions((name,), max_tokens=body.max_tokens, replace=True)
        catalogue = DocumentCatalogue(ingestion.store, graphs)
        nodes = [await named_document(catalogue, document) for document in body.documents]
        if nodes:
            documents = [(await catalogue.document(named_node)).iri for named_node in nodes]
        else:
            documents = [summary.iri for summary in await catalogue.documents() if summary.page_count]
        return await jobs.read_again(documents, body.collection, options)

    @router.get("/pairs")
    async def pairs(
        collection: str = DEFAULT_COLLECTION,
        document: str = "",
        offset: Annotated[int, Query(ge=0)] = 0,
        limit: Annotated[int, Query(ge=1, le=10_000)] = 1_000,
    ) -> QuestionAnswerPairs:
        """The question-answer pairs of a collection, or of one of its documents, each with where it stands and the
        facts that were drawn from it; in the order of the documents' text."""
        graphs = await ingestion.collections.require(collection)
        catalogue = PairCatalogue(ingestion.store, graphs)
        documents = DocumentCatalogue(ingestion.store, graphs)
        own = await catalogue.in_order(await named_document(documents, document) if document else None)
        shown = own[offset : offset + limit]
        terms = [term for pair in shown for fact in pair.pair.facts for term in fact_terms(fact)]
        named = await labels(ingestion.store, graphs.knowledge, terms)
        return QuestionAnswerPairs(
            total=len(own),
            pairs=[_pair(pair, named) for pair in shown],
            next=offset + limit if offset + limit < len(own) else None,
        )

    return router


def _pair(placed: PlacedPair, named: Mapping[Term, str]) -> QuestionAnswerPair:
    pair, place = placed.pair, placed.place
    return QuestionAnswerPair(
        id=pair.iri.value,
        question=pair.question,
        answer=pair.answer,
        clause=pair.clause,
        document=place.document.value,
        title=place.title,
        page=pair.page.value,
        page_number=placed.page_number,
        start=pair.start,
        end=pair.end,
        text=pair.text,
        facts=[
            PairFact(subject=named[fact.subject], relation=named[fact.predicate], object=named[fact.object])
            for fact in pair.facts
        ],
    )
