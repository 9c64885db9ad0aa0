"""How a language model's answer streams: without its citation markers, or as a refusal, or else another's answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import Final

from anyio import to_thread

from provgraph.errors import ModelUnavailable
from provgraph.flows.runner.answers import REFUSAL, AnswerSentence, DraftAnswer, refusal
from provgraph.flows.runner.citation_markers import MarkedText
from provgraph.flows.runner.model_calls import ModelCall
from provgraph.flows.runner.run import Run

CUT_SHORT: Final = "The model's answer was cut at its limit of length. Raise PROVGRAPH_LLM_MAX_OUTPUT_TOKENS."
WITHHELD: Final = "The model's provider withheld a part of its answer."


async def stream_model_answer(
    run: Run,
    call: ModelCall,
    sentences: Callable[[MarkedText], tuple[AnswerSentence, ...]],
    otherwise: Callable[[], Awaitable[DraftAnswer]],
    warning: Callable[[ModelUnavailable | None], str],
) -> DraftAnswer:
    """Say a model's answer while it streams; `sentences` reads from it what each sentence cites, beside the event loop.

    Where the model says nothing, or fails before its first word, `otherwise` answers, with the `warning` of that. One
    that fails later leaves what was said, without sentences.
    """
    answer, failure = MarkedText(), None
    try:
        async with aclosing(call.pieces()) as pieces:
            async for piece in pieces:
                if text := answer.feed(piece):
                    await run.say(text)
        if text := answer.finish():
            await run.say(text)
    except ModelUnavailable as unavailable:
        failure = unavailable
    if answer.text:
        run.warn(*{"length": [CUT_SHORT], "refused": [WITHHELD]}.get(call.finish, []))
        cited = () if failure else await to_thread.run_sync(sentences, answer)
        return DraftAnswer(answer.text, cited, failure=failure)
    if answer.refuses and not failure:
        await run.say(REFUSAL)
        return refusal()
    run.warn(warning(failure))
    return await otherwise()
