"""Whether the words that a sentence cites contradict it: such a sentence is not supported, however alike the words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from provgraph.reading.parser import BuiltInParser
from provgraph.verdicts.judgement import EvidenceText
from provgraph.verdicts.judging import judge

LEAST: Final = 0.6
"""How sure the verdict must be."""
LONGEST: Final = 800
"""Characters of a sentence, and of words cited, that are read: what is longer is no sentence."""
MOST_CITED: Final = 12
_PRONOUN: Final = re.compile(r"\W*(?:he|she|it|they|his|her|its|their|this|these)\b", re.IGNORECASE)
"""Alone, a sentence that begins so does not tell of whom it speaks."""


def contradicted(sentence: str, cited: Iterable[tuple[str, str]]) -> bool:
    """Whether cited words, each with the title of their document, refute a sentence; reading English only."""
    texts = dict.fromkeys(
        (title, text) for title, text in cited if len(text) <= LONGEST and not _PRONOUN.match(text)
    )
    if len(sentence) > LONGEST or not texts:
        return False
    evidence = [
        EvidenceText(str(number), text, title)
        for number, (title, text) in enumerate(list(texts)[:MOST_CITED])
    ]
    judgement = judge(sentence, evidence, BuiltInParser())
    return judgement.label == "REFUTES" and judgement.confidence >= LEAST
