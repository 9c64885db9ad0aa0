"""An erasure certificate: what was removed with a document, from where, what is kept, and which copies are known.

It is made after the deletion, from what the store says of it and from what is looked up in the store then. It is sealed
and signed like a proof bundle, and `verify_bundle` verifies it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape
from typing import Any, Final

from provgraph import __version__
from provgraph.attestation.records import fingerprint
from provgraph.catalogue.collections import Collections
from provgraph.errors import Conflict, NotFound
from provgraph.ports.quad_store import QuadPattern
from provgraph.ports.signer import Signer
from provgraph.proofs.bundle import json_bytes, sealed_and_signed
from provgraph.rdf.terms import NamedNode, Quad, integer_of, nodes_of, text_of
from provgraph.rdf.vocabulary import PROV, RDF, TG

FORMAT: Final = "provgraph-erasure"
COPIES: Final = {
    "archive": "archive of the collection",
    "backup": "backup of everything",
    "proof": "proof bundle of an answer",
}
COMPACTED: Final = "compacted"
_COUNTS: Final = {
    "pages": TG.removed_pages,
    "chunks": TG.removed_chunks,
    "subgraphs": TG.removed_subgraphs,
    "facts": TG.removed_facts,
    "names": TG.removed_entities,
    "facts kept": TG.kept_facts,
    "answers that stood on it": TG.stale_answers,
    "answers redacted": TG.redacted_answers,
}
_NAMING: Final = """SELECT (COUNT(*) AS ?count) {{ GRAPH ?g {{ ?s ?p ?o }}
    FILTER(STRSTARTS(STR(?s), "{0}/") || (isIRI(?o) && STRSTARTS(STR(?o), "{0}/"))) }}"""


@dataclass(frozen=True)
class ErasureFacts:
    """What is certified; times are ISO 8601 in UTC. `left` counts statements that still name a part of the document."""

    deletion: str
    document: str
    collection: str
    by: str
    at: str
    erased: str
    counts: Mapping[str, int]
    left: int
    copies: Sequence[Mapping[str, str]]


@dataclass(frozen=True)
class Certificates:
    """`journal` has the copies that were handed out, and when files were written anew, the oldest first."""

    collections: Collections
    signer: Signer
    journal: Callable[[], Awaitable[list[Mapping[str, str]]]]
    now: Callable[[], datetime]

    async def certificate(self, deletion: NamedNode, collection: str) -> bytes:
        """Raises `NotFound` for what is no deletion there, `Conflict` where its words may still be in files."""
        facts = await self._facts(deletion, collection)
        made = self.now().isoformat(timespec="seconds").replace("+00:00", "Z")
        about = {
            "format": FORMAT,
            "version": 1,
            "software": f"ProvGraph {__version__}",
            "made": made,
            "document": facts.document,
            "deletion": facts.deletion,
            "key": fingerprint(self.signer.public_key),
        }
        parts = {
            "index.html": certificate_page(facts, about).encode(),
            "certificate.jsonld": json_bytes(certificate_graph(facts, about)),
        }
        return sealed_and_signed(parts, about, self.signer)

    async def _facts(self, deletion: NamedNode, collection: str) -> ErasureFacts:
        graphs = await self.collections.require(collection)
        store = self.collections.store.of(collection)
        (quads,) = await store.match([QuadPattern(deletion, graph=graphs.source)])
        if Quad(deletion, RDF.type, TG.Deletion, graphs.source) not in quads:
            raise NotFound(
                f"{deletion.value[:200]} is not a deletion of this collection. Take `deletion` of its report."
            )
        document = nodes_of(quads, TG.changed_document)[0].value
        agent = nodes_of(quads, PROV.was_associated_with)[0].value
        at = text_of(quads, PROV.started_at_time)
        entries = await self.journal()
        erased = next((e["at"] for e in entries if e["what"] == COMPACTED and e["at"] >= at), "")
        if not erased:
            raise Conflict(
                "The files were not rewritten since the deletion, so the document's words may still be in them. "
                "Run 'provgraph compact', then ask for the certificate again."
            )
        (row,) = await store.select(_NAMING.format(document.replace("\\", "").replace('"', "")))
        return ErasureFacts(
            deletion=deletion.value,
            document=document,
            collection=collection,
            by=agent.rpartition(":")[2],
            at=at,
            erased=erased,
            counts={name: integer_of(quads, term) for name, term in _COUNTS.items()},
            left=int(getattr(row["count"], "value", "0")),
            copies=[e for e in entries if e["what"] in COPIES and e["at"] <= at and _may_hold(e, collection)],
        )


def _may_hold(entry: Mapping[str, str], collection: str) -> bool:
    return entry["what"] == "backup" or entry.get("collection", "") == collection


_PLACES: Final = (
    ("store", "statements removed, and its files rewritten"),
    ("library", "bytes of the document, texts of its pages, texts of redacted answers: removed"),
    ("indexes and vectors", "entries removed, and their files rewritten"),
    ("signed records", "entries of removed statements struck: their hashes cannot be guessed from"),
    ("caches", "copies for queries, finished jobs and sessions in memory: forgotten"),
)
_NOT_COVERED: Final = (
    "Copies that were handed out before (above) are beyond this installation's reach: delete them where they are kept.",
    "Exports as RDF, and what clients were answered, are not noted.",
    "Logs of the operating system, of proxies and of a model's provider are not kept by ProvGraph.",
    "The document's own file, where it was ingested from, is not ProvGraph's.",
)


def certificate_graph(facts: ErasureFacts, about: Mapping[str, Any]) -> dict[str, Any]:
    """PROV-O, and terms of the Data Privacy Vocabulary (https://w3id.org/dpv, version 2)."""
    return {
        "@context": {
            "prov": "http://www.w3.org/ns/prov#",
            "dpv": "https://w3id.org/dpv#",
            "dcterms": "http://purl.org/dc/terms/",
            "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
            "tg": "https://trustgraph.ai/ns/",
            "xsd": "http://www.w3.org/2001/XMLSchema#",
        },
        "@graph": [
            {
                "@id": facts.deletion,
                "@type": ["prov:Activity", "dpv:Process", "tg:Deletion"],
                "rdfs:label": "Erasure of a document",
                "dpv:hasProcessing": {"@id": "dpv:Erase"},
                "dpv:hasActivityStatus": {"@id": "dpv:ActivityCompleted"},
                "tg:changedDocument": {"@id": facts.document},
                "prov:startedAtTime": _time(facts.at),
                "prov:endedAtTime": _time(facts.erased),
                "prov:wasAssociatedWith": {"@id": f"urn:trustgraph:person:{facts.by}"},
                **{
                    f"tg:{term.value.rpartition('/')[2]}": facts.counts[name]
                    for name, term in _COUNTS.items()
                },
            },
            {
                "@id": facts.document,
                "@type": "prov:Entity",
                "prov:wasInvalidatedBy": {"@id": facts.deletion},
                "prov:invalidatedAtTime": _time(facts.at),
            },
            *(
                {
                    "@id": f"_:copy{number}",
                    "@type": "prov:Entity",
                    "rdfs:label": COPIES[copy["what"]],
                    "prov:generatedAtTime": _time(copy["at"]),
                    "dcterms:accessRights": "handed out; may hold the document",
                }
                for number, copy in enumerate(facts.copies)
            ),
            {
                "@id": f"{facts.deletion}#certificate",
                "@type": "prov:Entity",
                "dcterms:created": _time(str(about["made"])),
                "prov:wasDerivedFrom": {"@id": facts.deletion},
            },
        ],
    }


def _time(value: str) -> dict[str, str]:
    return {"@value": value, "@type": "xsd:dateTime"}


_STYLE: Final = """body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.1rem; margin-top: 2rem } table { border-collapse: collapse; width: 100% }
td, th { border-bottom: 1px solid #8884; padding: .3rem .5rem .3rem 0; text-align: left; vertical-align: top }
td { overflow-wrap: anywhere } th { font-weight: normal; color: #555; width: 14rem }
@media print { body { margin: 0 } }"""


def certificate_page(facts: ErasureFacts, about: Mapping[str, Any]) -> str:
    """A whole HTML document, to be printed and filed."""
    told = {
        "Document": facts.document,
        "Collection": facts.collection,
        "Asked for by": facts.by,
        "Deleted": facts.at,
        "Files rewritten": facts.erased,
        "Deletion": facts.deletion,
        "Certified": about["made"],
        "By": about["software"],
        "Signed by key": about["key"],
    }
    kept = facts.counts["facts kept"]
    others = (
        f"{kept:,} of its facts stay, as other documents say them too, with those as their sources."
        if kept
        else "No fact of it is said by another document."
    )
    naming = (
        "No statement of the store names a part of the document."
        if not facts.left
        else f"{facts.left:,} statements still name a part of it, such as what answers say that they lost."
    )
    unredacted = facts.counts["answers that stood on it"] - facts.counts["answers redacted"]
    if unredacted > 0:
        naming += f" {unredacted:,} answers that stood on it were not redacted: they may hold its words."
    copies = {f"{n}. {COPIES[copy['what']]}": copy["at"] for n, copy in enumerate(facts.copies, 1)}
    removed = {name: f"{count:,}" for name, count in facts.counts.items() if name != "facts kept"}
    return "\n".join(
        [
            '<!doctype html><html lang="en"><head><meta charset="utf-8">',
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">",
            f"<title>Erasure certificate</title><style>{_STYLE}</style></head><body>",
            "<h1>Erasure certificate</h1>",
            _table(told),
            "<h2>What was removed</h2>",
            _table(removed),
            "<h2>From where</h2>",
            _table(dict(_PLACES)),
            f"<p>{escape(naming)}</p>",
            "<h2>What others say</h2>",
            f"<p>{escape(others)}</p>",
            "<h2>Copies that are known</h2>",
            _table(copies) if copies else "<p>None was handed out since this is noted.</p>",
            "<ul>",
            *(f"<li>{escape(each)}</li>" for each in _NOT_COVERED),
            "</ul>",
            "<p>Verify this certificate with <code>provgraph verify-bundle</code>.</p>",
            "</body></html>\n",
        ]
    )


def _table(rows: Mapping[str, Any]) -> str:
    cells = (f"<tr><th>{escape(name)}</th><td>{escape(str(value))}</td></tr>" for name, value in rows.items())
    return f"<table>{''.join(cells)}</table>"
