"""A short answer on the terminal: before the whole answer, with one line of why; in a trace, as a tree of its steps."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, Final

import click

from provgraph.cli.connection import Service
from provgraph.cli.terminal import harmless, say

Json = dict[str, Any]

HELD_S: Final = 0.3
"""An answer that is still coming after so long is shown while it streams: its short answer comes behind it."""


class AnswerText:
    """The answer on stdout, held back for a moment, so that a short answer can be shown before it.

    What is held is shown on leaving it, however that comes.
    """

    def __init__(self) -> None:
        self._held: list[str] = []
        self._is_begun = False
        self._shown_apart = ""
        self._begun: float | None = None

    def __enter__(self) -> AnswerText:
        return self

    def __exit__(self, *_: object) -> None:
        self.show()

    def add(self, text: str) -> None:
        """Show the next words, now or with those that follow."""
        self._begun = self._begun or time.monotonic()
        self._held.append(text)
        if time.monotonic() - self._begun >= HELD_S:
            self.show()

    def leave_out(self, short: str) -> None:
        """The short answer is shown by itself: not again as the first words of an answer that is not shown yet."""
        self._shown_apart = f"{short}. "

    def show(self) -> None:
        text = "".join(self._held)
        if not self._is_begun:
            text = text.removeprefix(self._shown_apart)
        self._is_begun = self._is_begun or bool(self._held)
        click.echo(harmless(text), nl=False)
        self._held.clear()


def say_short_answer(service: Service, session: str, short: Json, *, colour: bool) -> None:
    """The short answer on stdout, and on stderr why it is the answer."""
    text = harmless(short["text"])
    click.echo(click.style(text, bold=True) if colour else text)
    answer = service.json("GET", f"/api/v1/traces/{session}").get("answer") or {}
    if steps := (answer.get("short_answer") or {}).get("steps"):
        say(f"  {steps[-1]['operation']}: {steps[-1]['explanation']}", err=True)
    click.echo()


def short_answer_lines(answer: Json) -> Iterator[str]:
    """The short answer of a trace with its derivation: each step with what it used beneath it."""
    short = answer.get("short_answer")
    if not short:
        return
    yield f"[short answer] {short['text']} ({short['kind']})"
    steps = {step["id"]: step for step in short["steps"]}
    yield from _step_lines(steps[short["derivation"]], steps, "  ", "  ")


def _step_lines(step: Json, steps: dict[str, Json], first: str, rest: str) -> Iterator[str]:
    yield f"{first}{step['operation']} → {step['value']}: {step['explanation']}"
    branches = [*(steps[node] for node in step["earlier"]), *step["inputs"]]
    for number, branch in enumerate(branches, 1):
        is_last = number == len(branches)
        lead, below = rest + ("└─ " if is_last else "├─ "), rest + ("   " if is_last else "│  ")
        if isinstance(branch, str):
            yield lead + branch
        else:
            yield from _step_lines(branch, steps, lead, below)
