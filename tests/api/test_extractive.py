"""Answers by extraction over HTTP: streamed, in one JSON, refused, traced, checked, and taken back."""

from __future__ import annotations

from typing import Any, Final

import pytest

from api.running import PROBLEM, QUESTION, Running

ROUTE: Final = "/api/v1/extractive"


async def asked(service: Running, query: str = QUESTION, **fields: Any) -> dict[str, Any]:
    answer = await service.client.post(ROUTE, json={"query": query, **fields})
    assert answer.status_code == 200, answer.text
    said: dict[str, Any] = answer.json()
    return said


async def test_the_answer_is_made_of_sentences_that_stand_at_their_places(informed: Running) -> None:
    answer = await asked(informed)
    assert answer["outcome"] == "answered"
    for citation in answer["citations"]:
        said = answer["response"][citation["start"] : citation["end"]]
        for source in citation["sources"]:
            page = await informed.client.get("/api/v1/documents/content", params={"id": source["page"]})
            assert page.text[source["start"] : source["end"]] == source["text"] == said
    assert "Marie Curie discovered polonium in 1898." in answer["response"]


async def test_everything_counted_is_shown(informed: Running) -> None:
    shown = (await asked(informed))["highlights"]
    (document,) = shown["documents"]
    assert document["score"] == sum(term["score"] for term in document["terms"])
    assert all(term["score"] == term["count"] * term["weight"] for term in document["terms"])
    first = next(each for each in document["evidence"] if each["text"].startswith("Marie"))
    assert first["terms"] == ["discovered", "polonium"]
    counted = first["coverage"] * (0.75 + 0.25 * first["density"]) + 0.5 * first["chance"]
    assert first["score"] == pytest.approx(counted, abs=0.001)
    assert shown["cut_off"] == pytest.approx(
        0.8 * max(each["score"] for each in document["evidence"]), abs=0.001
    )
    assert [each["text"] for each in first["mentions"]] == ["Marie Curie"]
    assert {"source": "Marie Curie", "target": "Pierre Curie", "count": 1} in shown["graph"]["edges"]
    facts = {(fact["subject"], fact["relation"], fact["object"]): fact["text"] for fact in shown["facts"]}
    assert facts["polonium", "was discovered by", "Marie Curie"] == "Marie Curie discovered polonium in 1898."


async def test_mentions_are_told_in_characters_of_the_answer(informed: Running) -> None:
    answer = await asked(informed)
    for each in answer["highlights"]["mentions"]:
        assert answer["response"][each["start"] : each["end"]] == each["text"]
    assert {each["type"] for each in answer["highlights"]["mentions"]} == {"ENTITY"}


async def test_a_stream_ends_with_the_highlights(informed: Running) -> None:
    sent = await informed.events("POST", ROUTE, {"query": QUESTION})
    steps = [message.data["explain_id"].split(":")[-2] for message in sent if message.event == "explain"]
    assert steps == ["session", "grounding", "retrieval", "selection", "answer", "answer"]
    last = sent[-1].data
    assert last["end_of_session"]
    assert last["highlights"]["method"] == "term-frequency"
    assert not any("highlights" in message.data for message in sent[:-1])


async def test_it_can_be_asked_by_get(informed: Running) -> None:
    answer = await informed.get(ROUTE, query=QUESTION, **{"doc-limit": "1"})
    assert answer["outcome"] == "answered"


async def test_what_the_documents_do_not_say_is_refused_and_recorded(informed: Running) -> None:
    answer = await asked(informed, "What is the capital of Australia?")
    assert (answer["response"], answer["outcome"], answer["citations"]) == ("No answer found.", "refused", [])
    assert answer["highlights"]["mentions"] == []
    trace = await informed.get(f"/api/v1/traces/{answer['session']}")
    assert trace["outcome"] == "refused"


async def test_the_trace_tells_the_documents_with_what_made_their_scores(informed: Running) -> None:
    answer = await asked(informed)
    trace = await informed.get(f"/api/v1/traces/{answer['session']}")
    (document,) = trace["ranked_documents"]
    assert document["document"] == "https://example.org/curie"
    assert document["reasoning"] == "discovered 3 × 2 + polonium 2 × 2 = 10."
    assert (trace["method"], trace["parameters"]) == ("term-frequency", ["factual=1", "weight=2"])
    assert trace["passed_over_chunks"] == []
    (chunk,) = trace["selected_chunks"]
    assert chunk["agent"] == "sentence-selector"


async def test_all_that_is_written_passes_the_check(informed: Running) -> None:
    await asked(informed)
    await asked(informed, "What is the capital of Australia?")
    checked = await informed.client.post("/api/v1/check", json={})
    assert checked.status_code == 200, checked.text
    assert checked.json()["summary"]["findings"] == 0


async def test_another_ranking_and_its_parameters_can_be_chosen(informed: Running) -> None:
    answer = await asked(informed, method="bm25", parameters={"k1": 1.5})
    assert answer["highlights"]["method"] == "bm25"
    assert answer["outcome"] == "answered"


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"method": "nonsense"}, 400),
        ({"parameters": {"k1": 1.5}}, 400),
        ({"collection": "nowhere"}, 404),
        ({"engine": "model"}, 400),
        ({"query": " "}, 400),
        ({"doc_limit": 0}, 400),
    ],
)
async def test_what_cannot_be_asked_is_a_problem_and_no_session(
    informed: Running, fields: dict[str, Any], status: int
) -> None:
    answer = await informed.client.post(ROUTE, json={"query": QUESTION, **fields})
    assert (answer.status_code, answer.headers["content-type"]) == (status, PROBLEM)
    assert await informed.get("/api/v1/traces") == []


async def test_an_answer_is_stale_when_its_document_goes_and_its_evidence_goes_too(informed: Running) -> None:
    session = (await asked(informed))["session"]
    gone = await informed.client.delete("/api/v1/documents", params={"id": "https://example.org/curie"})
    assert gone.status_code == 200
    trace = await informed.client.get(f"/api/v1/traces/{session}", headers={"Accept": "text/turtle"})
    assert "sourceCharOffset" not in trace.text
    (listed,) = await informed.get("/api/v1/traces", stale="true")
    assert listed["session"] == session


async def test_a_redaction_takes_documents_evidence_and_answer(informed: Running) -> None:
    session = (await asked(informed))["session"]
    gone = {"id": "https://example.org/curie", "redact": "true"}
    assert (await informed.client.delete("/api/v1/documents", params=gone)).status_code == 200
    trace = await informed.client.get(f"/api/v1/traces/{session}", headers={"Accept": "text/turtle"})
    assert trace.status_code == 200
    for taken in (
        "RetrievedDocument",
        "ChunkSelection",
        "ChunkQuotation",
        "AnswerSentence",
        "example.org/curie/chunk",
    ):
        assert taken not in trace.text


TABLE: Final = """# Annual report

| Item | 2019 | 2020 |
|---|---:|---:|
| Revenue | 1,200 | 1,350 |
| Net income | 310 | 402 |
"""


async def test_the_cell_of_a_table_is_asked_for_and_cited_to_the_character(service: Running) -> None:
    await service.ingest(TABLE, name="report.md")
    answer = await asked(service, "What was revenue in 2019?")
    assert answer["response"] == "Revenue | 1,200"
    (citation,) = answer["citations"]
    assert [source["text"] for source in citation["sources"]] == ["Revenue", "1,200"]
    for source in citation["sources"]:
        page = await service.client.get("/api/v1/documents/content", params={"id": source["page"]})
        assert page.text[source["start"] : source["end"]] == source["text"]
    facts = {(fact["subject"], fact["relation"], fact["object"]) for fact in answer["highlights"]["facts"]}
    assert ("Revenue", "2019", "1200") in facts
    graph = await service.ask("What was revenue in 2020?")
    assert graph["short_answer"]["text"] == "1,350"
    assert graph["response"].startswith("1,350. ")
    assert graph["response"].endswith(" Revenue | 1,200 | 1,350")
    assert [citation["origin"] for citation in graph["citations"]] == ["derived", "quoted"]
    for citation in graph["citations"]:
        assert [source["text"] for source in citation["sources"]] == ["Revenue | 1,200 | 1,350"]
    without = await service.ask("What was revenue in 2020?", without={"edges": ["Revenue | 2020 | 1350"]})
    assert "1,350" not in without["response"]
    checked = await service.client.post("/api/v1/check", json={})
    assert checked.json()["summary"]["findings"] == 0


async def test_a_trace_keeps_the_quantities_and_names_of_the_answer(informed: Running) -> None:
    answer = await asked(informed)
    trace = await informed.get(f"/api/v1/traces/{answer['session']}")
    kept = [mention for each in trace["answer"]["sentences"] for mention in each["mentions"]]
    assert kept == answer["highlights"]["mentions"]
