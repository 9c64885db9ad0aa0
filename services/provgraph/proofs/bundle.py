"""A session as a proof bundle: one ZIP file, each part of it listed with its hash, and the list signed, for
`verify_bundle` to verify."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from anyio import to_thread

from provgraph import __version__
from provgraph.attestation.chain import last_head
from provgraph.attestation.records import fingerprint
from provgraph.errors import NotFound
from provgraph.ports.quad_store import QuadStore, StoreChange
from provgraph.ports.signer import Signer
from provgraph.proofs.crate import crate, web_annotations
from provgraph.proofs.page import CitedPage, PageReader, cited_sources, proof_page
from provgraph.proofs.verify_bundle import ANNOTATIONS, ANSWER, MANIFEST, SIGNATURE, sealed
from provgraph.rdf.projection import project_triple_terms
from provgraph.rdf.serialization import RdfFormat, serialize, serialized
from provgraph.rdf.terms import Quad
from provgraph.traces.reader import OpenedTrace, Traces
from provgraph.traces.routes import trace_view
from provgraph.wire.trace import TraceView

FORMAT: Final = "provgraph-proof"
VERSION: Final = 1


@dataclass(frozen=True)
class Proofs:
    """Makes bundles of what the traces hold, signed by the installation; `note` is told of each copy that is handed
    out, of which kind and collection."""

    traces: Traces
    store: QuadStore
    pages: PageReader
    signer: Signer
    now: Callable[[], datetime]
    note: Callable[[str, str], Awaitable[None]]

    async def bundle(self, session: str) -> bytes:
        """Raises `NotFound` for a session that is not there, or that gave no answer."""
        opened = await self.traces.open(session)
        view = await to_thread.run_sync(trace_view, opened)
        if view.answer is None:
            raise NotFound(
                f"The session {view.session} gave no answer, so there is nothing to prove. Look at its trace."
            )
        pages = await self.pages.pages(view.collection, cited_sources(view.answer))
        made = self.now().isoformat(timespec="seconds").replace("+00:00", "Z")
        head = await self.store.transact(lambda reader: StoreChange(last_head(reader)))
        about = {
            "format": FORMAT,
            "version": VERSION,
            "software": f"ProvGraph {__version__}",
            "made": made,
            "session": view.session,
            "question": view.query,
            "key": fingerprint(self.signer.public_key),
            **({"head": head.digest} if head else {}),
        }
        await self.note("proof", view.collection)
        return await to_thread.run_sync(self._sealed, opened, view, pages, about)

    def _sealed(
        self, opened: OpenedTrace, view: TraceView, pages: Mapping[str, CitedPage], about: Mapping[str, Any]
    ) -> bytes:
        return sealed_and_signed(_parts(opened, view, pages, about), about, self.signer)


def _parts(
    opened: OpenedTrace, view: TraceView, pages: Mapping[str, CitedPage], about: Mapping[str, Any]
) -> dict[str, bytes]:
    quads = list(dict.fromkeys([*opened.quads, *opened.source_quads]))
    annotated = web_annotations(view, pages)
    assert view.answer
    parts = {
        "index.html": proof_page(view, pages, about).encode(),
        ANSWER: view.answer.text.encode(),
        ANNOTATIONS: json_bytes(annotated),
        "trace.json": view.model_dump_json(indent=1, exclude_none=True).encode(),
        "provenance-rdf-1.2.trig": serialized(quads, RdfFormat.TRIG),
        "provenance-rdf-1.1.nq": _projected(quads),
    }
    for page in pages.values():
        parts[page.text_file] = page.text.encode()
        if page.picture:
            parts[page.picture_file] = page.picture
    return {"ro-crate-metadata.json": json_bytes(crate(view, parts, pages, about)), **parts}


def _projected(quads: Sequence[Quad]) -> bytes:
    """For readers of RDF 1.1: nodes in the place of triple terms, each graph by itself."""
    graphs = dict.fromkeys(quad.graph_name for quad in quads)
    projected = [
        Quad(triple.subject, triple.predicate, triple.object, graph)
        for graph in graphs
        for triple in project_triple_terms(quad.triple for quad in quads if quad.graph_name == graph)
    ]
    return serialize(projected, format=RdfFormat.N_QUADS) or b""


def sealed_and_signed(parts: Mapping[str, bytes], about: Mapping[str, Any], signer: Signer) -> bytes:
    """The parts, with a manifest that lists them beside what `about` says, and its signature."""
    listed = {
        name: {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for name, content in parts.items()
    }
    key = base64.b64encode(signer.public_key).decode()
    manifest = json_bytes({**about, "public_key": key, "parts": listed})
    signature = base64.b64encode(signer.sign(manifest))
    return sealed({**parts, MANIFEST: manifest, SIGNATURE: signature})


def json_bytes(content: Any) -> bytes:
    return json.dumps(content, indent=1, ensure_ascii=False).encode() + b"\n"
