"""A service with a language model of the suite's own behind it, over real sockets, and what a good model answers."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from api.running import Running, Sent, running
from provgraph.checking.pipeline import Checker
from provgraph.wire.service import CheckFinding
from servers.openai_server import Answer, Asked, OpenAIServer

MODEL = "lab/tiny:7b"
SAID = "Marie Curie discovered polonium in 1898 [1]. It glows in the dark [1]. Whales sing."
RELEVANT = '{"relevant": true, "reasoning": "It names polonium."}'
CLEAN = "Marie Curie discovered polonium in 1898. It glows in the dark. Whales sing."
MODEL_FREE = "Marie Curie discovered polonium in 1898."
BY_RULES = MODEL_FREE


def step(asked: Asked) -> str:
    begins = {
        "You find": "grounding",
        "You judge whether": "check",
        "You judge how well": "reranking",
        "You choose": "selection",
        "You answer": "answer",
    }
    return next(name for words, name in begins.items() if asked.system.startswith(words))


def candidates(asked: Asked) -> list[dict[str, str]]:
    return listed(asked, "edges")


def listed(asked: Asked, tag: str) -> list[dict[str, Any]]:
    """The lines that a prompt lists between `tag`s."""
    lines = asked.user.split(f"<{tag}>\n")[1].split(f"\n</{tag}>")[0]
    return [json.loads(line) for line in lines.split("\n")]


def polonium(asked: Asked) -> str:
    """The lines of a good selection: who discovered polonium, and when."""
    said = [
        each for each in candidates(asked) if (each["subject"], each["object"]) == ("polonium", "Marie Curie")
    ]
    return "\n".join(json.dumps({"id": each["id"], "reasoning": "It names who."}) for each in said)


def scores(asked: Asked) -> str:
    """9 for what names polonium, 1 for the rest."""
    return "\n".join(
        json.dumps({"id": each["id"], "score": 9 if "polonium" in each["text"].casefold() else 1})
        for each in listed(asked, "texts")
    )


Script = Callable[[Asked], Answer]


def good(**instead: Answer) -> Script:
    """A good model, but for these steps."""

    def answer(asked: Asked) -> Answer:
        name = step(asked)
        if name in instead:
            return instead[name]
        said = {"grounding": '{"concept": "polonium"}', "check": RELEVANT, "answer": SAID}
        if name == "reranking":
            return Answer(scores(asked))
        return Answer(said.get(name) or polonium(asked))

    return answer


def by_model(server: OpenAIServer, **changed: Any) -> dict[str, Any]:
    return {"llm_model": MODEL, "OPENAI_BASE_URL": server.url, "llm_retries": 0, **changed}


@asynccontextmanager
async def failing(data: Path, server: OpenAIServer, script: Any, **changed: Any) -> AsyncIterator[Running]:
    server.answer(script)
    async with running(data, **by_model(server, **changed)) as made:
        yield made


async def trace(service: Running) -> dict[str, Any]:
    """The only session's trace, once its store was found sound."""
    checker = Checker(service.assembly.store, service.assembly.library, "explainability")
    assert [event async for event in checker.check("default") if isinstance(event, CheckFinding)] == []
    session = (await service.trace_of_only_session())["session"]
    view: dict[str, Any] = await service.get(f"/api/v1/traces/{session}")
    return view


def told(sent: list[Sent]) -> str:
    return "".join(message.data.get("response") or "" for message in sent)
