"""Facts that a model reads from the passages for one claim: side by side, within one limit of time for all of them.

What it quotes has to stand in the passage. These facts are part of the local graph and of the response; they are not
stored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import anyio

from provgraph.errors import ModelUnavailable
from provgraph.flows.fact_verification.evidence import GraphFact, Passage
from provgraph.flows.runner.call import Call
from provgraph.flows.runner.usage import Account, ModelCall
from provgraph.language.json_items import items_of
from provgraph.language.quotes import QuotableText
from provgraph.ports.language_model import Exchange, LanguageModel
from provgraph.prompts import Prompt
from provgraph.provenance.model_calls import Usage

PLACES: Final = frozenset({"title", "text"})
CONFIDENCE: Final = 0.75
"""Of a fact whose quote stands in the passage, and that nothing else was held against."""

_LONGEST_LABEL: Final = 120


@dataclass(frozen=True)
class ModelReader:
    """`exchanges` gets the words of each call when it begins; all calls end after `seconds`."""

    model: LanguageModel
    prompt: Prompt
    max_output_tokens: int
    seconds: float
    exchanges: list[Exchange]

    async def facts(self, passages: Sequence[Passage]) -> tuple[list[GraphFact], Account]:
        """What was read in time, and how it went. Does not fail because the model does."""
        calls = [self._call(passage) for passage in passages]
        if not calls:
            return [], Account()
        failures: list[str] = []
        self.exchanges.extend(call.exchange for call in calls)
        with anyio.move_on_after(self.seconds) as limit:
            async with anyio.create_task_group() as group:
                for call in calls:
                    group.start_soon(_finish, call, failures)
        if limit.cancelled_caught:
            failures.append(f"Reading facts by model was ended after {self.seconds:g} s.")
        facts = [
            fact
            for passage, call in zip(passages, calls, strict=True)
            for fact in _facts(passage, call.reply)
        ]
        return facts, Account(_together(calls), tuple(dict.fromkeys(failures)))

    def _call(self, passage: Passage) -> Call:
        values = {"title": passage.hit.title, "text": passage.hit.text}
        return Call(self.model, self.prompt, values, self.max_output_tokens)


async def _finish(call: Call, failures: list[str]) -> None:
    try:
        await call.whole()
    except ModelUnavailable as unavailable:
        failures.append(f"{unavailable} The facts that are stored were used.")


def _facts(passage: Passage, reply: str) -> Iterator[GraphFact]:
    """The statements of a reply whose quotes stand in the passage."""
    quotable = QuotableText.of(passage.hit.text)
    for item in items_of(reply) or ():
        subject, relation, object_ = (_label(item, key) for key in ("subject", "relation", "object"))
        span = quotable.find(_label(item, "quote", 2_000))
        if subject and relation and object_ and span:
            yield GraphFact(
                labels=(subject, relation, object_),
                ends=(subject.casefold(), object_.casefold()),
                confidence=CONFIDENCE,
                rank=passage.rank,
                words=(passage.words(*span),),
            )


def _label(item: dict[str, Any], key: str, longest: int = _LONGEST_LABEL) -> str:
    said = item.get(key)
    return " ".join(said.split())[:longest] if isinstance(said, str) else ""


def _together(calls: Sequence[Call]) -> ModelCall:
    made = [call.made() for call in calls]
    usages = [each.usage for each in made]
    ins = [usage.in_tokens for usage in usages if usage.in_tokens is not None]
    outs = [usage.out_tokens for usage in usages if usage.out_tokens is not None]
    usage = Usage(
        usages[0].model,
        sum(ins) if ins else None,
        sum(outs) if outs else None,
        max(each.duration_ms for each in usages),
    )
    return ModelCall(tuple(exchange for each in made for exchange in each.exchanges), usage)
