"""Documents that are read the same whoever reads them, and a model that answers the same whenever it is asked."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from servers.openai_server import Answer, Asked

_FOUNDED: Final = re.compile(r"(Person\w+) founded (Town\w+) in \d+\.")


@dataclass(frozen=True)
class Sent:
    """A request: the name of the file and its bytes."""

    name: str
    content: bytes


def corpus(documents: int, sentences: int) -> list[Sent]:
    """Text files, and one file of JSON lines with as many documents again."""
    files = [Sent(f"towns-{number}.txt", _text(number, sentences).encode()) for number in range(documents)]
    lines = [
        json.dumps({"id": f"urn:towns:{number}", "title": f"Towns {number}", "text": _text(number, 3)})
        for number in range(1_000, 1_000 + documents)
    ]
    return [*files, Sent("towns.jsonl", "\n".join(lines).encode())]


def question(number: int) -> str:
    """One that a document of the corpus answers, once it is read."""
    return f"Who founded Town{number % 5}x{number % 7}?"


def _text(number: int, sentences: int) -> str:
    return "\n\n".join(
        f"Person{number}x{line} founded Town{number}x{line} in 1{(number * 31 + line) % 900:03}. "
        f"Town{number}x{line} lies on the river Otter, which nobody has measured since the year of the flood."
        for line in range(sentences)
    )


def townsfolk(delay_s: float) -> Callable[[Asked], Answer]:
    """A model that finds who founded what, each sentence of them, and takes its time."""

    def answer(asked: Asked) -> Answer:
        facts = [
            {"subject": who, "relation": "built", "object": what, "quote": found.group()}
            for found in _FOUNDED.finditer(asked.user)
            for who, what in [found.groups()]
        ]
        return Answer(json.dumps({"facts": facts}), delay_s=delay_s)

    return answer
