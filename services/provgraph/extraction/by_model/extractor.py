"""An extractor by model: one prompt, one call for a passage, and what of the answer the passage proves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from provgraph.errors import ModelUnavailable
from provgraph.extraction.by_model.ontology import Ontology
from provgraph.extraction.by_model.proposals import verified
from provgraph.extraction.facts import ExtractorProfile, Fact, Passage
from provgraph.language.json_items import items_of
from provgraph.ports.language_model import LanguageModel, Prompted, TokenUsage
from provgraph.prompts import Prompt

VERSION: Final = "2"
"""Rises when the reading of answers changes so that a chunk should be read anew."""

FEWEST_LETTERS: Final = 12


@dataclass(frozen=True)
class ModelExtraction:
    """The facts of a passage; how many proposals were dropped, by their fault; what the call cost, if there was one."""

    facts: tuple[Fact, ...]
    dropped: Mapping[str, int]
    usage: TokenUsage | None


class PassageExtractor(Protocol):
    """An extractor that is asked passage by passage; `parallel` is how many at once."""

    @property
    def profile(self) -> ExtractorProfile: ...
    @property
    def parallel(self) -> int: ...

    def request(self, passage: Passage) -> Prompted | None: ...

    async def extract(self, passage: Passage) -> ModelExtraction: ...


class ModelExtractor:
    """Reads passages with `model` as `prompt` tells it to. Keeps no state; may be called in parallel."""

    def __init__(
        self, model: LanguageModel, prompt: Prompt, ontology: Ontology | None, max_output_tokens: int
    ) -> None:
        self._model = model
        self._prompt = prompt
        self._ontology = ontology
        self._max_output_tokens = max_output_tokens
        self._values = {"ontology": ontology.described()} if ontology else {}
        self.profile = ExtractorProfile(
            name=prompt.name,
            version=VERSION,
            model=model.name,
            prompt=prompt.hash,
            ontology=ontology.iri if ontology else None,
            ontology_hash=ontology.hash if ontology else "",
            settings=f"prompt={prompt.hash} temperature=0 output={max_output_tokens}",
        )

    @property
    def parallel(self) -> int:
        return self._model.parallel

    def request(self, passage: Passage) -> Prompted | None:
        """What is asked about a passage; None where it has too few letters to say anything."""
        if passage.letters < FEWEST_LETTERS:
            return None
        values = {"title": passage.title, "text": passage.text, **self._values}
        system, user = self._prompt.filled(values)
        return Prompted(system, user, self._max_output_tokens, json=True)

    async def extract(self, passage: Passage) -> ModelExtraction:
        """Raises `ModelUnavailable` or `ModelRefused` where the model gave no answer that can be read."""
        request = self.request(passage)
        if request is None:
            return ModelExtraction((), {}, None)
        reply = await self._model.complete(request)
        items = items_of(reply.text)
        if items is None:
            raise ModelUnavailable(
                f"The language model {self._model.name!r} answered without JSON ({_start(reply.text)!r}). "
                "Try again, or use another model."
            )
        read = verified(passage, items, self._ontology)
        return ModelExtraction(read.facts, read.dropped, reply.usage)


def _start(text: str) -> str:
    return " ".join(text.split())[:60]
