"""What the model had to do with a session: each call kept word for word and described, and all of them summed up."""

from __future__ import annotations

from pyoxigraph import Quad

from provgraph.documents.library import Library
from provgraph.graph_rag.engine import Account, ModelCall
from provgraph.provenance.model_calls import Usage, call_quads, warning_quads
from provgraph.provenance.trace import TraceScope


class Accounts:
    """`usage` and `warnings` are of all steps that were kept."""

    def __init__(self, library: Library, collection: str, scope: TraceScope) -> None:
        self.usage = Usage()
        self.warnings: list[str] = []
        self._library = library
        self._collection = collection
        self._scope = scope

    async def keep(self, step: str, account: Account) -> list[Quad]:
        """What the trace says of a step's call and warnings; the words themselves go to the library."""
        names, graph = self._scope.names, self._scope.graph
        self.warnings += account.warnings
        quads = warning_quads(names, step, account.warnings, graph)
        if call := account.call:
            self.usage = _sum(self.usage, call.usage)
            words = {names.prompt(step): _read(call).encode(), names.reply(step): call.reply.encode()}
            await self._library.keep_all(self._collection, words)
            quads += call_quads(names, step, call.usage, call.prompt_hash, graph)
        return quads


def _read(call: ModelCall) -> str:
    return f"# System\n{call.prompted.system}\n\n# User\n{call.prompted.user}\n"


def _sum(one: Usage, other: Usage) -> Usage:
    """Of counts that are not known the sum is what is known."""

    def both(count: int | None, more: int | None) -> int | None:
        return more if count is None else count + (more or 0)

    return Usage(
        other.model,
        both(one.in_tokens, other.in_tokens),
        both(one.out_tokens, other.out_tokens),
        one.duration_ms + other.duration_ms,
    )
