"""What a way of asking says: text while it comes, then what stands behind it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Final, Generic, TypeVar

from provgraph.errors import ModelUnavailable, ProvGraphError
from provgraph.flows.runner.call import Call
from provgraph.flows.runner.citation_markers import MarkedText
from provgraph.flows.runner.events import CitedSentence, Event, Explained, Finished, TextAdded
from provgraph.flows.runner.record import SessionRecord
from provgraph.flows.runner.usage import Account
from provgraph.provenance import trace
from provgraph.provenance.trace import Outcome
from provgraph.rdf.terms import Quad
from provgraph.wire.highlights import Highlights

S = TypeVar("S")

REFUSAL: Final = "No answer found."
CUT_SHORT: Final = "The model's answer was cut at its limit of length. Raise PROVGRAPH_LLM_MAX_OUTPUT_TOKENS."
WITHHELD: Final = "The model's provider withheld a part of its answer."


@dataclass(frozen=True)
class Told(Generic[S]):
    """An answer when its last word is said, `statements` its sentences with what is behind them.

    Without statements it is a refusal, or with `failure` broke off.
    """

    text: str
    statements: tuple[S, ...]
    account: Account = Account()
    failure: ProvGraphError | None = None


Parts = AsyncGenerator[str | Told[S]]
"""The text as it comes, then `Told`, whose text is all that was said before it."""


@dataclass(frozen=True)
class Ending:
    """What a trace says of an answer when it is complete: `support` is told to clients too, `passed_over` is not.

    `highlights` go with the last message only.
    """

    support: Sequence[Quad]
    passed_over: Iterable[Quad]
    sentences: tuple[CitedSentence, ...]
    highlights: Highlights | None = None


async def told_by_model(
    call: Call,
    statements: Callable[[MarkedText], tuple[S, ...]],
    otherwise: Parts[S],
    instead: Callable[[ModelUnavailable | None], str],
) -> Parts[S]:
    """A model's marked answer with the `statements` that are read from it, or its refusal.

    Where the model says nothing, or fails before its first word, `otherwise` answers, with the warning that `instead`
    gives; one that fails later leaves what was said, without statements.
    """
    answer, failure = MarkedText(), None
    try:
        async with aclosing(call.pieces()) as pieces:
            async for piece in pieces:
                if text := answer.feed(piece):
                    yield text
        if text := answer.finish():
            yield text
    except ModelUnavailable as unavailable:
        failure = unavailable
    if answer.text:
        said = () if failure else statements(answer)
        yield Told(answer.text, said, Account(call.made(), _endings(call)), failure)
    elif answer.refuses and not failure:
        yield REFUSAL
        yield Told(REFUSAL, (), Account(call.made()))
    else:
        account = Account(call.made(), (instead(failure),))
        async with aclosing(otherwise) as parts:
            async for part in parts:
                yield replace(part, account=account) if isinstance(part, Told) else part


async def tell(
    record: SessionRecord, begun: Callable[[], Parts[S]], ending: Callable[[Told[S]], Ending]
) -> AsyncGenerator[Event]:
    """The events of an answer: announced, its text as it comes, what is known of it then, and `Finished`.

    `begun` begins it. All that `ending` makes of it is in the store, and the text in the library, before the last
    two are told.
    """
    names, accounts = record.scope.names, record.accounts
    announced = trace.answer_quads(record.scope)
    yield await record.explained(names.step("answer"), announced)
    accounts.begin("answer", ())
    async with aclosing(begun()) as parts:
        async for part in parts:
            if isinstance(part, str):
                yield TextAdded(part)
            else:
                told = part
    await accounts.keep_answer(told.text)
    end = ending(told)
    known = [*end.support, *await accounts.keep("answer", told.account)]
    outcome = Outcome.ANSWERED if told.statements else Outcome.REFUSED
    if told.failure:
        outcome = Outcome.FAILED
    await record.end(outcome, [*known, *end.passed_over], str(told.failure or ""))
    yield Explained(names.step("answer"), [*announced, *known])
    yield Finished(
        names.session,
        outcome,
        told.text,
        end.sentences,
        accounts.usage,
        tuple(accounts.warnings),
        told.failure,
        end.highlights,
    )


def _endings(call: Call) -> tuple[str, ...]:
    return {"length": (CUT_SHORT,), "refused": (WITHHELD,)}.get(call.finish, ())
