"""Papers read and asked with a model, over real sockets: what it decides, what is verified, what its faults leave."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any, Final

import pytest

from api.model_service import MODEL, Script, by_model, listed, step, told
from api.running import Running, running
from e2e.commands import Done, run_here
from provgraph.checking.pipeline import Checker
from provgraph.wire.service import CheckFinding
from servers.openai_server import Answer, Asked, OpenAIServer
from servers.papers import LAYNET, TABLES

ROUTE: Final = "/api/v1/research"
QUESTION: Final = "What is TabReader based on?"
QUOTE: Final = "TabReader, which reads tables of document pages"
TYPED: Final = {
    "subject": "TabReader",
    "subject_type": "METHOD",
    "relation": "APPLIES_TO",
    "object": "tables",
    "object_type": "CONCEPT",
    "quote": QUOTE,
}
RELEVANT: Final = '{"relevant": true, "reasoning": "It names LayFormer."}'
IRRELEVANT: Final = json.dumps(
    {"relevant": False, "reasoning": "Nobody folds.", "question": "What does TabReader rest on?"}
)
NAMED: Final = f"{TABLES.title} says that TabReader is based on LayFormer"
SAID: Final = f"{NAMED} [1]. It is trained on PubTabNet [9]."
DEAD: Final = Answer("no", status=500)


def reading(asked: Asked) -> Answer:
    """Proposes a fact that no rule reads, where the text says it, and everywhere one that no text says."""
    invented = TYPED | {"object": "whales", "quote": "TabReader sings of whales"}
    there = QUOTE in " ".join(asked.user.split())
    return Answer(json.dumps({"facts": [invented, *([TYPED] if there else [])]}))


def answering(**instead: str | Answer) -> Script:
    """A good model, but for these steps; it gives most to the passage that says what TabReader is based on."""
    said: dict[str, str | Answer] = {"check": RELEVANT, "answer": SAID, **instead}

    def answer(asked: Asked) -> Answer:
        name = step(asked)
        if name == "reranking" and name not in said:
            return Answer("\n".join(_scored(text) for text in listed(asked, "texts")))
        given = said[name]
        return given if isinstance(given, Answer) else Answer(given)

    return answer


def _scored(text: dict[str, Any]) -> str:
    return json.dumps({"id": text["id"], "score": 9 if "TabReader is based" in text["text"] else 2})


def build(folder: Path, server: OpenAIServer) -> Done:
    env = {"OPENAI_BASE_URL": server.url, "PROVGRAPH_LLM_MODEL": MODEL, "PROVGRAPH_LLM_RETRIES": "0"}
    return run_here("research", "build", "--from", folder / "given", "--data", folder / "data", env=env)


@pytest.fixture(scope="module")
def built_by_model(tmp_path_factory: pytest.TempPathFactory, _running_model_server: OpenAIServer) -> Path:
    """A folder with two papers that rules and a model have read, as the command does it; copied, never opened."""
    folder = tmp_path_factory.mktemp("papers")
    (folder / "given").mkdir()
    for paper in (LAYNET, TABLES):
        (folder / "given" / f"{paper.number}.pdf").write_bytes(paper.pdf)
    entries = (f"@misc{{{paper.number}, title = {{{paper.title}}}}}" for paper in (LAYNET, TABLES))
    (folder / "given" / "refs.bib").write_text("\n".join(entries))
    _running_model_server.forget()
    _running_model_server.answer(reading)
    done = build(folder, _running_model_server)
    assert done.status == 0, done.err
    return folder


@pytest.fixture
def folder(tmp_path: Path, built_by_model: Path) -> Path:
    shutil.copytree(built_by_model, tmp_path / "papers")
    return tmp_path / "papers"


async def ask(service: Running, query: str = QUESTION, **fields: Any) -> dict[str, Any]:
    answer = await service.client.post(ROUTE, json={"query": query, **fields})
    assert answer.status_code == 200, answer.text
    said: dict[str, Any] = answer.json()
    return said


async def trace(service: Running, session: str) -> dict[str, Any]:
    view: dict[str, Any] = await service.get(f"/api/v1/traces/{session}")
    return view


async def sound(service: Running) -> bool:
    """Whether papers and traces keep every shape of the ontology."""
    checker = Checker(service.assembly.store, service.assembly.library, "explainability")
    return not [event async for event in checker.check("default") if isinstance(event, CheckFinding)]


async def selected_from(service: Running, session: str) -> str:
    """The number of the retrieval whose passages a session chose from."""
    name = session.rpartition(":")[2]
    step = f"<urn:trustgraph:prov:selection:{name}> prov:wasDerivedFrom ?step . ?step a tg:Exploration"
    found = await service.get("/sparql", query=f"SELECT ?step {{ {step} }}")
    (row,) = found["results"]["bindings"]
    retrieval: str = row["step"]["value"]
    return retrieval.removeprefix(f"urn:trustgraph:prov:retrieval:{name}")


def steps(server: OpenAIServer) -> list[str]:
    return [step(asked) for asked in server.asked]


async def test_what_a_model_reads_in_the_ontologys_terms_is_told_with_its_words_and_its_reader(
    folder: Path, server: OpenAIServer
) -> None:
    async with running(folder / "data", **by_model(server)) as service:
        lineage = await service.get("/api/v1/lineage", s="TabReader", p="applies to", o="tables")
        (source,) = lineage["sources"]
        assert " ".join(source["text"].split()) == f"We present {QUOTE}."
        page = await service.client.get("/api/v1/documents/content", params={"id": source["page"]})
        assert page.text[source["start"] : source["end"]] == source["text"]
        assert source["extraction"]["model"] == MODEL
        graph = await service.get(f"{ROUTE}/graph", graph="entities")
        labels = {node["id"]: node["label"].casefold() for node in graph["nodes"]}
        edges = {(labels[edge["subject"]], edge["label"], labels[edge["object"]]) for edge in graph["edges"]}
        assert {("tabreader", "applies to", "tables"), ("tabreader", "based on", "layformer")} <= edges
        assert not any("whales" in label for label in labels.values())
        assert await sound(service)


def test_a_build_again_asks_no_model_for_what_it_has_read_and_one_without_a_model_is_told(
    folder: Path, server: OpenAIServer
) -> None:
    server.answer(Answer("bad key", status=401))
    again = build(folder, server)
    assert (again.status, server.asked) == (0, [])
    assert f"{TABLES.title}: 2 pages, 2 chunks, unchanged" in again.out
    shutil.rmtree(folder / "data")
    alone = build(folder, server)
    assert alone.status == 1
    assert "Set OPENAI_API_KEY" in alone.err
    assert "2 papers in collection 'default', 1 pair alike." in alone.out


async def test_an_answer_names_a_paper_and_only_what_its_passages_say_is_supported(
    folder: Path, server: OpenAIServer
) -> None:
    server.answer(answering())
    async with running(folder / "data", **by_model(server)) as service:
        answer = await ask(service)
        assert answer["response"] == f"{NAMED}. It is trained on PubTabNet."
        named, unknown_mark = answer["citations"]
        assert [named["supported"], unknown_mark["supported"]] == [True, False]
        assert "TabReader is based on LayFormer" in named["sources"][-1]["text"]
        assert steps(server) == ["check", "reranking", "answer"]
        view = await trace(service, answer["session"])
        assert [call["step"] for call in view["calls"]] == ["check", "reranking", "answer"]
        assert view["checks"] == [{"relevant": True, "reasoning": "It names LayFormer.", "agent": MODEL}]
        assert view["reranking"]["agent"] == MODEL
        assert view["selected_chunks"][0]["rerank_score"] == 9
        sent = await service.events("POST", ROUTE, {"query": QUESTION})
        assert told(sent) == answer["response"]
        assert sum(bool(message.data.get("response")) for message in sent) > 3
        assert await sound(service)


async def test_what_a_model_finds_irrelevant_is_retrieved_once_more_in_its_words(
    folder: Path, server: OpenAIServer
) -> None:
    verdicts = [IRRELEVANT, RELEVANT, IRRELEVANT, IRRELEVANT, IRRELEVANT, "Well."]
    good = answering()
    server.answer(lambda asked: Answer(verdicts.pop(0)) if step(asked) == "check" else good(asked))
    async with running(folder / "data", **by_model(server)) as service:
        better = await trace(service, (await ask(service, "What does it fold with?"))["session"])
        reworded = better["reformulation"]
        assert (reworded["query"], reworded["agent"]) == ("What does TabReader rest on?", MODEL)
        assert [check["relevant"] for check in better["checks"]] == [False, True]
        asked = [each.user.splitlines()[0] for each in server.asked]
        assert asked == ["Question: What does it fold with?"] * len(asked)
        no_better = await ask(service, "Who folds?")
        view = await trace(service, no_better["session"])
        assert [check["relevant"] for check in view["checks"]] == [False, False]
        assert any("Nobody folds." in warning for warning in no_better["warnings"])
        not_told = await ask(service, "Who folds?")
        numbers = [await selected_from(service, each["session"]) for each in (better, no_better, not_told)]
        assert numbers == [":1", "", ":1"]
        assert await sound(service)


async def test_a_model_that_fails_leaves_the_papers_quoted_and_in_mid_sentence_an_answer_that_failed(
    folder: Path, server: OpenAIServer
) -> None:
    quoted = f"“{TABLES.title}”: TabReader is based on LayFormer"
    async with running(folder / "data", **by_model(server)) as service:
        for failing, warning in (
            ({"check": DEAD}, "The passages were checked by measure instead."),
            ({"check": "Well."}, "The model's check of the passages could not be read."),
            ({"reranking": DEAD}, "4 of 4 candidates keep their first rank."),
            ({"answer": DEAD}, "The chunks are quoted instead."),
            ({"answer": Answer(SAID, dies_after=0)}, "The chunks are quoted instead."),
        ):
            server.answer(answering(**failing))
            answer = await ask(service)
            assert warning in " ".join(answer["warnings"])
            assert answer["response"].startswith(quoted if "answer" in failing else NAMED)
            assert answer["citations"][0]["supported"]
        server.answer(answering(answer="NO ANSWER"))
        assert (await ask(service))["outcome"] == "refused"
        server.answer(answering(answer=Answer(SAID, dies_after=3)))
        sent = await service.events("POST", ROUTE, {"query": QUESTION})
        assert told(sent)
        assert NAMED.startswith(told(sent))
        session = next(message.data["explain_id"] for message in sent if message.event == "explain")
        view = await trace(service, session)
        assert (view["outcome"], view["answer"]["sentences"]) == ("failed", [])
        assert await sound(service)


async def test_a_follow_up_is_scored_and_answered_with_the_names_that_it_points_back_to(
    folder: Path, server: OpenAIServer
) -> None:
    server.answer(answering())
    async with running(folder / "data", **by_model(server)) as service:
        await ask(service, conversation="tables", papers=[TABLES.title])
        server.forget()
        server.answer(answering(answer="TabReader was evaluated on PubTabNet and FinTabNet [1]."))
        answer = await ask(service, "What was it evaluated on?", conversation="tables")
        assert {source["title"] for source in answer["sources"]} == {TABLES.title}
        check, reranking, answered = server.asked
        assert "TabReader" in check.user.splitlines()[0]
        assert "TabReader" in reranking.user.splitlines()[0]
        assert (
            f"What was it evaluated on?\n\nEarlier questions of this conversation:\n- {QUESTION}"
            in answered.user
        )
        server.forget()
        without = await ask(service, "What was it evaluated on?", conversation="tables", engine="model-free")
        assert server.asked == []
        assert "FinTabNet" in without["response"]
        assert await sound(service)
