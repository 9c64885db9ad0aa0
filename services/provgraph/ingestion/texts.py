"""The facts of a text that is not stored, in its own words or as an ingest would store them."""

from __future__ import annotations

from provgraph.extraction.facts import Entity, Fact, FactExtractor, Passage, Value
from provgraph.extraction.model_free import ModelFreeExtractor
from provgraph.wire.extract import ExtractedFact, ExtractedFacts, ExtractedRelation, ExtractedThing


def text_extractor(stored: bool) -> FactExtractor:
    """What reads a text: with `stored` as an ingest does, else each clause as one fact in the text's own words."""
    return ModelFreeExtractor(verbatim=not stored)


def extract_text(extractor: FactExtractor, text: str, title: str = "") -> ExtractedFacts:
    """All facts of `text`, by place; spans are of the sentence, in characters of `text`."""
    facts = extractor.extract(Passage(text, title, own_end=len(text)))
    return ExtractedFacts(facts=[_told(fact) for fact in sorted(facts, key=lambda fact: fact.start)])


def _told(fact: Fact) -> ExtractedFact:
    return ExtractedFact(
        subject=_thing(fact.subject),
        relation=ExtractedRelation(label=fact.relation),
        object=_thing(fact.object),
        confidence=fact.confidence,
        start=fact.start,
        end=fact.end,
    )


def _thing(thing: Entity | Value) -> ExtractedThing:
    return ExtractedThing(label=thing.label, type=thing.type if isinstance(thing, Entity) else thing.kind)
