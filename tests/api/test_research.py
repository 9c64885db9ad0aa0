"""Papers over HTTP: found, read, linked, asked; what is missing is named, and what is taken back is gone."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
import pytest_asyncio

from api.running import PROBLEM, Running, reading_papers
from provgraph.checking import pipeline
from servers.arxiv_server import ArxivServer, arxiv_server
from servers.papers import ALL, HOSTILE, LAYNET, PROTEINS, TABLES

ROUTE: Final = "/api/v1/research"
LAYFORMER: Final = "https://arxiv.org/abs/2101.00001"
TABREADER: Final = "https://arxiv.org/abs/2102.00002"
HOSTILE_ID: Final = "https://arxiv.org/abs/2104.00004"
QUESTION: Final = "What is TabReader based on?"


@pytest.fixture(scope="module")
def arxiv() -> Iterator[ArxivServer]:
    with arxiv_server(ALL) as server:
        yield server


@pytest.fixture(autouse=True)
def _as_new(arxiv: ArxivServer) -> None:
    arxiv.busy.clear()
    arxiv.withdrawn.clear()
    arxiv.asked.clear()


@pytest.fixture(scope="module")
def built_folder(tmp_path_factory: pytest.TempPathFactory, arxiv: ArxivServer) -> Path:
    """A folder with three papers on documents, of which one was withdrawn; copied, never opened."""
    data = tmp_path_factory.mktemp("papers") / "data"

    async def build() -> None:
        arxiv.withdrawn.add(HOSTILE.number)
        async with reading_papers(data, arxiv.url) as service:
            job = await built(service, topic="document")
            assert job["state"] == "done", job

    asyncio.run(build())
    return data


@pytest_asyncio.fixture
async def service(tmp_path: Path, built_folder: Path, arxiv: ArxivServer) -> AsyncIterator[Running]:
    shutil.copytree(built_folder, tmp_path / "data")
    async with reading_papers(tmp_path / "data", arxiv.url) as made:
        yield made


async def built(service: Running, **asked: Any) -> dict[str, Any]:
    """The end of a build."""
    sent = await service.events("POST", f"{ROUTE}/build", asked)
    assert sent[-1].event == "job"
    return sent[-1].data


async def asked(service: Running, query: str = QUESTION, **fields: Any) -> dict[str, Any]:
    answer = await service.client.post(ROUTE, json={"query": query, **fields})
    assert answer.status_code == 200, answer.text
    said: dict[str, Any] = answer.json()
    return said


async def sound(service: Running) -> bool:
    answer = await service.client.post("/api/v1/check", json={})
    assert answer.status_code == 200, answer.text
    report = answer.json()
    assert report["findings"] == []
    return bool(report["summary"]["passed"])


async def similar(service: Running) -> set[tuple[str, str]]:
    """The pairs of papers that are alike, as anybody finds them by SPARQL."""
    query = "SELECT ?one ?other WHERE { ?one <https://trustgraph.ai/ns/similarTo> ?other }"
    found = await service.client.post("/sparql", data={"query": query})
    rows = found.json()["results"]["bindings"]
    return {(row["one"]["value"], row["other"]["value"]) for row in rows}


async def test_papers_are_there_with_their_bibliography_and_what_is_missing_is_named(
    service: Running,
) -> None:
    found = await service.get(f"{ROUTE}/papers")
    papers = {paper["id"]: paper for paper in found["papers"]}
    assert set(papers) == {LAYFORMER, TABREADER, HOSTILE_ID}
    paper = papers[LAYFORMER]
    assert paper["title"] == LAYNET.title
    assert paper["creators"] == sorted(LAYNET.creators)
    assert paper["date"] == LAYNET.published
    assert paper["identifiers"] == ["arXiv:2101.00001v1"]
    assert paper["abstract"] == LAYNET.abstract
    assert paper["source"].endswith("/pdf/2101.00001v1")
    (gap,) = found["gaps"]
    assert gap["title"] == HOSTILE.title.replace("\u202e", "\ufffd") or gap["title"] == HOSTILE.title
    assert "withdrawn" in gap["reason"]
    assert {tuple(each["papers"]) for each in found["likenesses"]} == await similar(service)
    assert (LAYFORMER, TABREADER) in await similar(service)
    assert await sound(service)


async def test_building_again_fetches_what_is_missing_and_nothing_else(
    service: Running, arxiv: ArxivServer
) -> None:
    arxiv.busy = [429]
    sent = await service.events("POST", f"{ROUTE}/build", {"topic": "document"})
    doing = [message.data["doing"] for message in sent]
    assert {"waiting 5 s for arXiv", f"fetching {HOSTILE.number}"} <= set(doing)
    assert doing[-1] == ""
    job = sent[-1].data
    assert job["refused"] == []
    assert [path for path in arxiv.asked if path.startswith("/pdf/")] == [f"/pdf/{HOSTILE.number}"]
    assert [document["id"] for document in job["documents"]] == [HOSTILE_ID]
    assert (await service.get(f"{ROUTE}/papers"))["gaps"] == []
    assert await sound(service)


async def test_what_joins_changes_who_is_near_to_whom(service: Running) -> None:
    before = await similar(service)
    await built(service, topic="proteins")
    found = await service.get(f"{ROUTE}/papers")
    assert len(found["papers"]) == 4
    assert {tuple(each["papers"]) for each in found["likenesses"]} == await similar(service) == before


async def test_a_paper_that_is_deleted_takes_its_likenesses_with_it(service: Running) -> None:
    answer = await asked(service)
    deleted = await service.client.delete("/api/v1/documents", params={"id": TABREADER})
    assert deleted.status_code == 200, deleted.text
    left = await similar(service)
    assert left
    assert not any(TABREADER in pair for pair in left)
    assert await sound(service)
    found = await service.get(f"{ROUTE}/papers")
    assert {tuple(each["papers"]) for each in found["likenesses"]} == left
    trace = await service.get(f"/api/v1/traces/{answer['session']}")
    assert trace["stale"]
    assert (await asked(service))["outcome"] == "refused"


async def test_an_answer_names_its_papers_and_quotes_them_at_exact_places(service: Running) -> None:
    answer = await asked(service)
    assert answer["outcome"] == "answered"
    assert (
        "“TabReader: Reading Tables in Document Pages”: TabReader is based on LayFormer"
        in (answer["response"])
    )
    for citation in answer["citations"]:
        assert citation["supported"]
        for source in citation["sources"]:
            page = await service.client.get("/api/v1/documents/content", params={"id": source["page"]})
            assert page.text[source["start"] : source["end"]] == source["text"]
            assert " ".join(source["text"].split()) in answer["response"]
    assert await sound(service)


async def test_an_answer_streams_each_step_and_its_trace_tells_how_it_was_found(service: Running) -> None:
    sent = await service.events("POST", ROUTE, {"query": QUESTION, "alpha": 0.25})
    steps = [message.data["explain_id"].split(":")[-2] for message in sent if message.event == "explain"]
    assert steps == ["session", "grounding", "retrieval", "check", "selection", "answer", "answer"]
    session = next(message.data["explain_id"] for message in sent if message.event == "explain")
    trace = await service.get(f"/api/v1/traces/{session}")
    assert trace["flow"] == "research"
    assert (trace["method"], trace["parameters"]) == ("hybrid", ["alpha=0.25"])
    assert "TabReader" in {entity["label"] for entity in trace["entities"]}
    assert trace["checks"][0]["relevant"] is True
    best = trace["ranked_documents"][0]
    assert best["document"] == TABREADER
    assert "mentions" in best["reasoning"]


async def test_only_the_papers_that_are_chosen_are_asked(service: Running) -> None:
    answer = await asked(service, "What was LayFormer trained on?", papers=["2101.00001v1"])
    documents = {source["uri"] for source in answer["sources"]}
    assert documents == {LAYFORMER}
    assert (await asked(service, papers=[LAYNET.title]))["outcome"] == "refused"


async def test_a_paper_that_there_is_not_is_told_before_anything_is_asked(service: Running) -> None:
    answer = await service.client.post(ROUTE, json={"query": QUESTION, "papers": ["1999.99999"]})
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith(PROBLEM)
    assert await service.get("/api/v1/traces") == []


async def test_what_papers_do_not_say_is_refused_after_a_second_look(service: Running) -> None:
    answer = await asked(service, "Which enzymes of LayFormer digest cellulose at night?")
    assert answer["outcome"] == "refused"
    trace = await service.get(f"/api/v1/traces/{answer['session']}")
    assert next(check["relevant"] for check in trace["checks"]) is False
    assert trace["reformulation"]["agent"] == "reformulation-rules"
    assert await sound(service)
    unchecked = await asked(service, "Which enzymes digest cellulose at night?", corrective=False)
    trace = await service.get(f"/api/v1/traces/{unchecked['session']}")
    assert trace["checks"] == []


async def test_a_conversation_remembers_papers_and_questions(service: Running) -> None:
    await asked(service, conversation="tables", papers=[TABREADER])
    answer = await asked(service, "What was it evaluated on?", conversation="tables")
    trace = await service.get(f"/api/v1/traces/{answer['session']}")
    assert "TabReader" in trace["concepts"]
    assert {source["uri"] for source in answer["sources"]} == {TABREADER}
    assert "FinTabNet" in answer["response"]
    everywhere = await asked(service, "What is LayFormer trained on?", conversation="tables", papers=[])
    assert {source["uri"] for source in everywhere["sources"]} == {LAYFORMER}
    assert await sound(service)


async def test_a_conversation_is_with_one_collection(service: Running) -> None:
    await asked(service, conversation="tables")
    await service.client.post("/api/v1/collections", json={"collection": "other"})
    answer = await service.client.post(
        ROUTE, json={"query": QUESTION, "conversation": "tables", "collection": "other"}
    )
    assert answer.status_code == 409


async def test_files_are_described_by_the_bibliography_among_them(service: Running) -> None:
    bibliography = (
        "@article{folding, title = {Folding in Water}, author = {Solberg, Erik}, year = 2021, doi = {10.1000/fold}}\n"
        "@article{lost, title = {Lost}}"
    )
    sent = await service.client.post(
        f"{ROUTE}/build",
        data={"collection": "given"},
        files=[
            ("file", ("folding.pdf", PROTEINS.pdf)),
            ("file", ("refs.bib", bibliography.encode())),
            ("file", ("torn.pdf", b"%PDF-1.4 torn")),
        ],
    )
    assert sent.status_code == 202, sent.text
    job = (await service.events("GET", f"{ROUTE}/builds/{sent.json()['id']}"))[-1].data
    assert job["paper_graph"] == {"papers": 1, "likenesses": 0}
    assert {missed["name"] for missed in job["refused"]} == {"lost", "torn.pdf"}
    found = await service.get(f"{ROUTE}/papers", collection="given")
    (paper,) = found["papers"]
    assert (paper["id"], paper["title"]) == ("https://doi.org/10.1000/fold", "Folding in Water")
    assert (paper["creators"], paper["date"]) == (["Erik Solberg"], "2021")
    assert {gap["title"] for gap in found["gaps"]} == {"Lost", "torn.pdf"}


@pytest.mark.parametrize(
    ("topic", "told"), [("unheard of", "no paper"), ('"', "has no words")], ids=["no results", "no words"]
)
async def test_a_search_that_gives_nothing_is_told_and_what_is_there_stays(
    service: Running, topic: str, told: str
) -> None:
    job = await built(service, topic=topic)
    assert job["state"] == "done"
    assert told in job["refused"][0]["problem"]["detail"]
    assert job["paper_graph"]["papers"] == 3


async def test_without_a_network_the_rest_is_built(tmp_path: Path, built_folder: Path) -> None:
    shutil.copytree(built_folder, tmp_path / "data")
    async with reading_papers(tmp_path / "data", "http://127.0.0.1:9") as service:
        job = await built(service, topic="document")
        assert "cannot be reached" in job["refused"][0]["problem"]["detail"]
        assert job["paper_graph"]["papers"] == 3
        assert len((await service.get(f"{ROUTE}/papers"))["gaps"]) == 2


async def test_both_graphs_are_drawn_and_hostile_titles_are_text_in_them(service: Running) -> None:
    picture = await service.client.get(f"{ROUTE}/picture")
    assert picture.headers["content-type"].startswith("image/svg+xml")
    assert "<img" not in picture.text
    assert "&lt;img" in picture.text
    png = await service.client.get(f"{ROUTE}/picture", params={"graph": "entities", "format": "png"})
    assert png.content.startswith(b"\x89PNG")
    graph = await service.get(f"{ROUTE}/graph", graph="entities")
    labels = {node["id"]: node["label"] for node in graph["nodes"]}
    edges = {(labels[edge["subject"]], edge["label"], labels[edge["object"]]) for edge in graph["edges"]}
    assert ("TabReader", "based on", "LayFormer") in edges
    assert ("LayFormer", "uses", "PubLayNet") in edges
    kinds = {node["label"]: node["detail"] for node in graph["nodes"]}
    assert (kinds["PubLayNet"], kinds["LayFormer"]) == ("dataset", "method")
    of_one = await service.get(f"{ROUTE}/graph", graph="entities", paper=LAYFORMER)
    assert "PubTabNet" not in {node["label"] for node in of_one["nodes"]}


async def test_the_twin_routes_build_a_graph_and_answer_in_its_session(service: Running) -> None:
    answer = await service.client.post("/api/build_graph", json={"topic": "tables", "max_results": 5})
    assert answer.status_code == 200, answer.text
    built_graph = answer.json()
    assert {node["title"] for node in built_graph["nodes"]} >= {TABLES.title}
    assert built_graph["edges"]
    assert {edge["relation"] for edge in built_graph["knowledge_graph"]["edges"]} >= {"based on"}
    action = {
        "action": "ask",
        "selected_papers": [TABREADER],
        "query": QUESTION,
        "session_id": built_graph["session_id"],
        "use_hybrid": False,
        "use_reranking": False,
    }
    told = await service.client.post("/api/agent_action", json=action)
    assert "LayFormer" in told.json()["response"]
    chat = {**action, "action": "chat", "selected_papers": [{"id": TABREADER, "title": "any", "pdf_url": ""}]}
    said = (await service.client.post("/api/agent_action", json=chat)).json()
    assert said["response"] == told.json()["response"]
    streamed = await service.events("POST", "/api/agent_action", action)
    assert streamed[-1].data["end_of_session"]
    progress = await service.events("POST", "/api/build_graph", {"topic": "tables"})
    assert {sent.event for sent in progress[:-1]} == {"progress"}
    assert progress[-1].data["session_id"] != built_graph["session_id"]
    unknown = await service.client.post("/api/agent_action", json={**action, "session_id": "nobody"})
    assert unknown.status_code == 404


async def test_papers_are_summed_up_and_compared_without_a_model_each_sentence_cited(
    service: Running,
) -> None:
    summary = await asked(service, "Summarize this paper.", papers=[TABREADER])
    assert summary["outcome"] == "answered"
    assert summary["response"].startswith("“TabReader")
    assert summary["citations"]
    assert all(each["supported"] and each["sources"] for each in summary["citations"])
    rows = [line.partition(":")[0] for line in summary["response"].splitlines()[1:] if line]
    assert rows == [row for row in ("Problem", "Method", "Results", "Limits") if row in rows]
    table = await asked(service, "Compare these papers.", papers=[TABREADER, LAYFORMER])
    assert table["response"].startswith("| | ")
    assert {len(line.split("|")) for line in table["response"].splitlines()} == {5}
    for source in (source for each in table["citations"] for source in each["sources"]):
        assert source["text"].split()[0] in table["response"]
    assert await sound(service)


async def test_documents_are_listed_with_their_counts_where_they_are_wanted(service: Running) -> None:
    plain = await service.get("/api/v1/documents")
    assert all("chunks" not in each or each["chunks"] is None for each in plain)
    counted = {each["id"]: each for each in await service.get("/api/v1/documents", counts="true")}
    tree = await service.get("/api/v1/documents", id=TABREADER)
    chunks = [chunk for page in tree["content"] for chunk in page["chunks"]]
    facts = {(f["subject"], f["relation"], f["object"]) for chunk in chunks for f in chunk["facts"]}
    assert counted[TABREADER]["chunks"] == len(chunks)
    assert counted[TABREADER]["facts"] == len(facts)


async def test_a_check_finds_no_fault_where_its_batches_part_what_is_linked(
    service: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "UNITS_PER_BATCH", 1)
    assert await sound(service)
