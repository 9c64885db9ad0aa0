"""Which extractors read a collection, in which version: as its activities of extraction say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

from provgraph.ports.quad_store import QuadStore
from provgraph.rdf.terms import Literal, NamedNode, Term
from provgraph.rdf.vocabulary import PROV, RDF, TG

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
