"""Documents in, their jobs, and what becomes of them, over HTTP."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from api.running import CURIE, Running
from unit.documents.test_pictures_of_text import with_pictured_table

CURIE_ID = "https://example.org/curie"
FACTS = "Lise Meitner discovered protactinium in 1917."


async def upload(service: Running, *files: tuple[str, bytes], **fields: str) -> dict[str, Any]:
    """Send files as a browser's form does, and wait for the end of their job."""
    sent = await service.client.post(
        "/api/v1/documents", data=fields, files=[("file", (name, content)) for name, content in files]
    )
    assert sent.status_code == 202, sent.text
    return await service.finished(sent.json()["id"])


async def tree(service: Running, id: str, collection: str = "default") -> dict[str, Any]:
    found: dict[str, Any] = await service.get("/api/v1/documents", id=id, collection=collection)
    return found


async def text_of(service: Running, id: str, collection: str = "default") -> str:
    answer = await service.client.get(
        "/api/v1/documents/content", params={"id": id, "collection": collection}
    )
    assert answer.status_code == 200, answer.text
    return answer.text


async def test_a_form_of_several_files_is_one_job(service: Running) -> None:
    job = await upload(
        service, ("curie.md", b"# The Curies\n\nMarie Curie discovered polonium."), ("b.txt", b"A fact.")
    )
    assert job["state"] == "done"
    assert [document["title"] for document in job["documents"]] == ["The Curies", "b"]
    titles = [document["title"] for document in await service.get("/api/v1/documents")]
    assert titles == ["b", "The Curies"]


async def test_a_document_says_of_its_pages_what_ingest_said_of_them(service: Running) -> None:
    job = await upload(service, ("depots.pdf", with_pictured_table()))
    (stored,) = job["documents"]
    pictured, plain = (await tree(service, stored["id"]))["content"]
    assert pictured["warning"].startswith("page 1 has a table as a picture")
    assert [pictured["warning"]] == stored["warnings"]
    assert plain.get("warning", "") == ""


async def test_a_file_that_cannot_be_read_is_refused_and_the_others_are_taken(service: Running) -> None:
    files = [("empty.txt", b""), ("good.txt", FACTS.encode()), ("bad.pdf", b"%PDF-1.7 nothing")]
    job = await upload(service, *files)
    assert job["state"] == "done"
    assert [document["title"] for document in job["documents"]] == ["good"]
    assert [refused["name"] for refused in job["refused"]] == ["empty.txt", "bad.pdf"]
    for refused in job["refused"]:
        assert refused["problem"]["status"] == 422
        assert len(refused["problem"]["detail"].split(". ")) >= 2


async def test_the_bytes_of_a_json_document_are_base64(service: Running) -> None:
    content = base64.b64encode(b"# Lise\n\n" + FACTS.encode()).decode()
    sent = await service.client.post("/api/v1/documents", json={"content": content, "name": "lise.md"})
    job = await service.finished(sent.json()["id"])
    assert job["documents"][0]["title"] == "Lise"


async def test_title_and_id_are_as_they_were_given(service: Running) -> None:
    await upload(service, ("lise.txt", FACTS.encode()), title="On Lise", id="https://example.org/a/b?c=d&e")
    document = await tree(service, "https://example.org/a/b?c=d&e")
    assert document["title"] == "On Lise"
    await service.ingest(FACTS, id="my notes/7")
    assert (await tree(service, "urn:trustgraph:doc:my%20notes%2F7"))["pages"] == 1


async def test_no_document_can_take_the_place_of_a_page(informed: Running) -> None:
    (page,) = (await tree(informed, CURIE_ID))["content"]
    words = await text_of(informed, page["id"])
    job = await informed.ingest(FACTS, id=page["id"])
    assert [refused["problem"]["status"] for refused in job["refused"]] == [400]
    assert await text_of(informed, page["id"]) == words


async def test_names_are_kept_without_control_characters(service: Running) -> None:
    job = await service.ingest(FACTS, name="a\x1b[2J\0.txt", title="On\x1b[31m\nLise")
    document = await tree(service, job["documents"][0]["id"])
    assert (document["source"], document["title"]) == ("a\ufffd[2J\ufffd.txt", "On\ufffd[31m Lise")


async def test_a_document_opens_down_to_its_facts_and_their_words(informed: Running) -> None:
    document = await tree(informed, CURIE_ID)
    (page,) = document["content"]
    facts = [fact for chunk in page["chunks"] for fact in chunk["facts"]]
    labels = {(fact["subject"], fact["relation"], fact["object"]) for fact in facts}
    assert ("polonium", "was discovered by", "Marie Curie") in labels
    text = await text_of(informed, page["id"])
    for fact in facts:
        words = await text_of(informed, fact["page"])
        assert words[fact["start"] : fact["end"]] == fact["text"]
    for chunk in page["chunks"]:
        assert await text_of(informed, chunk["id"]) == text[chunk["start"] : chunk["end"]]


async def test_a_document_is_given_back_as_it_came_and_never_as_a_page_to_open(service: Running) -> None:
    html = b"<title>Lise</title><p>Lise Meitner discovered protactinium.<script>alert(1)</script></p>"
    job = await upload(service, ("lise.html", html))
    answer = await service.client.get("/api/v1/documents/content", params={"id": job["documents"][0]["id"]})
    assert answer.content == html
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-disposition"] == "attachment"


async def test_the_same_document_twice_is_the_same_document(informed: Running) -> None:
    before = await informed.client.get("/api/v1/export")
    job = await informed.ingest(id=CURIE_ID, title="The Curies")
    assert [document["new_chunks"] for document in job["documents"]] == [0]
    assert sorted((await informed.client.get("/api/v1/export")).content.splitlines()) == sorted(
        before.content.splitlines()
    )


async def test_other_content_under_an_id_is_its_next_version(informed: Running) -> None:
    job = await informed.ingest(FACTS, id=CURIE_ID, title="Corrected")
    assert job["refused"] == []
    (stored,) = job["documents"]
    assert (
        stored["changes"]["changed"] + stored["changes"]["added"] == stored["new_chunks"] == stored["chunks"]
    )
    assert (await tree(informed, CURIE_ID))["title"] == "Corrected"


@pytest.mark.parametrize("id", ["https://example.org/absent", "urn:trustgraph:session:1"])
async def test_an_unknown_id_is_not_found(informed: Running, id: str) -> None:
    for path in ("/api/v1/documents", "/api/v1/documents/content"):
        answer = await informed.client.get(path, params={"id": id})
        assert answer.status_code == 404
        assert "provgraph documents" in answer.json()["detail"]


async def test_a_job_tells_its_progress_and_ends_its_stream(service: Running) -> None:
    text = "\n\n".join(f"Person {n} discovered element {n} in {1700 + n}. " * 20 for n in range(60))
    sent = await service.client.post("/api/v1/documents", json={"text": text, "name": "long.txt"})
    told = await service.events("GET", f"/api/v1/jobs/{sent.json()['id']}")
    assert {message.event for message in told[:-1]} <= {"progress"}
    assert told[-1].event == "job"
    assert [message.id for message in told] == list(range(len(told)))
    last = told[-1].data
    assert last["state"] == "done"
    assert last["chunks_done"] == last["chunks_total"] == last["documents"][0]["chunks"]


async def test_a_job_that_is_over_can_still_be_looked_up(informed: Running) -> None:
    job = await informed.ingest(FACTS, title="Lise")
    again = await informed.get(f"/api/v1/jobs/{job['id']}")
    assert again == job
    assert await informed.finished(job["id"]) == job


async def test_a_cancelled_job_stops_and_says_so(service: Running) -> None:
    text = "\n\n".join(f"Person {n} discovered element {n} in {1700 + n % 300}. " * 9 for n in range(2000))
    sent = await service.client.post("/api/v1/documents", json={"text": text, "name": "long.txt"})
    cancelled = await service.client.delete(f"/api/v1/jobs/{sent.json()['id']}")
    assert cancelled.json()["state"] == "cancelled"
    job = await service.finished(sent.json()["id"])
    assert job["state"] == "cancelled"
    assert job["documents"] == []
    assert (await service.ingest(FACTS))["state"] == "done"


async def test_an_unknown_job_is_not_found(service: Running) -> None:
    for method in ("GET", "DELETE"):
        answer = await service.client.request(method, "/api/v1/jobs/absent")
        assert answer.status_code == 404
        assert "ingest the same file again" in answer.json()["detail"]


async def test_records_become_documents(service: Running) -> None:
    records = [{"id": "lise", "title": "Lise", "text": FACTS}, {"text": CURIE}]
    lines = "\n".join(json.dumps(record) for record in records).encode()
    job = await upload(service, ("records.jsonl", lines))
    assert len(job["documents"]) == 2
    assert (await tree(service, "urn:trustgraph:doc:lise"))["title"] == "Lise"


async def test_each_collection_has_documents_of_its_own(informed: Running) -> None:
    await informed.ingest(FACTS, collection="physics", id=CURIE_ID, title="Lise")
    assert (await tree(informed, CURIE_ID, "physics"))["title"] == "Lise"
    assert (await tree(informed, CURIE_ID))["title"] == "The Curies"
    answer = await informed.ask("Who discovered protactinium?", collection="physics")
    assert answer["response"] == FACTS
    assert (await informed.ask("Who discovered protactinium?"))["outcome"] == "refused"


async def test_a_collection_is_made_once(service: Running) -> None:
    made = [
        (await service.client.post("/api/v1/collections", json={"collection": "notes"})).status_code
        for _ in range(2)
    ]
    assert made == [201, 200]
    listed = await service.get("/api/v1/collections")
    assert [each["collection"] for each in listed] == ["default", "notes"]


async def test_a_collection_is_removed_with_all_that_is_in_it(informed: Running, data: Path) -> None:
    await informed.ingest(FACTS, collection="physics")
    answer = await informed.ask("Who discovered protactinium?", collection="physics")
    kept = await informed.ask()
    page = answer["citations"][0]["sources"][0]["page"]
    removed = await informed.client.delete("/api/v1/collections", params={"collection": "physics"})
    assert removed.json() == {"collection": "physics", "sessions": 1}

    stored = (await informed.client.get("/api/v1/export")).text
    assert "protactinium" not in stored
    assert answer["session"].rpartition(":")[2] not in stored
    assert kept["session"] in stored
    kept_files = [
        path for part in ("library", "index") for path in (data / part).rglob("*") if path.is_file()
    ]
    assert kept_files
    assert not [path for path in kept_files if b"protactinium" in path.read_bytes()]

    await informed.client.post("/api/v1/collections", json={"collection": "physics"})
    for gone in (page, answer["citations"][0]["sources"][0]["document"]):
        params = {"id": gone, "collection": "physics"}
        assert (await informed.client.get("/api/v1/documents/content", params=params)).status_code == 404
    assert (await informed.client.get(f"/api/v1/traces/{answer['session']}")).status_code == 404
    assert (await informed.ask("Who discovered protactinium?", collection="physics"))["outcome"] == "refused"
    assert (await informed.ask())["outcome"] == "answered"


async def test_the_default_collection_can_be_emptied_and_filled_again(informed: Running) -> None:
    before = await informed.ask()
    await informed.client.delete("/api/v1/collections", params={"collection": "default"})
    assert await informed.get("/api/v1/documents") == []
    assert await informed.get("/api/v1/traces") == []
    assert (await informed.ask())["outcome"] == "refused"
    await informed.ingest()
    assert (await informed.ask())["response"] == before["response"]


async def test_the_name_that_traces_are_kept_under_is_no_collection(informed: Running) -> None:
    taken = {"collection": "explainability"}
    made = await informed.client.post("/api/v1/collections", json=taken)
    removed = await informed.client.delete("/api/v1/collections", params=taken)
    assert (made.status_code, removed.status_code) == (409, 409)
    assert "Choose another name" in made.json()["detail"]


async def test_a_document_that_was_given_a_word_as_its_id_is_known_by_it(service: Running) -> None:
    await service.ingest(id="thesis 1903")
    assert (await service.get("/api/v1/documents", id="thesis 1903"))[
        "id"
    ] == "urn:trustgraph:doc:thesis%201903"
