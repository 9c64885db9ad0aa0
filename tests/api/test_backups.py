"""A backup of a service that goes on working, and a folder made of it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from api.archives import archive_of, changed, dataset, parts_of
from api.running import Running, running
from api.test_archives_over_http import findings
from provgraph.archiving.archive_file import Manifest
from provgraph.archiving.snapshot import restored
from provgraph.errors import Conflict, ProvGraphError, TooLarge, UnreadableArchive

LIMIT = 1_000_000_000


async def backup_of(service: Running) -> bytes:
    answer = await service.client.get("/api/v1/backup")
    assert answer.status_code == 200, answer.text
    return answer.content


def restore(backup: bytes, into: Path, limit: int = LIMIT) -> Manifest:
    file = into.parent / "backup.zip"
    file.write_bytes(backup)
    *_, last = restored(file, into, limit)
    assert isinstance(last, Manifest)
    return last


async def test_a_restored_backup_is_the_folder_as_it_was(informed: Running, tmp_path: Path) -> None:
    asked = await informed.ask()
    trace = await informed.get(f"/api/v1/traces/{asked['session']}")
    restore(await backup_of(informed), tmp_path / "restored")
    async with running(tmp_path / "restored") as service:
        assert await service.get(f"/api/v1/traces/{asked['session']}") == trace
        assert (await service.ask())["response"] == asked["response"]
        assert await findings(service) == []
        kept = dataset(await archive_of(service))[1]
        assert [key for key in kept if key[1].startswith("https://example.org/curie/version/")]


@pytest.mark.slow
async def test_a_backup_taken_during_an_ingest_is_sound_and_the_ingest_goes_on(
    service: Running, tmp_path: Path
) -> None:
    texts = [
        f"Person{n} discovered Element{n} in Town{n}. Person{n} was born in Land{n}." for n in range(300)
    ]
    files = [("file", (f"{n}.txt", text.encode(), "text/plain")) for n, text in enumerate(texts)]
    job = (await service.client.post("/api/v1/documents", files=files)).json()
    while (await service.get(f"/api/v1/jobs/{job['id']}"))["chunks_done"] == 0:
        await asyncio.sleep(0.01)
    backup = await backup_of(service)
    running_still = (await service.get(f"/api/v1/jobs/{job['id']}"))["state"]
    assert (await service.finished(job["id"]))["state"] == "done"
    assert running_still == "running"
    restore(backup, tmp_path / "restored")
    async with running(tmp_path / "restored") as other:
        documents = await other.get("/api/v1/documents")
        assert 0 < len(documents) < 300
        assert await findings(other) == []
        name = documents[0]["source"].removesuffix(".txt")
        assert (await other.ask(f"Who discovered Element{name}?"))["outcome"] == "answered"
    assert len(await service.get("/api/v1/documents")) == 300


async def test_metadata_comes_back_with_a_backup_and_still_narrows_questions(
    service: Running, tmp_path: Path
) -> None:
    for number, company in enumerate(("Curie Lab", "Radium Works")):
        body = {
            "text": f"Marie Curie was born in Warsaw. This is note {number}.",
            "id": f"https://example.org/{number}",
            "name": f"{number}.txt",
            "metadata": {"company": company, "year": 1903 + number},
        }
        sent = await service.client.post("/api/v1/documents", json=body)
        assert (await service.finished(sent.json()["id"]))["state"] == "done"
    before = await service.get("/api/v1/documents", id="https://example.org/1")
    assert before["metadata"] == {"company": ["Radium Works"], "year": ["1904"]}
    restore(await backup_of(service), tmp_path / "restored")
    async with running(tmp_path / "restored") as other:
        assert await other.get("/api/v1/documents", id="https://example.org/1") == before
        answer = await other.ask("Where was Marie Curie born?", where=["company=radium works"])
        cited = {source["document"] for each in answer["citations"] for source in each["sources"]}
        assert cited == {"https://example.org/1"}
        assert await findings(other) == []


async def test_nothing_is_restored_over_a_folder(informed: Running, tmp_path: Path) -> None:
    backup = await backup_of(informed)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    with pytest.raises(Conflict, match="already exists"):
        restore(backup, tmp_path / "mine")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["notes.txt"]


def damaged(backup: bytes) -> bytes:
    middle = len(backup) // 2
    return backup[:middle] + bytes(byte ^ 0xFF for byte in backup[middle : middle + 3]) + backup[middle + 3 :]


def without_store(backup: bytes) -> bytes:
    return changed(
        backup, lambda parts: [parts.pop(name) for name in list(parts) if name.startswith("store/")]
    )


def outside(backup: bytes) -> bytes:
    return changed(backup, lambda parts: parts.update({"../outside": b"x"}))


@pytest.mark.parametrize(
    ("spoil", "error"),
    [
        (lambda backup: backup[:-100], UnreadableArchive),
        (damaged, UnreadableArchive),
        (outside, UnreadableArchive),
        (without_store, UnreadableArchive),
        (
            lambda backup: changed(backup, lambda parts: parts.update({"z": bytes(2 * LIMIT // 100)})),
            TooLarge,
        ),
    ],
    ids=["cut", "damaged", "outside", "without a store", "bomb"],
)
async def test_a_damaged_or_hostile_backup_makes_no_folder(
    informed: Running, tmp_path: Path, spoil: Any, error: type[ProvGraphError]
) -> None:
    backup = spoil(await backup_of(informed))
    before = {path.name for path in tmp_path.iterdir()}
    with pytest.raises(error):
        restore(backup, tmp_path / "restored", limit=LIMIT // 100)
    assert {path.name for path in tmp_path.iterdir()} == before | {"backup.zip"}


async def test_the_archive_of_a_collection_is_no_backup(informed: Running, tmp_path: Path) -> None:
    with pytest.raises(UnreadableArchive, match="provgraph import"):
        restore(await archive_of(informed), tmp_path / "restored")


async def test_a_backup_holds_no_index(informed: Running) -> None:
    await informed.ask()
    assert {name.partition("/")[0] for name in parts_of(await backup_of(informed))} == {
        "provgraph.json",
        "store",
        "library",
        "parts.jsonl",
        "manifest.json",
    }
