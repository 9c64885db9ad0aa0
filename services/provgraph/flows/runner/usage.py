"""What models had to do with a session: each call kept word for word and described, and all of them summed up."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from provgraph.documents.library import Library
from provgraph.ports.language_model import Exchange
from provgraph.provenance.model_calls import Usage, call_quads, warning_quads
from provgraph.provenance.trace import TraceScope
from provgraph.rdf.terms import Quad


@dataclass(frozen=True)
class ModelCall:
    """What a step asked of a model, word for word, also where it broke off: one call, or several side by side."""

    exchanges: tuple[Exchange, ...]
    usage: Usage


@dataclass(frozen=True)
class Account:
    """How a step went: the call it made, if any, and what a reader should be warned of."""

    call: ModelCall | None = None
    warnings: tuple[str, ...] = ()


class Accounts:
    """`usage` and `warnings` are of all steps that were kept; `exchanges` takes those of the step at hand, each when
    it begins, so that they can be kept even where the step is cut off."""

    def __init__(self, library: Library, collection: str, scope: TraceScope) -> None:
        self.usage = Usage()
        self.warnings: list[str] = []
        self.exchanges: list[Exchange] = []
        self._library = library
        self._collection = collection
        self._scope = scope
        self._step = ""
        self._bare: Sequence[Quad] = ()

    def begin(self, step: str, bare: Sequence[Quad]) -> None:
        """A step that may ask a model; `bare` describes it where nothing comes of it."""
        self._step, self._bare = step, bare
        self.exchanges.clear()

    async def keep(self, step: str, account: Account) -> list[Quad]:
        """What the trace says of a step's calls and warnings; the words themselves go to the library."""
        names, graph = self._scope.names, self._scope.graph
        self.exchanges.clear()
        self.warnings += account.warnings
        quads = warning_quads(names, step, account.warnings, graph)
        if call := account.call:
            self.usage = _sum(self.usage, call.usage)
            words = {
                names.prompt(step): _joined(_read(each) for each in call.exchanges),
                names.reply(step): _joined(each.reply for each in call.exchanges),
            }
            await self._library.keep_all(self._collection, words)
            quads += call_quads(names, step, call.usage, call.exchanges[0].prompt_hash, graph)
        return quads

    async def keep_answer(self, text: str) -> None:
        """The answer's text, in the library."""
        await self._library.keep(self._collection, self._scope.names.answer_text, text.encode())

    async def keep_cut_off(self) -> list[Quad]:
        """What there is to say of a step that does not come to its end; nothing where it asked no model."""
        if not self.exchanges:
            return []
        first = self.exchanges[0]
        usage = Usage(first.model, duration_ms=round((time.monotonic() - first.began) * 1000))
        return [*self._bare, *await self.keep(self._step, Account(ModelCall(tuple(self.exchanges), usage)))]


def _read(exchange: Exchange) -> str:
    return f"# System\n{exchange.prompted.system}\n\n# User\n{exchange.prompted.user}\n"


def _joined(texts: Iterable[str]) -> bytes:
    """The words of one call as they are; those of several, each under its number."""
    first, *others = texts
    if not others:
        return first.encode()
    return "\n".join(f"# Call {number}\n{text}" for number, text in enumerate((first, *others), 1)).encode()


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
