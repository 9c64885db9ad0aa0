"""Verdicts on claims over HTTP, without a model and with one over real sockets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from api.model_service import by_model, trace
from api.running import Running, running
from servers.openai_server import Answer, Asked, OpenAIServer

TRUE = "Marie Curie discovered polonium in 1898."
FALSE = "Marie Curie discovered polonium in 1911."
UNKNOWN = "Marie Curie kept seven parrots."


async def verify(service: Running, claim: str, status: int = 200, **fields: Any) -> dict[str, Any]:
    answer = await service.client.post("/api/v1/verify", json={"claim": claim, **fields})
    assert answer.status_code == status, answer.text
    said: dict[str, Any] = answer.json()
    return said


@pytest.mark.parametrize(
    ("claim", "label", "side"),
    [
        (TRUE, "SUPPORTS", "for"),
        (FALSE, "REFUTES", "against"),
        (f"{FALSE[:-9]} not in 1898.", "REFUTES", "against"),
    ],
)
async def test_a_verdict_names_the_exact_words_behind_it(
    data: Path, claim: str, label: str, side: str
) -> None:
    async with running(data) as service:
        answer = await verify(service, claim)
        verdict = answer["verdict"]
        assert (verdict["label"], answer["outcome"]) == (label, "answered")
        assert answer["response"].startswith(f"{label}: ")
        source = verdict[side][0]["source"]
        page = await service.client.get("/api/v1/documents/content", params={"id": source["page"]})
        assert page.text[source["start"] : source["end"]] == source["text"]
        assert verdict[side][0]["facts"][0]["edge"].startswith("urn:trustgraph:prov:edge:")


async def test_a_verdict_has_a_table_of_the_elements_of_its_claim(data: Path) -> None:
    async with running(data) as service:
        verdict = (await verify(service, FALSE))["verdict"]
        rows = verdict["elements"]
        assert [(each["element"], each["relation"]) for each in rows] == [
            ("Marie Curie", "entailed"),
            ("discovered", "entailed"),
            ("polonium", "entailed"),
            ("1911", "contradicted"),
        ]
        assert [FALSE[each["start"] : each["end"]] for each in rows] == [each["element"] for each in rows]
        for evidence in (each["evidence"] for each in rows):
            page = await service.client.get("/api/v1/documents/content", params={"id": evidence["page"]})
            assert page.text[evidence["start"] : evidence["end"]] == evidence["text"]
        assert verdict["explanation"] == "The documents say “1898” where the claim says “1911”."
        assert (verdict["coverage"], verdict["missing"]) == (0.75, "")


async def test_what_is_missing_is_named_and_has_no_evidence(data: Path) -> None:
    async with running(data) as service:
        verdict = (await verify(service, UNKNOWN))["verdict"]
        assert "seven parrots" in verdict["missing"]
        assert [each["evidence"] for each in verdict["elements"] if each["relation"] == "not said"]
        assert all(each["evidence"] is None for each in verdict["elements"] if each["relation"] == "not said")


async def test_a_model_s_support_that_the_documents_contradict_is_not_enough(
    data: Path, server: OpenAIServer
) -> None:
    said = {"verdict": "SUPPORTS", "confidence": 0.9, "for": [1], "against": [], "explanation": "It says so."}
    server.answer(script(said))
    async with running(data, **by_model(server)) as service:
        answer = await verify(service, FALSE)
        assert (answer["verdict"]["label"], answer["outcome"]) == ("NOT ENOUGH INFO", "refused")
        assert "the documents contradict it" in answer["verdict"]["notes"][0]


async def test_what_the_documents_do_not_say_is_not_enough_info_and_refused(data: Path) -> None:
    async with running(data) as service:
        answer = await verify(service, UNKNOWN)
        assert (await trace(service))["outcome"] == "refused"
        assert (answer["verdict"]["label"], answer["outcome"]) == ("NOT ENOUGH INFO", "refused")
        assert (answer["verdict"]["for"], answer["verdict"]["against"]) == ([], [])
        assert "parrots" in answer["verdict"]["explanation"]


async def test_the_trace_of_a_verdict_is_sound_and_can_be_drawn(data: Path) -> None:
    async with running(data) as service:
        answer = await verify(service, FALSE)
        assert (await trace(service))["outcome"] == "answered"
        session = answer["session"].rpartition(":")[2]
        turtle = await service.client.get(f"/api/v1/traces/{session}", headers={"Accept": "text/turtle"})
        assert 'claimVerdict "REFUTES"' in turtle.text
        assert 'stance "against"' in turtle.text
        drawn = await service.client.get(f"/api/v1/traces/{session}/picture")
        assert drawn.text.startswith("<svg")
        assert "polonium" in drawn.text


@pytest.mark.parametrize("claim", [TRUE, FALSE, UNKNOWN])
async def test_the_trace_tells_the_verdict_as_it_was_given(data: Path, claim: str) -> None:
    async with running(data) as service:
        given = (await verify(service, claim))["verdict"]
        told = (await trace(service))["answer"]
        assert told["verdict"] == {name: given[name] for name in told["verdict"]}
        assert set(told["verdict"]) == {"label", "confidence", "coverage", "explanation", "elements"}
        stands = [
            (each["stance"], source)
            for each in told["sentences"]
            if "stance" in each
            for source in each["sources"]
        ]
        sides = ("against", "for") if given["label"] == "REFUTES" else ("for", "against")
        assert stands == [(side, each["source"]) for side in sides for each in given[side]]


async def test_the_trace_of_an_answer_that_judges_nothing_has_no_verdict(data: Path) -> None:
    async with running(data) as service:
        await service.client.post("/api/v1/graph-rag", json={"query": "Who discovered polonium?"})
        told = (await trace(service))["answer"]
        assert "verdict" not in told
        assert [each for each in told["sentences"] if "stance" in each] == []


async def test_a_verdict_streams_its_steps_and_ends_with_itself(data: Path) -> None:
    async with running(data) as service:
        sent = await service.events("POST", "/api/v1/verify", {"claim": TRUE})
        steps = [each.data["explain_id"].split(":")[3] for each in sent if each.event == "explain"][1:]
        assert steps == ["grounding", "retrieval", "selection", "answer", "answer"]
        assert sent[-1].data["end_of_session"]
        assert sent[-1].data["verdict"]["label"] == "SUPPORTS"


async def test_get_verifies_too_and_query_is_another_word_for_claim(data: Path) -> None:
    async with running(data) as service:
        found = await service.client.get("/api/v1/verify", params={"query": TRUE})
        assert found.json()["verdict"]["label"] == "SUPPORTS"


async def test_a_claim_that_cannot_be_judged_is_a_problem(data: Path) -> None:
    async with running(data) as service:
        empty = await verify(service, "  ", status=400)
        assert "The claim is empty." in empty["detail"]
        elsewhere = await verify(service, TRUE, status=404, collection="nowhere")
        assert "nowhere" in elsewhere["detail"]
        without_model = await verify(service, TRUE, status=400, engine="model")
        assert "PROVGRAPH_LLM_MODEL" in without_model["detail"]
        assert await service.get("/api/v1/traces") == []


def script(verdict: object) -> Any:
    """A model that reads one fact, with a quote that stands and one that does not, and gives a verdict."""
    facts = {
        "facts": [
            {"subject": "Curie", "relation": "found", "object": "polonium", "quote": TRUE},
            {
                "subject": "Curie",
                "relation": "found",
                "object": "gold",
                "quote": "She also found gold in 1899.",
            },
        ]
    }

    def reply(asked: Asked) -> Answer:
        if "You judge whether a claim" in asked.system:
            return verdict if isinstance(verdict, Answer) else Answer(json.dumps(verdict))
        return Answer(json.dumps(facts))

    return reply


async def test_a_model_reads_facts_and_judges_by_numbers_of_the_evidence(
    data: Path, server: OpenAIServer
) -> None:
    said = {"verdict": "REFUTES", "confidence": 0.9, "for": [], "against": [1], "explanation": "It was 1898."}
    server.answer(script(said))
    async with running(data, **by_model(server)) as service:
        answer = await verify(service, FALSE)
        assert answer["response"].startswith("REFUTES: It was 1898.")
        assert answer["verdict"]["confidence"] == 0.9
        judging = next(each for each in server.asked if "You judge whether a claim" in each.system)
        assert "Curie | found | polonium (0.75)" in judging.user
        assert "gold" not in judging.user
        view = await trace(service)
        assert [call["step"] for call in view["calls"]] == ["selection", "answer"]


@pytest.mark.parametrize(
    "bad",
    [
        {"verdict": "SUPPORTS", "confidence": 1, "for": [999], "against": []},
        {"verdict": "SUPPORTS", "confidence": 1, "for": [], "against": [1]},
        {"verdict": "PERHAPS"},
        Answer("It is so, believe me."),
        Answer("no", status=401),
    ],
)
async def test_a_verdict_without_evidence_that_there_is_gives_way_to_the_rules(
    data: Path, server: OpenAIServer, bad: object
) -> None:
    server.answer(script(bad))
    async with running(data, **by_model(server)) as service:
        answer = await verify(service, FALSE)
        assert answer["verdict"]["label"] == "REFUTES"
        assert "The rules judged instead." in " ".join(answer["warnings"])
        assert (await trace(service))["outcome"] == "answered"


PRICES = """# Delmar price list

| Model | Price (EUR) | Weight (kg) |
|---|---|---|
| D-20 | 119 | 6.5 |
| D-45 | 189 | 9.2 |
| D-90 | 349 | 17.4 |
"""


@pytest.mark.parametrize(
    ("claim", "label", "cell"),
    [
        ("The D-45 costs 189 euros.", "SUPPORTS", "189"),
        ("The D-45 costs 199 euros.", "REFUTES", "189"),
        ("The D-90 is heavier than the D-45.", "SUPPORTS", "17.4"),
        ("The D-70 costs 189 euros.", "NOT ENOUGH INFO", ""),
        ("The D-45 costs 189 euros in Norway.", "NOT ENOUGH INFO", ""),
    ],
)
async def test_the_cells_of_a_table_decide_a_claim_of_a_number(
    tmp_path: Path, claim: str, label: str, cell: str
) -> None:
    async with running(tmp_path) as service:
        await service.ingest(PRICES, name="prices.md")
        verdict = (await verify(service, claim))["verdict"]
        assert verdict["label"] == label
        for each in (*verdict["for"], *verdict["against"]):
            source = each["source"]
            page = await service.client.get("/api/v1/documents/content", params={"id": source["page"]})
            assert page.text[source["start"] : source["end"]] == source["text"]
        told = [each["source"]["text"] for each in (*verdict["for"], *verdict["against"])]
        assert bool(cell) == bool(told)
        assert len(told) == len(set(told))
        assert not cell or any(cell in each for each in told)
        checked = await service.client.post("/api/v1/check", json={})
        assert checked.json()["summary"]["findings"] == 0, checked.text
