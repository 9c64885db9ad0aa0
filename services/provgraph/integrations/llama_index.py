"""ProvGraph as a retriever and a query engine of LlamaIndex: `pip install provgraph[llama-index]`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.base.response.schema import Response
from llama_index.core.callbacks import CallbackManager
from llama_index.core.schema import (
    NodeRelationship,
    NodeWithScore,
    QueryBundle,
    RelatedNodeInfo,
    TextNode,
)

from provgraph.client.answers import ProvedAnswer
from provgraph.client.async_client import AsyncClient
from provgraph.client.client import Client
from provgraph.client.evidence import ProvedFact, QuotedSource
from provgraph.integrations.passages import Boxes, Content, PlacedSearch, ProvedPassage, of_source


class ProvGraphRetriever(BaseRetriever):
    """Nodes that say which characters of which page they are, and which facts were read there.

    `target` is a folder or an address, as of `provgraph.Client`. `content` chooses chunks, facts (each the sentence
    that says it) or both in turn; `similarity_top_k` is how many. `boxes` adds where the words stand on pages that have
    a picture. `options` are further fields of a retrieval, such as `method` or `documents`. Close `client` and
    `async_client`, which is of one event loop, to let a folder go.
    """

    def __init__(
        self,
        target: str | Path | None = None,
        *,
        token: str | None = None,
        collection: str = "default",
        similarity_top_k: int = 5,
        content: Content = "chunks",
        boxes: bool = False,
        **options: Any,
    ) -> None:
        super().__init__()
        self.client = Client(target, token=token, collection=collection)
        self.async_client = AsyncClient(target, token=token, collection=collection)
        self._search = PlacedSearch(similarity_top_k, content, boxes, options)

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        found = self._search.found(self.client, query_bundle.query_str)
        return [_node(*each) for each in found]

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        found = self._search.found_async(self.async_client, query_bundle.query_str)
        return [_node(*each) async for each in found]


class ProvGraphQueryEngine(BaseQueryEngine):
    """Answers of ProvGraph: the response's `source_nodes` are the words that it cites, its `metadata` the proof.

    `flow` is the way of asking, and `options` are further fields of a question.
    """

    def __init__(
        self,
        target: str | Path | None = None,
        *,
        token: str | None = None,
        collection: str = "default",
        flow: str = "graph-rag",
        callback_manager: CallbackManager | None = None,
        **options: Any,
    ) -> None:
        super().__init__(callback_manager=callback_manager)
        self.client = Client(target, token=token, collection=collection)
        self.async_client = AsyncClient(target, token=token, collection=collection)
        self._flow = flow
        self._options = options

    def _get_prompt_modules(self) -> dict[str, Any]:
        return {}

    def _query(self, query_bundle: QueryBundle) -> Response:
        return _response(self.client.ask(query_bundle.query_str, flow=self._flow, **self._options))

    async def _aquery(self, query_bundle: QueryBundle) -> Response:
        return _response(
            await self.async_client.ask(query_bundle.query_str, flow=self._flow, **self._options)
        )


def _node(passage: ProvedPassage, boxes: Boxes) -> NodeWithScore:
    metadata = passage.metadata(boxes)
    shown = {"title", "file", "page"}
    node = TextNode(
        id_=passage.iri,
        text=passage.text,
        metadata=metadata,
        start_char_idx=passage.start,
        end_char_idx=passage.end,
        excluded_embed_metadata_keys=[name for name in metadata if name not in shown],
        excluded_llm_metadata_keys=[name for name in metadata if name not in shown],
        relationships={NodeRelationship.SOURCE: RelatedNodeInfo(node_id=passage.document)},
    )
    return NodeWithScore(node=node, score=passage.score)


def _response(answer: ProvedAnswer) -> Response:
    """With a node for each place that is cited, scored by the best of the facts that it says."""
    facts = answer.proof.facts if answer.proof else ()
    nodes = []
    for source in answer.sources:
        said = tuple(
            fact for fact in facts if any(_is_at(quoted_source, source) for quoted_source in fact.sources)
        )
        score = max((fact.score for fact in said if fact.score is not None), default=1.0)
        nodes.append(_node(of_source(source, score, said), []))
    return Response(response=answer.text, source_nodes=nodes, metadata=_metadata(answer, facts))


def _is_at(one: QuotedSource, other: QuotedSource) -> bool:
    return (one.page_iri, one.start, one.end) == (other.page_iri, other.start, other.end)


def _metadata(answer: ProvedAnswer, facts: tuple[ProvedFact, ...]) -> dict[str, Any]:
    """The proof as plain values: sentences with the places that they cite, facts with their reasons, the trace."""
    places = {source: number for number, source in enumerate(answer.sources)}
    return {
        "session": answer.session,
        "outcome": answer.outcome,
        "short_answer": answer.short_answer,
        "sentences": [
            {
                "text": sentence.text,
                "start": sentence.start,
                "end": sentence.end,
                "supported": sentence.supported,
                "origin": sentence.origin,
                "source_nodes": [places[source] for source in sentence.sources],
            }
            for sentence in answer.sentences
        ],
        "facts": [
            {"fact": str(fact), "iri": fact.iri, "score": fact.score, "reasoning": fact.reasoning}
            for fact in facts
        ],
        "trace": dict(answer.proof.trace) if answer.proof else {},
    }
