"""The facts of a text that is not stored."""

from __future__ import annotations

from provgraph.extraction.facts import Entity, Fact, FactExtractor, Passage, Value
from provgraph.wire.extract import ExtractedFact, ExtractedFacts, ExtractedRelation, ExtractedThing


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
