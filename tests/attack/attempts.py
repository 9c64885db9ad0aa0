"""What `python -m attack` sends: every kind of input in turn, each growing until it is refused or slow, and mutated."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final
from urllib.parse import quote

import httpx2
from websockets.sync.client import connect

from attack.attacked import TOKEN, Attacked
from attack.grown import FILES, QUERIES, RDF, WORDS
from servers.openai_server import Answer, OpenAIServer

LEAST, MOST, MOST_OF_QUERY = 1000, 4_000_000, 100_000
_GROWTH: Final = 8


Send = Callable[..., int]
"""Gives the status; `content` takes the place of what it would send."""

Make = Callable[[int], tuple[bytes, Send]]


@dataclass
class Attempt:
    """One input. `larger` is set when it was tried: whether the next size is worth it."""

    kind: str
    size: int
    content: bytes
    send: Send
    larger: bool = False

    def __str__(self) -> str:
        return f"{self.kind} of {self.size}"


def attempts(random: random.Random, model: OpenAIServer, only: str = "") -> Iterator[Attempt]:
    """All kinds in an order by chance, again and again; the second time mutated."""
    kinds = [(name, most, make) for name, most, make in _kinds(model) if only in name]
    is_mutated = False
    while True:
        random.shuffle(kinds)
        for name, most, make in kinds:
            yield from _growing(name, most, make, random if is_mutated else None)
        is_mutated = True


def _growing(name: str, most: int, make: Make, random: random.Random | None) -> Iterator[Attempt]:
    size = min(LEAST, most)
    while size <= most:
        content, send = make(size)
        if random:
            content = mutated(content, random)
            send = partial(send, content=content)
        attempt = Attempt(name + (" mutated" if random else ""), size, content, send)
        yield attempt
        if not attempt.larger:
            return
        size *= _GROWTH


def mutated(content: bytes, random: random.Random) -> bytes:
    """A few bytes changed, a piece left out, doubled or moved."""
    made = bytearray(content)
    for _ in range(random.choice((1, 3, 20))):
        if not made:
            break
        start = random.randrange(len(made))
        end = min(len(made), start + random.choice((1, 4, 50, 1000)))
        piece = bytes(made[start:end])
        match random.randrange(5):
            case 0:
                made[start] = random.randrange(256)
            case 1:
                del made[start:end]
            case 2:
                made[start:start] = piece * random.choice((1, 2, 50))
            case 3:
                at = random.randrange(len(made))
                made[at:at] = piece
            case _:
                made[start:end] = random.choice(
                    (b"\x00", b"\xff\xfe", b"\xf0\x9f", b"-1", b"99999999999", b'"', b"NaN")
                )
    return bytes(made)


def _kinds(model: OpenAIServer) -> Iterator[tuple[str, int, Make]]:
    for name, grow in FILES.items():
        yield f"file {name}", MOST, partial(_file, name, grow)
    for name, ask in QUERIES.items():
        yield f"sparql {name}", MOST_OF_QUERY, partial(_sparql, ask)
    for name, write in WORDS.items():
        for path, fields in QUESTIONS.items():
            most = MOST if path == "extract" else 64_000
            yield f"{path} {name}", most, partial(_question, path, fields, write)
        yield f"model {name}", 1_000_000, partial(_reply, model, write)
        yield f"socket {name}", MOST, partial(_frame, write)
        yield f"address {name}", 8_000, partial(_address, write)
        yield f"attribution {name}", 20_000, partial(_attribution, write)
        yield f"attribution by {name}", 2_000_000, partial(_attribution_by, write)
    for name, grow in RDF.items():
        yield f"import {name}", MOST, partial(_import, name, grow)
        yield f"ontology {name}", 2_000_000, partial(_ontology, name, grow)
    yield "routes", 1, _routes
    yield "archive", MOST, _archive


def _file(name: str, grow: Callable[[int], bytes], size: int) -> tuple[bytes, Send]:
    def send(service: Attacked, content: bytes = grow(size)) -> int:
        sent = service.client.post("/api/v1/documents", files={"file": (name, content)})
        if sent.status_code != 202:
            return sent.status_code
        job = sent.json()["id"]
        told = _ended(service.client, job)
        service.client.delete(f"/api/v1/jobs/{job}")
        return 500 if "something unexpected" in json.dumps(told).casefold() else 200

    return grow(size), send


def _ended(client: httpx2.Client, job: str) -> Any:
    until = time.monotonic() + 40
    told: Any = {}
    while time.monotonic() < until:
        told = client.get(f"/api/v1/jobs/{job}").json()
        if told.get("state") not in ("waiting", "queued", "running"):
            break
        time.sleep(0.1)
    return told


QUESTIONS: Final[dict[str, str]] = {
    "graph-rag": "query",
    "document-rag": "query",
    "extractive": "query",
    "kgqa": "query",
    "research": "query",
    "verify": "claim",
    "passages": "query",
    "extract": "text",
    "retrieve": "query",
    "check": "answer",
    "documents": "text",
    "collections": "collection",
    "entities/decisions": "reason",
}


def _question(path: str, field: str, write: Callable[[int], str], size: int) -> tuple[bytes, Send]:
    return _posted(path, {field: write(size)})


def _attribution(write: Callable[[int], str], size: int) -> tuple[bytes, Send]:
    """A text to check against a source of the same words."""
    text = write(size)
    source = {"id": "1", "text": "Marie Curie discovered polonium in 1898. " + text}
    return _posted("attribution", {"text": text, "question": text[:4000], "sources": [source]})


def _attribution_by(write: Callable[[int], str], size: int) -> tuple[bytes, Send]:
    """A short text to check against long sources."""
    sources = [{"id": str(number), "text": write(size // 4), "title": "Curie"} for number in range(4)]
    return _posted("attribution", {"text": "Curie discovered polonium in 1898 [1].", "sources": sources})


def _ontology(name: str, grow: Callable[[int], bytes], size: int) -> tuple[bytes, Send]:
    ontology = grow(size).decode(errors="replace")
    body = {"collection": "default", "ontology": ontology, "ontology_name": name.replace("trig", "ttl")}
    return _posted("collections", body)


def _posted(path: str, body: Any) -> tuple[bytes, Send]:
    content = json.dumps(body).encode()

    def send(service: Attacked, content: bytes = content) -> int:
        headers = {"Content-Type": "application/json"}
        return service.client.post(f"/api/v1/{path}", content=content, headers=headers).status_code

    return content, send


def _import(name: str, grow: Callable[[int], bytes], size: int) -> tuple[bytes, Send]:
    def send(service: Attacked, content: bytes = grow(size)) -> int:
        files, fields = {"file": (name, content)}, {"collection": "imported"}
        return service.client.post("/api/v1/import", files=files, data=fields).status_code

    return grow(size), send


def _sparql(ask: Callable[[int], str], size: int) -> tuple[bytes, Send]:
    content = ask(max(1, size // 50)).encode()

    def send(service: Attacked, content: bytes = content) -> int:
        headers = {"Content-Type": "application/sparql-query"}
        return service.client.post("/sparql", content=content, headers=headers).status_code

    return content, send


def _reply(model: OpenAIServer, write: Callable[[int], str], size: int) -> tuple[bytes, Send]:
    content = json.dumps({"answer": write(size), "facts": [{"subject": write(100)}] * (size // 200)}).encode()

    def send(service: Attacked, content: bytes = content) -> int:
        model.answer(Answer(content.decode(errors="replace")))
        asked = {"query": "Who discovered polonium?", "engine": "model"}
        return service.client.post("/api/v1/graph-rag", json=asked).status_code

    return content, send


def _frame(write: Callable[[int], str], size: int) -> tuple[bytes, Send]:
    message = {"id": "1", "service": "graph-rag", "flow": "default", "request": {"query": write(size)}}
    content = json.dumps(message).encode()

    def send(service: Attacked, content: bytes = content) -> int:
        host, port = service.address
        with connect(f"ws://{host}:{port}/api/v1/socket?token={TOKEN}", proxy=None, max_size=None) as socket:
            socket.send(json.dumps({"type": "auth", "token": TOKEN}))
            socket.recv(5)
            socket.send(content.decode(errors="replace"))
            socket.recv(20)
        return 200

    return content, send


def _address(write: Callable[[int], str], size: int) -> tuple[bytes, Send]:
    content = write(size).encode(errors="replace")
    paths = (
        "traces/{0}",
        "jobs/{0}",
        "sessions/{0}/events",
        "documents/content?document={0}",
        "entities?name={0}",
    )

    def send(service: Attacked, content: bytes = content) -> int:
        statuses = []
        for path in (
            *paths,
            "lineage?fact={0}",
            "explain?iri={0}",
            "traces?collection={0}",
            "queries/{0}?x={0}",
        ):
            told = service.client.get("/api/v1/" + path.format(quote(content, safe="")))
            statuses.append(told.status_code)
        headers = {"Last-Event-ID": quote(content)[:8000], "Range": "bytes=" + quote(content)[:1000]}
        statuses.append(service.client.get("/api/v1/graph-rag?query=Curie", headers=headers).status_code)
        return max(statuses)

    return content, send


def _routes(_size: int) -> tuple[bytes, Send]:
    """Every operation of the service with values that are none of its types."""
    odd: list[Any] = [
        None,
        -1,
        2**70,
        1.5e308,
        [],
        {},
        "",
        "\x00",
        "\u202e",
        True,
        [[[[[]]]]],
        {"": {"": {}}},
    ]

    def send(service: Attacked, content: bytes = b"") -> int:
        worst = 0
        for path, operations in service.client.get("/openapi.json").json()["paths"].items():
            for method in operations:
                if path in ("/api/v1/documents", "/api/v1/collections") and method == "delete":
                    continue
                for value in odd:
                    body = dict.fromkeys(
                        ("query", "claim", "text", "collection", "answer", "limit", "facts"), value
                    )
                    told = service.client.request(
                        method,
                        path.replace("{", "").replace("}", ""),
                        json=body,
                        params={"limit": str(value)},
                    )
                    worst = max(worst, told.status_code if told.status_code != 503 else 0)
                    if told.status_code == 500:
                        raise AssertionError(f"{method} {path} {value!r}")
        return worst

    return b"", send


def _archive(size: int) -> tuple[bytes, Send]:
    def send(service: Attacked, content: bytes = b"") -> int:
        made = service.client.get("/api/v1/archive").content
        chance = random.Random(size)
        statuses = [
            service.client.post(
                "/api/v1/archive",
                content=mutated(made, chance),
                headers={"Content-Type": "application/zip"},
                params={"collection": "restored"},
            ).status_code
            for _ in range(5)
        ]
        return max(statuses)

    return b"", send
