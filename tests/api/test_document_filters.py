"""Questions narrowed by name, title, type, date and metadata, over HTTP; metadata from its ingest to its deletion."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import pytest
import pytest_asyncio

from api.archives import archive_of, take_in
from api.running import Running, running
from api.test_deletion_over_http import delete
from api.test_documents_over_http import upload
from api.test_flows import FLOWS, answered, cited, trace
from provgraph.ports.quad_store import QuadPattern
from provgraph.rdf.graphs import source_graph
from provgraph.rdf.vocabulary import TG

SAID_BY_ALL: Final = "Marie Curie was born in Warsaw."
LAB: Final = "https://example.org/lab"
WORKS: Final = "https://example.org/works"
TABLE: Final = "https://example.org/table"
ROWS: Final = "\n\n| Element | Discovered |\n|---|---|\n| Polonium | 1898 |\n| Radium | 1902 |\n"


pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def service(unchanged: Running) -> AsyncIterator[Running]:
    """Three documents that say the same, for the tests that only ask."""
    await fill(unchanged)
    yield unchanged


@pytest_asyncio.fixture(loop_scope="module")
async def own_service(tmp_path: Path) -> AsyncIterator[Running]:
    """The same documents, for a test that changes them."""
    async with running(tmp_path / "data") as made:
        await fill(made)
        yield made


async def fill(service: Running) -> None:
    lab = {"company": "Curie Lab", "tag": ["old", "first"], "date": "1903-06"}
    await given(service, LAB, SAID_BY_ALL, name="lab.txt", title="Notes of the lab", metadata=lab)
    works = {"company": "Radium Works", "year": 1921}
    await given(service, WORKS, f"{SAID_BY_ALL} Radium was sold.", name="works.txt", metadata=works)
    await upload(service, ("table.md", f"# A table\n\n{SAID_BY_ALL}{ROWS}".encode()), id=TABLE)


async def given(service: Running, document: str, text: str, **fields: Any) -> None:
    body = {"text": text, "id": document, **fields}
    sent = await service.client.post("/api/v1/documents", json=body)
    assert sent.status_code == 202, sent.text
    assert (await service.finished(sent.json()["id"]))["state"] == "done"


async def metadata_of(service: Running, document: str, collection: str = "default") -> dict[str, list[str]]:
    found = await service.get("/api/v1/documents", id=document, collection=collection)
    told: dict[str, list[str]] = found["metadata"]
    return told


@pytest.mark.parametrize("flow", FLOWS)
@pytest.mark.parametrize(
    ("narrowing", "document"),
    [
        ({"where": ["company=curie lab"]}, LAB),
        ({"where": ["TAG=first"], "titles": ["the lab"]}, LAB),
        ({"since": "1903"}, LAB),
        ({"where": ["year=1921", "year=1922"]}, WORKS),
        ({"types": ["markdown"]}, TABLE),
        ({"types": ["md"], "documents": ["table.md", "lab.txt"]}, TABLE),
    ],
)
async def test_every_flow_answers_only_from_documents_that_meet_the_conditions(
    service: Running, flow: str, narrowing: dict[str, Any], document: str
) -> None:
    answer = await answered(service, flow, **narrowing)
    assert cited(answer) <= {document}
    settings = (await trace(service, answer))["settings"]
    assert all(any(setting.startswith(f"{name}=") for setting in settings) for name in narrowing)
    again = await answered(service, flow, again=answer["session"])
    assert cited(again) <= {document}


async def test_cells_of_tables_are_narrowed_too(service: Running) -> None:
    question = {"query": "When was radium discovered?"}
    inside = await service.ask(**question, types=["markdown"])
    assert inside["short_answer"]["text"] == "1902"
    outside = await service.ask(**question, where=["company=Radium Works"])
    assert "1902" not in outside["response"]


async def test_candidates_are_narrowed_without_an_answer(service: Running) -> None:
    body = {"query": SAID_BY_ALL, "where": ["company=Radium Works"]}
    found = (await service.client.post("/api/v1/retrieve", json=body)).json()
    assert {chunk["document"] for chunk in found["chunks"]} == {WORKS}
    assert {document["id"] for document in found["documents"]} == {WORKS}


async def test_candidates_name_file_and_page_as_citations_do(service: Running) -> None:
    body: dict[str, Any] = {"query": SAID_BY_ALL, "documents": ["lab.txt"]}
    found = (await service.client.post("/api/v1/retrieve", json=body)).json()
    (chunk,) = found["chunks"]
    assert (chunk["title"], chunk["source"], chunk["page_number"]) == ("Notes of the lab", "lab.txt", 1)
    assert [each["source"] for each in found["documents"]] == ["lab.txt"]
    (source,) = (await service.ask(**body))["citations"][0]["sources"]
    assert chunk["page"] == source["page"]


async def test_highlights_name_the_file_of_each_document(service: Running) -> None:
    answer = await answered(service, "extractive", documents=["lab.txt"])
    assert [each["source"] for each in answer["highlights"]["documents"]] == ["lab.txt"]
    assert {fact["source"] for fact in answer["highlights"]["facts"]} <= {"lab.txt"}


async def test_a_text_is_checked_by_some_documents_of_a_collection(service: Running) -> None:
    body = {"text": SAID_BY_ALL, "collection": "default", "types": ["md"]}
    report = (await service.client.post("/api/v1/attribution", json=body)).json()
    (claim,) = report["claims"]
    assert {place["source"] for place in claim["evidence"]} <= {TABLE}


@pytest.mark.parametrize(
    ("narrowing", "status", "said"),
    [
        ({"documents": ["labs.txt"]}, 404, "lab.txt"),
        ({"where": ["company=Lab"]}, 404, "company=Curie Lab; company=Radium Works"),
        ({"where": ["firm=Lab"]}, 404, "company; tag; year"),
        ({"where": ["company"]}, 400, "NAME=VALUE"),
        ({"types": ["pdf"]}, 404, "text/markdown; text/plain"),
        ({"since": "1904"}, 404, "1903-06"),
        ({"until": "June"}, 400, "not a date"),
        ({"titles": ["atlas"]}, 404, "Notes of the lab"),
        ({"since": "1900", "where": ["year=1921"]}, 404, "Leave one out"),
    ],
)
async def test_conditions_that_no_document_meets_are_told_with_the_choices(
    service: Running, narrowing: dict[str, Any], status: int, said: str
) -> None:
    before = await service.get("/api/v1/traces")
    answer = await service.client.post("/api/v1/graph-rag", json={"query": SAID_BY_ALL, **narrowing})
    assert (answer.status_code, said in answer.json()["detail"]) == (status, True), answer.text
    assert await service.get("/api/v1/traces") == before


async def test_an_ambiguous_name_is_told_with_its_choices_as_data(own_service: Running) -> None:
    await given(own_service, "https://example.org/other", "Another lab.", name="2024/lab.txt")
    body = {"query": SAID_BY_ALL, "documents": ["lab.txt"]}
    problem = (await own_service.client.post("/api/v1/graph-rag", json=body)).json()
    assert problem["status"] == 409
    assert {choice["id"] for choice in problem["choices"]} == {LAB, "https://example.org/other"}


async def test_metadata_is_shown_renewed_by_name_and_kept_by_a_new_version(own_service: Running) -> None:
    assert await metadata_of(own_service, LAB) == {"company": ["Curie Lab"], "tag": ["first", "old"]}
    await given(own_service, LAB, SAID_BY_ALL, name="lab.txt", metadata={"tag": "new", "author": "M. Curie"})
    assert await metadata_of(own_service, LAB) == {"company": ["Curie Lab"], "tag": ["new"]}
    assert (await own_service.get("/api/v1/documents", id=LAB))["creators"] == ["M. Curie"]
    await given(own_service, LAB, f"{SAID_BY_ALL} She worked in Paris.", name="lab.txt")
    assert await metadata_of(own_service, LAB) == {"company": ["Curie Lab"], "tag": ["new"]}


async def test_metadata_travels_in_an_archive_is_sound_and_goes_with_its_document(
    own_service: Running,
) -> None:
    await take_in(own_service, await archive_of(own_service), "copy")
    assert await metadata_of(own_service, WORKS, "copy") == {"company": ["Radium Works"], "year": ["1921"]}
    checked = (await own_service.client.post("/api/v1/check", json={"all": True})).json()
    assert not checked.get("findings"), checked
    for document in (LAB, WORKS):
        await delete(own_service, document)
    left = QuadPattern(predicate=TG.metadata_name, graph=source_graph("default"))
    assert await own_service.assembly.store.match([left]) == [[]]


async def test_a_form_gives_metadata_to_all_its_files_and_a_record_its_own_fields(
    own_service: Running,
) -> None:
    files = ("one.txt", b"One is a number."), ("two.txt", b"Two is a number.")
    await upload(own_service, *files, metadata=json.dumps({"company": "PepsiCo", "audited": True}))
    assert await metadata_of(own_service, "two.txt") == {"audited": ["true"], "company": ["PepsiCo"]}
    record = {"id": "r1", "text": "Radium glows.", "category": "physics", "note": "x" * 2_000}
    await upload(own_service, ("records.jsonl", json.dumps(record).encode()))
    assert await metadata_of(own_service, "r1") == {"category": ["physics"]}


@pytest.mark.parametrize(
    ("metadata", "said"),
    [
        ("company", "JSON object"),
        ('{"a": {"b": 1}}', "plain"),
        ('{"date": "yesterday"}', "not a date"),
        ('{"a=b": "c"}', "NAME=VALUE"),
        (json.dumps({"a": "x" * 1_001}), "too long"),
    ],
)
async def test_metadata_that_is_none_is_refused(service: Running, metadata: str, said: str) -> None:
    answer = await service.client.post(
        "/api/v1/documents", data={"metadata": metadata}, files=[("file", ("a.txt", b"A text."))]
    )
    assert (answer.status_code, said in answer.json()["detail"]) == (400, True), answer.text


async def test_a_citation_says_the_file_of_its_document(service: Running) -> None:
    answer = await service.ask(SAID_BY_ALL, documents=["lab.txt"])
    (source,) = answer["citations"][0]["sources"]
    assert (source["title"], source["source"]) == ("Notes of the lab", "lab.txt")


async def test_metadata_is_edited_and_narrows_questions_from_then_on(service: Running) -> None:
    await service.ingest(
        "Ada Larkfield was born in Graz.", id="https://example.org/larkfield", title="Larkfield"
    )
    edited = {
        "document": "Larkfield",
        "metadata": {"company": ["Korn", "Holt"], "year": 2020, "author": "A. Berg"},
    }
    for body, company in (
        (edited, ["Korn", "Holt"]),
        ({**edited, "metadata": {"company": "Korn"}}, ["Korn"]),
    ):
        assert (await service.client.put("/api/v1/documents/metadata", json=body)).status_code == 204
        query = {"id": "Larkfield"}
        shown = (await service.client.get("/api/v1/documents", params=query)).json()
        assert sorted(shown["metadata"].pop("company")) == sorted(company)
        assert shown["creators"] == ["A. Berg"]
        assert shown["size"] == len("Ada Larkfield was born in Graz.")
        listed = await service.get("/api/v1/documents", counts="true")
        assert shown["size"] in [document["size"] for document in listed]
    assert shown["metadata"] == {}
    for value, outcome in (("Korn", "answered"), ("Holt", "refused")):
        body = {"query": "Where was Ada Larkfield born?", "where": [f"company={value}"]}
        answer = await service.client.post("/api/v1/graph-rag", json=body)
        assert (answer.json()["outcome"] if answer.is_success else "refused") == outcome
    for wrong, words in (
        ({"metadata": {"readers": "red"}}, "Leave them out"),
        ({"metadata": None}, "Give a title"),
    ):
        refused = await service.client.put("/api/v1/documents/metadata", json={**edited, **wrong})
        assert (refused.status_code, words in refused.json()["detail"]) == (400, True)


async def test_a_title_is_edited_and_stays_when_the_same_file_is_ingested_again(service: Running) -> None:
    text = "Ada Larkfield founded Korn Works in Graz in 1901."
    await service.ingest(text, name="draft3.txt", metadata={"company": "Korn"})
    edited = {"document": "draft3.txt", "title": "The Chronicle of Graz"}
    assert (await service.client.put("/api/v1/documents/metadata", json=edited)).status_code == 204
    await service.ingest(text, name="draft3.txt")
    shown = await service.get("/api/v1/documents", id="draft3.txt")
    assert (shown["title"], shown["metadata"]) == ("The Chronicle of Graz", {"company": ["Korn"]})
    answer = await service.ask("Who founded Korn Works?", titles=["Chronicle"])
    assert answer["citations"][0]["sources"][0]["title"] == "The Chronicle of Graz"
    chunks = (await service.client.post("/api/v1/retrieve", json={"query": "chronicle"})).json()["chunks"]
    assert chunks[0]["title"] == "The Chronicle of Graz"


async def test_a_title_that_is_given_with_a_stored_file_takes_the_place_of_its_title(
    service: Running,
) -> None:
    text = "Ada Larkfield founded Korn Works in Graz in 1901."
    await service.ingest(text, name="draft3.txt", title="Draft")
    before = await service.get("/api/v1/documents", id="draft3.txt")
    await service.ingest(text, name="draft3.txt", title="Chronicle")
    after = await service.get("/api/v1/documents", id="draft3.txt")
    assert (before["title"], after["title"]) == ("Draft", "Chronicle")
    facts = [
        [len(chunk["facts"]) for page in tree["content"] for chunk in page["chunks"]]
        for tree in (before, after)
    ]
    assert facts[0] == facts[1]
