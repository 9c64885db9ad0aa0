"""What extractors are called: all that most of the program needs to know of them."""

from __future__ import annotations

from typing import Final

PROPOSITIONS: Final = "propositions"
MODEL_FREE: Final = "model-free"
"""What the default by rules was named before; folders hold facts that it read."""
PAPERS: Final = "papers"
BY_RULES: Final = (PROPOSITIONS, PAPERS)
SPACY: Final = "spacy"
ALIASES: Final = {MODEL_FREE: PROPOSITIONS}
"""Names that clients and settings may still say → the extractor that reads in their place."""

SUPERSEDES: Final = {PROPOSITIONS: (MODEL_FREE,)}
"""Extractor → those whose readings it stands in for: it retires them where an ingest replaces older readings."""

ONTOLOGY_GUIDED: Final = "ontology-guided"
BY_MODEL: Final = ("definitions", "relationships", ONTOLOGY_GUIDED, "agent")
PAIRS: Final = "pairs"
PAIRS_BY_MODEL: Final = "pairs-by-model"
FREE: Final = (*BY_RULES, SPACY, PAIRS)
"""Those that ask no model: to read again with them costs time only."""

EXTRACTORS: Final = (*BY_RULES, SPACY, *BY_MODEL, PAIRS, PAIRS_BY_MODEL)
ACCEPTED: Final = (*EXTRACTORS, *ALIASES)


def current_name(name: str) -> str:
    """The extractor that a name stands for."""
    return ALIASES.get(name, name)
