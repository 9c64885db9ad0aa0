"""Grounding without a model: the concepts that a question names."""

from __future__ import annotations

import re
from typing import Final

from provgraph.language.terms import FUNCTION_WORDS

_WORD: Final = re.compile(r"[^\W_](?:[\w'’.+#&-]*[\w+#])?", re.UNICODE)


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
        last_end = match.end() if word.casefold() not in FUNCTION_WORDS else -1
        if last_end < 0:
            continue
        if adjoins and runs and _is_name(runs[-1][-1]) == _is_name(word):
            runs[-1].append(word)
        else:
            runs.append([word])
    return tuple(dict.fromkeys(" ".join(run) for run in runs))


def _is_name(word: str) -> bool:
    return not word[0].islower()
