"""What a user of TrustGraph's Python API writes: run by the interpreter of the published client, tells what it saw.

Takes the address of a service and its token, which may be empty, and prints one JSON object. Nothing of ProvGraph is
imported.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from trustgraph.api import Api, ExplainabilityClient, ProvenanceEvent  # type: ignore[import-not-found]

QUESTION = "Who discovered polonium?"


def main(url: str, token: str) -> None:
    api = Api(url=url, token=token or None)
    asked = api.flow().id("default")
    flow = api.socket().flow("default")
    events = list(flow.graph_rag_explain(query=QUESTION, collection="default"))
    documents = list(flow.document_rag_explain(query=QUESTION, collection="default"))
    explained = ExplainabilityClient(flow)
    said = {
        "graph_rag": text(asked.graph_rag(QUESTION)),
        "document_rag": text(asked.document_rag(QUESTION)),
        "graph_events": steps(events),
        "graph_text": told(events),
        "document_events": steps(documents),
        "document_text": told(documents),
        "trace": traced(explained, begun(events), api),
        "document_trace": document_traced(explained, begun(documents), api),
        "sessions": [each.query for each in explained.list_sessions(collection="default")],
        "exported": [
            triple.s["i"] for triple in api.bulk().export_triples(flow="default") if "i" in triple.s
        ],
    }
    api.close()
    print(json.dumps(said))


def text(answer: Any) -> str:
    return str(getattr(answer, "text", answer))


def steps(events: list[Any]) -> list[str]:
    """The kinds of the entities that came with the events."""
    return [type(event.entity).__name__ for event in events if isinstance(event, ProvenanceEvent)]


def begun(events: list[Any]) -> str:
    return str(next(event.explain_id for event in events if isinstance(event, ProvenanceEvent)))


def told(events: list[Any]) -> str:
    return "".join(event.content for event in events if not isinstance(event, ProvenanceEvent))


def traced(client: Any, question: str, api: Any) -> dict[str, Any]:
    trace = client.fetch_graphrag_trace(question, collection="default", api=api)
    edges = [client.resolve_edge_labels(each.edge, "default") for each in trace["focus"].edge_selections]
    return {"steps": sorted(name for name, step in trace.items() if step), "edges": edges}


def document_traced(client: Any, question: str, api: Any) -> dict[str, Any]:
    trace = client.fetch_docrag_trace(question, collection="default", api=api)
    return {
        "steps": sorted(name for name, step in trace.items() if step),
        "chunks": trace["exploration"].chunk_count,
        "kind": client.detect_session_type(question, collection="default"),
    }


if __name__ == "__main__":
    main(*sys.argv[1:])
