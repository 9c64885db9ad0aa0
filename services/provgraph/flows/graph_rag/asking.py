"""A request → the question that it asks: settings of an earlier session taken, names of what is left out looked up."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final

from provgraph.catalogue.document_names import named_document
from provgraph.catalogue.documents import DocumentCatalogue
from provgraph.errors import InvalidInput
from provgraph.flows.graph_rag.question import Question
from provgraph.ports.retriever import Without
from provgraph.provenance.circumstances import Circumstances, read_circumstances
from provgraph.provenance.trace_reading import read_session
from provgraph.rdf.graphs import CollectionGraphs
from provgraph.traces.fact_finder import FactFinder
from provgraph.traces.reader import Traces
from provgraph.wire.answer import AskRequest, LeftOutRequest, PostedAskRequest, question_text, reranker_name

_NO_SETTINGS: Final = frozenset({"query", "collection", "again", "without"})


@dataclass(frozen=True)
class Asker:
    """Knows the sessions that may be asked again, and the edges that may be left out."""

    traces: Traces
    finder: FactFinder

    async def question(self, body: AskRequest) -> Question:
        """Raises `NotFound` for a collection, session, document or edge that is not there, and `InvalidInput`."""
        asked = (
            body
            if isinstance(body, PostedAskRequest)
            else PostedAskRequest.model_validate(body.model_dump(exclude_unset=True))
        )
        again_of = None
        earlier = Without()
        if asked.again:
            asked, before = await self._again(asked)
            again_of, earlier = before.again_of, before.without
        graphs = await self.finder.collections.require(asked.collection)
        without = await self._without(asked.without, asked.collection, graphs)
        left_out = Without(
            tuple(dict.fromkeys((*earlier.documents, *without.documents))),
            tuple(dict.fromkeys((*earlier.edges, *without.edges))),
        )
        return question(asked, Circumstances(_settings(asked), left_out, again_of))

    async def _again(self, asked: PostedAskRequest) -> tuple[PostedAskRequest, Circumstances]:
        """The request of an earlier session, with what this one says of its own in its place."""
        names = self.traces.names(asked.again)
        quads = await self.traces.quads(names)
        session = read_session(names.session, quads)
        if asked.query.strip() and question_text(asked.query) != session.query:
            raise InvalidInput(
                "The question differs from that of the session to be asked again. Leave out the one or the other."
            )
        before = read_circumstances(names.session, quads)
        own = asked.model_dump(exclude_unset=True)
        fields = {**before.fields, "collection": session.collection, **own, "query": session.query}
        return PostedAskRequest.model_validate(fields), Circumstances((), before.without, names.session)

    async def _without(self, left_out: LeftOutRequest, collection: str, graphs: CollectionGraphs) -> Without:
        catalogue = DocumentCatalogue(self.finder.collections.store, graphs)
        documents = [await named_document(catalogue, document) for document in left_out.documents]
        for document in documents:
            await catalogue.document(document)
        edges = []
        for text in left_out.edges:
            edge = await self.finder.edge(text, collection, graphs)
            if edge is None:
                raise InvalidInput(
                    f"{text[:200]!r} is not an edge. Write SUBJECT | RELATION | OBJECT, or its IRI in a trace."
                )
            edges.append(edge)
        return Without(tuple(documents), tuple(edges))


def question(asked: PostedAskRequest, circumstances: Circumstances) -> Question:
    return Question(
        question_text(asked.query),
        asked.collection,
        asked.method,
        asked.limits,
        asked.edge_limit,
        asked.engine,
        asked.corrective,
        reranker_name(asked.rerank),
        circumstances,
        asked.parameters,
    )


def _settings(asked: PostedAskRequest) -> tuple[str, ...]:
    said = asked.model_dump(mode="json", exclude_defaults=True)
    return tuple(f"{name}={json.dumps(said[name])}" for name in sorted(said) if name not in _NO_SETTINGS)
