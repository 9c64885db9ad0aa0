"""The ports of likeness as JSON: what a service asks the one that keeps vectors for, and what it is given.

For services of one version only. Documents are named once, and pairs by their places among them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from provgraph.ports.document_similarity import DocumentPairs, LikeDocuments
from provgraph.ports.node_similarity import LikeNode, LikeNodes, SoughtWords
from provgraph.rdf.terms import NamedNode

Json = dict[str, Any]

PATH: Final = "/internal/v1/retrieval/likeness"


def sought_to_json(sought: SoughtWords) -> Json:
    return {
        "names": list(sought.names),
        "kinds": list(sought.kinds),
        "labels_per_name": sought.labels_per_name,
        "labels_per_kind": sought.labels_per_kind,
    }


def sought_from_json(told: Json) -> SoughtWords:
    """Raises `KeyError` or `TypeError` for anything else."""
    return SoughtWords(
        tuple(told["names"]), tuple(told["kinds"]), told["labels_per_name"], told["labels_per_kind"]
    )


def like_nodes_to_json(found: LikeNodes) -> Json:
    return {"nodes": _told(found.nodes), "types": _told(found.types)}


def like_nodes_from_json(told: Json) -> LikeNodes:
    """Raises `KeyError`, `TypeError` or `ValueError` for anything else."""
    return LikeNodes(_read(told["nodes"]), _read(told["types"]))


def document_pairs_to_json(found: DocumentPairs) -> Json:
    places: dict[NamedNode, int] = {}
    pairs = [
        [*(places.setdefault(document, len(places)) for document in each.documents), each.cosine]
        for each in found.pairs
    ]
    return {"model": found.model, "documents": [node.value for node in places], "pairs": pairs}


def document_pairs_from_json(told: Json) -> DocumentPairs:
    """Raises `KeyError`, `TypeError`, `ValueError` or `IndexError` for anything else."""
    documents = [NamedNode(node) for node in told["documents"]]
    pairs = (
        LikeDocuments((documents[first], documents[second]), cosine)
        for first, second, cosine in told["pairs"]
    )
    return DocumentPairs(told["model"], tuple(pairs))


def _told(found: Iterable[LikeNode]) -> list[list[Any]]:
    return [[each.node.value, each.label, each.score] for each in found]


def _read(told: Iterable[list[Any]]) -> tuple[LikeNode, ...]:
    return tuple(LikeNode(NamedNode(node), label, score) for node, label, score in told)
