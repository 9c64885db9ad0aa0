"""Tokens, keys, and passwords in addresses: no child has them, no reply, log or file tells them."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from attack.attacked import QUESTION, TOKEN, Attacked, attacked, children, finished

PASSWORD = "hunter2-of-curie"
KEY = "sk-of-nobody"
NOWHERE = f"http://curie:{PASSWORD}@127.0.0.1:1"
ADDRESS = f"https://curie:{PASSWORD}@example.org/report.txt"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("secrets") / "data"


@pytest.fixture(scope="module")
def service(folder: Path) -> Iterator[Attacked]:
    env = {
        "PROVGRAPH_LLM_MODEL": "m",
        "PROVGRAPH_LLM_RETRIES": "0",
        "OPENAI_BASE_URL": NOWHERE,
        "OPENAI_API_KEY": KEY,
        "PROVGRAPH_EXTRACTORS": "propositions",
        "PROVGRAPH_EXTRACTION_PROCESSES": "1",
    }
    with attacked(folder, env) as made:
        yield made


def test_no_child_finds_a_secret_in_its_environment(service: Attacked) -> None:
    text = "radium " * 150_000  # no sentence is as long: it is read in a moment
    sent = service.client.post("/api/v1/documents", json={"text": text, "name": "much.txt"})
    service.client.get("/sparql", params={"query": "ASK { ?s ?p ?o }"})
    seen = set[str]()
    deadline = time.monotonic() + 60
    while not {"reading_processes", "sparql_processes", "spawn_main"} <= seen and time.monotonic() < deadline:
        for child in everyone(service.process):
            said, own = known(child)
            seen |= {name for name in ("reading_processes", "sparql_processes", "spawn_main") if name in said}
            assert not any(secret.encode() in own for secret in (TOKEN, KEY, PASSWORD)), said
        time.sleep(0.02)
    assert {"reading_processes", "sparql_processes", "spawn_main"} <= seen
    service.client.delete(f"/api/v1/jobs/{sent.json()['id']}")


def everyone(process: int) -> list[int]:
    own = children(process)
    return own + [each for child in own for each in everyone(child)]


def known(process: int) -> tuple[str, bytes]:
    try:
        said = Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode()
        return said, Path(f"/proc/{process}/environ").read_bytes()
    except OSError:
        return "", b""


def test_a_password_in_an_address_is_told_by_no_reply_log_or_file(service: Attacked, folder: Path) -> None:
    client, said = service.client, list[str]()
    record = json.dumps({"text": "Irene was born in Paris.", "title": ADDRESS, "url": ADDRESS}).encode()
    for name, content in ((ADDRESS, b"Pierre was born in Paris."), ("a.jsonl", record)):
        sent = client.post(
            "/api/v1/documents",
            files={"file": (name, content)},
            data={"metadata": json.dumps({"from": ADDRESS})},
        )
        said += [sent.text, json.dumps(finished(client, sent.json()["id"]))]
    refused = client.post("/api/v1/documents", json={"text": "Eve was born in Paris.", "id": ADDRESS})
    assert refused.status_code == 400
    said.append(refused.text)
    for path in ("/ready?models=true", "/api/v1/documents", "/metrics", "/api/v1/traces"):
        said.append(client.get(path).text)
    for engine in ("model", "extractive"):
        said.append(client.post("/api/v1/graph-rag", json={"query": QUESTION, "engine": engine}).text)
    sent = client.post(
        "/api/v1/documents", json={"text": "Adam was born in Paris.", "extractors": ["definitions"]}
    )
    said += [sent.text, json.dumps(finished(client, sent.json()["id"]))]
    ended = service.serving.stop()
    assert "127.0.0.1:1" in "".join(said)
    for text in (*said, ended.out, ended.err):
        assert PASSWORD not in text
    for file in folder.rglob("*"):
        kept = (
            file.read_bytes().replace(record, b"") if file.is_file() else b""
        )  # a document's own bytes are evidence
        assert PASSWORD.encode() not in kept, file
