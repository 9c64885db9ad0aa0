"""What is written of one session: each step is in the store before it is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pyoxigraph import NamedNode, Quad

from provgraph.graph_rag.accounts import Accounts
from provgraph.graph_rag.events import Explained
from provgraph.ports.quad_store import QuadStore
from provgraph.provenance.trace import TraceScope


@dataclass(frozen=True)
class SessionRecord:
    store: QuadStore
    scope: TraceScope
    accounts: Accounts

    async def explained(self, entity: NamedNode, quads: Sequence[Quad]) -> Explained:
        await self.store.add(quads)
        return Explained(entity, quads)
