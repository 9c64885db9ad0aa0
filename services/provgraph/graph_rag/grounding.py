"""Grounding without a model: the concepts that a question names."""

from __future__ import annotations

import re
from typing import Final

_WORD: Final = re.compile(r"[^\W_](?:[\w'’.+#&-]*[\w+#])?", re.UNICODE)

_FUNCTION_WORDS: Final = frozenset(
    """
    a about above after again all also am an and any are as at be been before being between both but by
    can could did do does during each few for from further had has have he her here hers him his how i if
    in into is it its itself just list many may me more most much must my name no nor not of off on once
    only or other our out over own please same shall she should show so some such tell than that the
    their them then there these they this those through to too under until up us very was we were what
    whatever when where which while who whom whose why will with within without would you your
    """.split()
)


def concepts(question: str) -> tuple[str, ...]:
    """The runs of content words between function words and punctuation, in order, each once.

    "When did Marie Curie win the Nobel Prize?" → ("Marie Curie", "win", "Nobel Prize"). A capitalised word
    starts a run of its own, so that names stay apart from the words before them.
    """
    runs: list[list[str]] = []
    last_end = -1
    for match in _WORD.finditer(question):
        word = match.group()
        adjoins = last_end >= 0 and question[last_end : match.start()].isspace()
        last_end = match.end() if word.casefold() not in _FUNCTION_WORDS else -1
        if last_end < 0:
            continue
        if adjoins and runs and _is_name(runs[-1][-1]) == _is_name(word):
            runs[-1].append(word)
        else:
            runs.append([word])
    return tuple(dict.fromkeys(" ".join(run) for run in runs))


def _is_name(word: str) -> bool:
    return not word[0].islower()
