"""The extractor of pairs by rules, as an ingest knows extractors: a passage in, facts with their pairs out."""

from __future__ import annotations

from typing import Final

from anyio import to_thread

from provgraph.extraction.by_model.extractor import ModelExtraction
from provgraph.extraction.facts import ExtractorProfile, Fact, Passage
from provgraph.extraction.names import PAIRS
from provgraph.extraction.pairs.by_rules import facts_of, pairs_of
from provgraph.ports.language_model import Prompted

VERSION: Final = "3"
"""Rises when the rules change so that a chunk should be read anew."""


class PairExtractor:
    """Reads passages by rules, without a model, beside the event loop. Keeps no state."""

    profile = ExtractorProfile(PAIRS, VERSION, reads_outline=True)
    parallel = 1

    def request(self, passage: Passage) -> Prompted | None:  # noqa: ARG002
        """Nothing is asked of a model."""
        return None

    async def extract(self, passage: Passage) -> ModelExtraction:
        return ModelExtraction(await to_thread.run_sync(read_pairs, passage), {}, None)


def read_pairs(passage: Passage) -> tuple[Fact, ...]:
    """The facts of all pairs of a passage, each once."""
    facts = (fact for draft in pairs_of(passage) for fact in facts_of(draft, passage.title))
    return tuple(dict.fromkeys(facts))
