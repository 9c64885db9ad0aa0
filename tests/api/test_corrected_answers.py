"""The corrective check and the reranking, over real sockets: what they change, what the trace says, what faults do."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from api.model_service import (
    CLEAN,
    MODEL,
    MODEL_FREE,
    RELEVANT,
    Script,
    by_model,
    failing,
    good,
    listed,
    step,
    told,
    trace,
)
from api.running import QUESTION, STREAM, Running, messages, running, served
from provgraph.provenance.trace import SessionOutcome
from servers.openai_server import Answer, Asked, OpenAIServer

VAGUE = "Who found the proton?"
IRRELEVANT = json.dumps(
    {"relevant": False, "reasoning": "They are about a proton.", "question": "Who discovered\n  polonium?"}
)


def corrected(*verdicts: str) -> Script:
    """A good model whose checks answer one after another, the last for ever."""
    left = list(verdicts)

    def answer(asked: Asked) -> Answer:
        if step(asked) == "check":
            return Answer(left.pop(0) if len(left) > 1 else left[0])
        return good()(asked)

    return answer


def kinds(sent: list[Any]) -> list[str]:
    """What each explain message is about: its step, with the number of a second one."""
    ids = [message.data["explain_id"].split(":") for message in sent if message.event == "explain"]
    return [":".join(parts[3:4] + parts[5:]) for parts in ids if parts[2] == "prov"]


def steps(server: OpenAIServer) -> list[str]:
    return [step(asked) for asked in server.asked]


async def test_what_is_relevant_costs_one_call_and_changes_nothing(data: Path, server: OpenAIServer) -> None:
    async with failing(data, server, good()) as service:
        sent = await service.stream(corrective=True)
        view = await trace(service)
    assert told(sent) == CLEAN
    assert steps(server) == ["grounding", "check", "selection", "answer"]
    assert view["checks"] == [{"relevant": True, "reasoning": "It names polonium.", "agent": MODEL}]
    assert "reformulation" not in view
    assert "warnings" not in sent[-1].data


async def test_what_is_not_relevant_is_retrieved_once_more_in_the_models_words(
    data: Path, server: OpenAIServer
) -> None:
    async with failing(data, server, corrected(IRRELEVANT, RELEVANT)) as service:
        sent = await service.stream(VAGUE, corrective=True)
        view = await trace(service)
        prompt = next(call for call in view["calls"] if call["step"] == "check:1")["prompt"]
        read = await service.client.get("/api/v1/documents/content", params={"id": prompt})
        turtle = await service.client.get(
            f"/api/v1/traces/{view['session']}", headers={"Accept": "text/turtle"}
        )
    assert kinds(sent)[:6] == [
        "grounding",
        "retrieval",
        "check",
        "reformulation",
        "grounding:1",
        "retrieval:1",
    ]
    assert view["reformulation"]["query"] == "Who discovered polonium?"
    assert view["reformulation"]["agent"] == MODEL
    assert [check["relevant"] for check in view["checks"]] == [False, True]
    assert f"Question: {VAGUE}" in read.text
    assert "Who discovered polonium?" in turtle.text
    assert view["outcome"] == SessionOutcome.ANSWERED
    assert "warnings" not in sent[-1].data
    assert all(edge["reasoning"] for edge in view["passed_over"])


async def test_the_derivations_lead_from_the_selection_to_the_question(
    data: Path, server: OpenAIServer
) -> None:
    path = "SELECT ?kind { ?focus a tg:Focus ; prov:wasDerivedFrom+ ?step . ?step a ?kind }"
    query = f"PREFIX tg: <https://trustgraph.ai/ns/> PREFIX prov: <http://www.w3.org/ns/prov#> {path}"
    async with failing(data, server, corrected(IRRELEVANT, RELEVANT)) as service:
        await service.ask(VAGUE, corrective=True, rerank=True)
        found = await service.client.get(
            "/sparql", params={"query": query}, headers={"Accept": "application/sparql-results+json"}
        )
    bound = [row["kind"]["value"].rpartition("/")[2] for row in found.json()["results"]["bindings"]]
    assert {"Reranking", "Exploration", "Grounding", "Reformulation", "RelevanceCheck", "Question"} <= set(
        bound
    )


async def test_what_is_still_not_relevant_is_answered_from_the_first_retrieval_with_a_warning(
    data: Path, server: OpenAIServer
) -> None:
    async with failing(data, server, corrected(IRRELEVANT.replace("Who discovered", "Who found"))) as service:
        sent = await service.stream(corrective=True)
        view = await trace(service)
    assert told(sent) == CLEAN
    assert steps(server).count("check") == 2
    (warning,) = sent[-1].data["warnings"]
    assert "may not answer the question: They are about a proton." in warning
    assert view["warnings"] == [warning]


@pytest.mark.parametrize("question", ["", None, 7, QUESTION, QUESTION.upper()])
async def test_without_other_words_nothing_is_retrieved_again(
    data: Path, server: OpenAIServer, question: Any
) -> None:
    verdict = json.dumps({"relevant": False, "reasoning": "No.", "question": question})
    async with failing(data, server, corrected(verdict)) as service:
        sent = await service.stream(corrective=True)
        view = await trace(service)
    assert steps(server) == ["grounding", "check", "selection", "answer"]
    assert len(sent[-1].data["warnings"]) == 1
    assert "reformulation" not in view


CHECK_FAULTS = {
    "unreadable": Answer("I would rather talk about the weather."),
    "no verdict": Answer('{"relevant": "perhaps"}'),
    "too long": Answer("na " * 20_000),
    "server error": Answer("broken", status=500),
    "wrong key": Answer("who are you", status=401),
    "dying": Answer('{"relev', dies_after=1),
    "empty": Answer(""),
}


@pytest.mark.parametrize("fault", CHECK_FAULTS)
async def test_a_check_that_cannot_be_made_is_told_and_the_answer_goes_on(
    data: Path, server: OpenAIServer, fault: str
) -> None:
    script = good(check=CHECK_FAULTS[fault])
    async with failing(data, server, script, llm_max_output_tokens=200) as service:
        sent = await service.stream(corrective=True)
        view = await trace(service)
    assert told(sent).startswith(MODEL_FREE)
    assert view["outcome"] == SessionOutcome.ANSWERED
    assert len(view["warnings"]) == 1
    assert "relevant" not in view["checks"][0]
    assert "check" in [call["step"] for call in view["calls"]]


async def test_a_check_after_a_failed_call_is_not_made_and_says_so(data: Path, server: OpenAIServer) -> None:
    async with failing(data, server, Answer("gone", status=500)) as service:
        sent = await service.stream(corrective=True)
    assert len(server.asked) == 1
    assert [("not checked" in warning) for warning in sent[-1].data["warnings"]] == [False, True]


async def test_a_second_check_that_fails_leaves_the_second_retrieval(
    data: Path, server: OpenAIServer
) -> None:
    async with failing(data, server, corrected(IRRELEVANT, "hm")) as service:
        await service.ask(VAGUE, corrective=True)
        view = await trace(service)
    assert [check.get("relevant") for check in view["checks"]] == [False, None]
    assert {edge["subject"] for edge in view["selected"]} == {"polonium"}


async def test_without_a_model_the_check_is_the_measure_of_refusal(informed: Running) -> None:
    good_one = await informed.ask(corrective=True)
    assert "warnings" not in good_one
    sent = await informed.stream("Who discovered gallium in Paris?", corrective=True)
    assert told(sent) == "No answer found."
    assert "an answer needs" in sent[-1].data["warnings"][0]


async def test_reranked_edges_carry_who_scored_them_and_how(data: Path, server: OpenAIServer) -> None:
    async with failing(data, server, good()) as service:
        sent = await service.stream(rerank=True)
        view = await trace(service)
    assert told(sent) == CLEAN
    assert steps(server) == ["grounding", "reranking", "selection", "answer"]
    assert view["reranking"]["agent"] == MODEL
    assert view["reranking"]["edge_count"] == view["edge_count"]
    assert {edge["rerank_score"] for edge in view["selected"]} == {9}
    assert {edge["rerank_score"] for edge in view["passed_over"]} <= {9, 1}
    shown = [each["subject"] + each["object"] for each in listed(server.asked[2], "edges")]
    assert ["polonium" in each for each in shown] == sorted(
        ("polonium" in each for each in shown), reverse=True
    )


async def test_only_the_best_go_on_to_the_selection(data: Path, server: OpenAIServer) -> None:
    text = " ".join(f"Doctor Alba{n} discovered element{n} in Rome." for n in range(60))
    async with failing(data, server, good(), extractors="model-free") as service:
        await service.ingest(text=text, id="many")
        await service.ask("Who discovered polonium, and who discovered what in Rome?", rerank=True)
        view = await trace(service)
    shown = listed(next(asked for asked in server.asked if step(asked) == "selection"), "edges")
    assert len(shown) == 30
    left = [edge for edge in view["passed_over"] if "went on to the selection" in edge["reasoning"]]
    assert len(left) == view["edge_count"] - 30
    assert any(edge["reasoning"].startswith(f"Scored 1 of 10 by {MODEL}") for edge in left)


@pytest.mark.parametrize("fault", ["server error", "empty", "unreadable", "dying"])
async def test_a_reranking_that_fails_leaves_the_first_ranking(
    data: Path, server: OpenAIServer, fault: str
) -> None:
    async with failing(data, server, good(reranking=CHECK_FAULTS[fault])) as service:
        sent = await service.stream(rerank=True)
        view = await trace(service)
    assert told(sent) == CLEAN
    assert len(view["warnings"]) == 1
    assert view["reranking"]["edge_count"] == 0
    assert "reranking" in [call["step"] for call in view["calls"]]


async def test_reranking_is_refused_where_nobody_can_do_it(informed: Running) -> None:
    refused = await informed.client.post("/api/v1/graph-rag", json={"query": QUESTION, "rerank": True})
    assert refused.status_code == 400
    assert await informed.get("/api/v1/traces") == []


async def test_a_service_may_check_and_rerank_by_default_and_a_question_decline(
    data: Path, server: OpenAIServer
) -> None:
    async with failing(data, server, good(), corrective=True, rerank=True) as service:
        await service.ask()
        assert steps(server) == ["grounding", "check", "reranking", "selection", "answer"]
        server.asked.clear()
        await service.ask(corrective=False, rerank=False)
        assert steps(server) == ["grounding", "selection", "answer"]
        server.asked.clear()
        await service.ask(engine="model-free")
        assert server.asked == []


@pytest.mark.parametrize("name", ["grounding", "check", "reranking", "selection", "answer"])
async def test_the_prompt_of_a_call_that_is_cut_off_is_kept(
    data: Path, server: OpenAIServer, name: str
) -> None:
    texts = {"grounding": '{"concept": "polonium"}'}
    server.answer(good(**{name: Answer(texts.get(name, "x"), delay_s=20)}))
    async with served(data, **by_model(server, resume_grace_s=0.01)) as service:
        body = {"query": QUESTION, "corrective": True, "rerank": True}
        async with service.client.stream("POST", "/api/v1/graph-rag", json=body, headers=STREAM) as response:
            async for _ in messages(response):
                while steps(server).count(name) == 0 and _is_before(name, steps(server)):
                    await asyncio.sleep(0.01)
                if name in steps(server):
                    break
        while not (await service.trace_of_only_session()).get("outcome"):
            await asyncio.sleep(0.01)
        view = await trace(service)
        call = view["calls"][-1]
        read = await service.client.get("/api/v1/documents/content", params={"id": call["prompt"]})
    assert (view["outcome"], call["step"]) == (SessionOutcome.CUT_OFF, name)
    asked = server.asked[-1]
    assert read.text == f"# System\n{asked.system}\n\n# User\n{asked.user}\n"


def _is_before(name: str, asked: list[str]) -> bool:
    """Whether the next call is that of the step."""
    order = ["grounding", "check", "reranking", "selection", "answer"]
    return len(asked) == order.index(name)


async def test_orders_in_a_reformulation_reach_nothing(data: Path, server: OpenAIServer) -> None:
    order = '"} ; DROP ALL # <urn:x> \ud800 ' + "x" * 2_000
    verdict = json.dumps({"relevant": False, "reasoning": "r" * 5_000, "question": order})
    async with failing(data, server, corrected(verdict, RELEVANT)) as service:
        await service.ask(corrective=True)
        view = await trace(service)
    assert len(view["reformulation"]["query"]) == 500
    assert len(view["checks"][0]["reasoning"]) == 1000


async def test_a_corrected_trace_is_removed_whole_with_its_collection(
    data: Path, server: OpenAIServer
) -> None:
    async with running(data, **by_model(server)) as service:
        server.answer(corrected(IRRELEVANT, RELEVANT))
        await service.ask(VAGUE, corrective=True, rerank=True)
        prompts = [call["prompt"] for call in (await trace(service))["calls"]]
        await service.client.delete("/api/v1/collections", params={"collection": "default"})
        for prompt in prompts:
            gone = await service.client.get("/api/v1/documents/content", params={"id": prompt})
            assert gone.status_code == 404
        left = await service.client.get("/sparql", params={"query": "SELECT * { ?s ?p ?o }"})
    assert VAGUE not in left.text
