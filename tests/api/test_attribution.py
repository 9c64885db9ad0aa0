"""Checking what others wrote: against sources that are given, over HTTP."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from api.running import PROBLEM, Running
from provgraph.checking.pipeline import Checker
from provgraph.flows.attribution.flow import Attribution
from provgraph.wire.service import CheckFinding

SOURCES = [
    {
        "id": "orlo.txt",
        "title": "Orlo Institute",
        "text": "The Orlo Institute was founded by Ada Novak in 1968. It is in Graz.",
    },
    {"id": "https://example.org/bolt", "text": "Bolt Foods employs 30 people. It bakes bread."},
]
ANSWER = (
    "The Orlo Institute was founded in 1968 [1]. It was founded by Ada Novak.¹ Bolt Foods employs 40 people [2]. "
    "Bolt Foods sells shoes [2]. Who bakes bread?"
)
ROUTE = "/api/v1/attribution"


async def assert_sound(service: Running) -> None:
    checker = Checker(service.assembly.store, service.assembly.library, "explainability")
    assert [event async for event in checker.check("default") if isinstance(event, CheckFinding)] == []


async def check(service: Running, status: int = 200, **fields: Any) -> dict[str, Any]:
    answer = await service.client.post(ROUTE, json={"text": ANSWER, "sources": SOURCES, **fields})
    assert answer.status_code == status, answer.text
    if status != 200:
        assert answer.headers["content-type"].startswith(PROBLEM)
    said: dict[str, Any] = answer.json()
    return said


async def test_each_claim_has_a_verdict_with_exact_words(unchanged: Running) -> None:
    report = await check(unchanged)
    texts = {each["id"]: each["text"] for each in SOURCES}
    assert [each["verdict"] for each in report["claims"]] == [
        "SUPPORTS",
        "SUPPORTS",
        "REFUTES",
        "NOT ENOUGH INFO",
        "NOT ENOUGH INFO",
    ]
    for claim in report["claims"]:
        assert "[" not in claim["text"]
        assert ANSWER[claim["start"] : claim["end"]].startswith(claim["text"][:10])
        for element in claim["elements"]:
            assert ANSWER[element["start"] : element["end"]] == element["element"]
        places = [each["evidence"] for each in claim["elements"] if each["evidence"]] + claim["evidence"]
        for place in places:
            assert texts[place["source"]][place["start"] : place["end"]] == place["text"]
    assert report["claims"][2]["evidence"][0]["text"] == "Bolt Foods employs 30 people."
    summary = report["summary"]
    assert (summary["claims"], summary["supported"], summary["refuted"], summary["not_claims"]) == (
        4,
        2,
        1,
        1,
    )


async def test_citations_are_followed_and_told(unchanged: Running) -> None:
    first, second, third, *_ = (await check(unchanged))["claims"]
    assert (first["cited"], first["cited_sources"], first["cited_supports"]) == (["1"], ["orlo.txt"], True)
    assert second["cited"] == ["1"]
    assert (third["cited_sources"], third["cited_supports"]) == (["https://example.org/bolt"], False)
    wrong = (await check(unchanged, text="Bolt Foods employs 30 people [1]."))["claims"][0]
    assert (wrong["verdict"], wrong["cited_supports"]) == ("SUPPORTS", False)
    none = (await check(unchanged, text="Bolt Foods employs 30 people [7]."))["claims"][0]
    assert (none["cited"], none["cited_sources"], none["cited_supports"]) == (["7"], [], None)


async def test_claims_are_streamed_as_they_are_judged(unchanged: Running) -> None:
    sent = await unchanged.events("POST", ROUTE, {"text": ANSWER, "sources": SOURCES})
    assert [each.event for each in sent] == ["progress", *["claim"] * 5, "summary"]
    report = await check(unchanged)
    assert [each.data for each in sent[1:-1]] == report["claims"]
    assert sent[-1].data == report["summary"]
    assert sent[0].data["total"] == 5


async def test_what_is_no_claim_says_why(unchanged: Running) -> None:
    text = "\n\n".join(
        (
            "## Early years",
            "Who founded it?",
            "No.",
            "Das Institut wurde von der Stadt und dem Land gegründet.",
            "- Bread and butter",
        )
    )
    claims = (await check(unchanged, text=text))["claims"]
    assert [each["notes"] for each in claims] == [["not a claim"]] * 5
    assert [each["verdict"] for each in claims] == ["NOT ENOUGH INFO"] * 5
    reasons = [each["missing"] for each in claims]
    assert "heading" in reasons[0]
    assert "question" in reasons[1]
    assert "not a sentence" in reasons[2]
    assert "English" in reasons[3]
    assert "no verb" in reasons[4]


@pytest.mark.parametrize(
    ("fields", "status", "words"),
    [
        ({"text": "  "}, 400, "empty"),
        ({"text": "a" * 20_001}, 413, "20,000"),
        ({"sources": []}, 400, "no sources"),
        ({"sources": [SOURCES[0], SOURCES[0]]}, 400, "two sources have the id"),
        ({"sources": [{"id": str(n), "text": "x"} for n in range(201)]}, 413, "200"),
        ({"sources": [{"id": "a", "text": "x" * 2_000_001}]}, 413, "2,000,000"),
        ({"sources": None}, 400, "one of sources and collection"),
        ({"collection": "default"}, 400, "one of sources and collection"),
        ({"sources": [{"id": "", "text": "x"}]}, 400, "id"),
    ],
)
async def test_what_cannot_be_checked_is_a_problem(
    unchanged: Running, fields: dict[str, Any], status: int, words: str
) -> None:
    problem = await check(unchanged, status, **fields)
    assert words in problem["detail"].casefold() or words in problem["detail"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "word " * 2_000,
        "a. " * 6_666,
        "A b. " * 4_000,
        "\x00\x01\x1b[31m Bolt Foods employs 30 people.\x07\u202e",
        "[" * 10_000,
        "[1]" * 6_000,
        "¹" * 20_000,
        "https://" * 2_500,
        "[a](https://b" * 1_500,
        "\n- \n" * 5_000,
        "References\n" * 1_800,
        "**" * 10_000,
    ],
)
async def test_hostile_texts_are_answered_in_time(unchanged: Running, text: str) -> None:
    report = await asyncio.wait_for(check(unchanged, text=text), 60)
    assert report["summary"]["refuted"] == 0


async def test_long_sources_are_read_where_they_speak_of_the_claim(unchanged: Running) -> None:
    filler = "The river rises in the hills. Barges carry timber to the coast. "
    long = filler * 600 + "Bolt Foods employs 30 people. " + filler * 600
    (claim,) = (
        await check(unchanged, text="Bolt Foods employs 30 people.", sources=[{"id": "long", "text": long}])
    )["claims"]
    assert claim["verdict"] == "SUPPORTS"
    (place,) = claim["evidence"]
    assert long[place["start"] : place["end"]] == place["text"] == "Bolt Foods employs 30 people."


# against a collection

CURIES = (
    "Marie Curie discovered polonium in 1898 [1]. Marie Curie discovered polonium in 1911. "
    "She kept seven parrots [2]. Who was she?\n\n[1]: The Curies, 1898\n[2]: Another book\n"
)


async def test_a_collection_says_where_the_words_stand(informed: Running) -> None:
    body = {"text": CURIES, "collection": "default"}
    answer = await informed.client.post(ROUTE, json=body)
    assert answer.status_code == 200, answer.text
    report = answer.json()
    true, false, unknown, question = report["claims"]
    labels = [each["verdict"] for each in report["claims"]]
    assert labels == ["SUPPORTS", "REFUTES", "NOT ENOUGH INFO", "NOT ENOUGH INFO"]
    assert question["notes"] == ["not a claim"]
    assert (true["cited"], true["cited_supports"]) == (["1"], True)
    assert (unknown["cited"], unknown["cited_supports"]) == (["2"], None)
    for place in (true["evidence"][0], false["elements"][-1]["evidence"]):
        assert place["source"] == "https://example.org/curie"
        page = await informed.client.get("/api/v1/documents/content", params={"id": place["page"]})
        assert page.text[place["start"] : place["end"]] == place["text"]
    assert report["summary"]["session"].startswith("urn:trustgraph:session:")
    assert report["summary"]["collection"] == "default"


async def test_a_check_against_a_collection_is_a_session_with_a_trace(informed: Running) -> None:
    body = {
        "text": CURIES,
        "collection": "default",
        "agent": "another assistant",
        "question": "Who was Curie?",
    }
    sent = await informed.events("POST", ROUTE, body)
    assert [each.event for each in sent] == ["progress", *["claim"] * 4, "summary"]
    assert sent[0].data["total"] == 4
    summary = sent[-1].data
    trace = await informed.get(f"/api/v1/traces/{summary['session']}")
    assert (trace["flow"], trace["outcome"], trace["query"]) == ("attribution", "answered", CURIES)
    assert trace["answer"]["text"].startswith("SUPPORTS: Marie Curie discovered polonium in 1898.\nREFUTES: ")
    supported = [each["supported"] for each in trace["answer"]["sentences"]]
    assert supported == [True, True, False, False]
    assert (trace["author"], trace["version"]) == ("another assistant", summary["version"])
    assert trace["settings"] == ['answers="Who was Curie?"']
    for told, sentence in zip(sent[1:-1], trace["answer"]["sentences"], strict=True):
        claim = sentence["claim"]
        assert (claim["start"], claim["end"]) == (told.data["start"], told.data["end"])
        assert claim["label"] == told.data["verdict"]
        assert [each["element"] for each in claim["elements"]] == [
            each["element"] for each in told.data["elements"]
        ]
        for one, other in zip(claim["elements"], told.data["elements"], strict=True):
            assert (one["relation"], one["why"]) == (other["relation"], other["why"])
            assert one["evidence"] is None or one["evidence"]["text"] == other["evidence"]["text"]
    await assert_sound(informed)


async def test_a_collection_that_is_not_there_is_a_problem(unchanged: Running) -> None:
    answer = await unchanged.client.post(ROUTE, json={"text": CURIES, "collection": "nowhere"})
    assert answer.status_code == 404


@pytest.mark.parametrize("redact", ["true", "false"])
async def test_a_check_outlives_its_document_without_its_words(informed: Running, redact: str) -> None:
    body = {"text": CURIES, "collection": "default"}
    report = (await informed.client.post(ROUTE, json=body)).json()
    claim = {"claim": "Marie Curie discovered polonium in 1911."}
    verdict = (await informed.client.post("/api/v1/verify", json=claim)).json()
    gone = await informed.client.delete(
        "/api/v1/documents", params={"id": "https://example.org/curie", "redact": redact}
    )
    assert gone.status_code == 200
    for session in (report["summary"]["session"], verdict["session"]):
        trace = await informed.get(f"/api/v1/traces/{session}")
        assert trace["stale"]
        if redact == "true":
            turtle = await informed.client.get(f"/api/v1/traces/{session}", headers={"Accept": "text/turtle"})
            assert "answer" not in trace
            assert "ClaimElement" not in turtle.text
            continue
        sentences = trace["answer"]["sentences"]
        elements = [each for sentence in sentences for each in sentence.get("claim", {}).get("elements", [])]
        elements += trace["answer"].get("verdict", {}).get("elements", [])
        assert elements
        assert [each["evidence"] for each in elements if each["evidence"]] == []
    await assert_sound(informed)


async def test_a_check_that_is_removed_leaves_nothing(informed: Running) -> None:
    await informed.client.post(ROUTE, json={"text": CURIES, "collection": "default", "agent": "a machine"})
    assert (await informed.client.delete("/api/v1/traces", params={"older_than": "0h"})).status_code == 200
    asked = "ASK { GRAPH ?g { ?s <https://trustgraph.ai/ns/elementText> ?o } }"
    assert (await informed.get("/sparql", query=asked))["boolean"] is False
    assert await informed.get("/api/v1/traces") == []


async def test_a_check_that_nobody_waits_for_ends(informed: Running) -> None:
    text = "Marie Curie discovered polonium in 1898. " * 400
    flow = informed.assembly.flows.attribution.flow
    assert isinstance(flow, Attribution)
    async with asyncio.timeout(30):
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(
                informed.client.post(ROUTE, json={"text": text, "collection": "default"}), 0.5
            )
        while flow.turns.borrowed_tokens:
            await asyncio.sleep(0.01)
