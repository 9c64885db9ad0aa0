"""Verdicts of rules over passages: their words stand on pages, and what they say is said without shares."""

from __future__ import annotations

import re

from pyoxigraph import NamedNode

from provgraph.catalogue.sources import ChunkLocation, ChunkOnPage
from provgraph.flows.fact_verification.by_rules import NOTHING, judged_by_rules
from provgraph.flows.fact_verification.judgement import JudgedClaim, Material
from provgraph.flows.fact_verification.local_graph import local_graph
from provgraph.flows.runner.passages import RetrievedPassage
from provgraph.ports.retriever import ChunkHit
from provgraph.provenance.verification_trace import Label, Stance
from provgraph.reading.parser import BuiltInParser

PARSER = BuiltInParser()
TEXT = "Ada Novak discovered the comet in 1950. She was born in Graz."
OFFSET = 100


def passage(text: str, number: int = 0) -> RetrievedPassage:
    chunk, document = NamedNode(f"urn:d/chunk{number}"), NamedNode("urn:d")
    place = ChunkLocation(chunk, number, NamedNode("urn:d/page"), 1, document, "Ada Novak")
    hit = ChunkHit(chunk, document, "Ada Novak", 1.0, (), text)
    return RetrievedPassage(hit, ChunkOnPage(place, OFFSET))


def judged(claim: str, *texts: str) -> JudgedClaim:
    passages = [passage(text, number) for number, text in enumerate(texts)]
    return judged_by_rules(Material(claim, passages, local_graph(claim, [])), PARSER)


def test_words_of_elements_and_arguments_are_places_of_the_page() -> None:
    found = judged("Ada Novak discovered the comet in 1950.", TEXT)
    places = [each.words for each in found.elements] + [each.words for each in found.arguments]
    assert all(w and TEXT[w.start - OFFSET : w.end - OFFSET] == w.text for w in places)
    assert (found.judgement.label, found.judgement.coverage) == (Label.SUPPORTS, 1.0)
    assert [each.stance for each in found.arguments] == [Stance.FOR]


def test_the_row_that_decides_is_the_explanation() -> None:
    found = judged("Ada Novak discovered the comet in 1961.", TEXT)
    assert found.judgement.label is Label.REFUTES
    assert found.explanation == "The documents say “1950” where the claim says “1961”."
    assert found.arguments[0].reason == found.explanation


def test_what_is_missing_is_named_and_cites_nothing() -> None:
    found = judged("Ada Novak sold seven boats.", TEXT)
    assert (found.judgement.label, found.arguments) == (Label.NOT_ENOUGH_INFO, ())
    assert "seven boats" in found.missing
    assert judged("Ada Novak sold seven boats.").explanation == NOTHING


def test_no_share_of_words_is_told() -> None:
    for claim in ("Ada Novak was born in Graz.", "Ada Novak was born in Linz.", "Ada Novak sings."):
        found = judged(claim, TEXT)
        told = " ".join(
            (found.explanation, found.missing, *found.notes, *(a.reason for a in found.arguments))
        )
        assert not re.search(r"\d\s?%", told)


def test_what_is_no_claim_says_so() -> None:
    assert "question" in judged("Was Ada Novak born in Graz?", TEXT).explanation
