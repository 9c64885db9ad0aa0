"""Random documents, rules and principals, and whether a principal finds what a service that was given the visible
documents alone would find."""

from __future__ import annotations

import random
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import httpx2

from api.running import Running, running
from api.two_teams import ADMIN
from provgraph.rdf.vocabulary import TG

GROUPS: Final = ("red", "blue", "green")
_PEOPLE: Final = ("Marta Lind", "Jonas Berg", "Ida Holm", "Nils Dahl")
_PLACES: Final = ("Oslo", "Lima", "Delft", "Turin", "Kyoto")
_THINGS: Final = ("Heron", "Kestrel", "Osprey", "Petrel")
_SENTENCES: Final = (
    "{person} leads Project {thing}.",
    "{person} lives in {place}.",
    "{person} was born in {place} in {year}.",
    "{person} founded Project {thing} in {year}.",
    "Project {thing} costs {year} euros.",
    "{person} met {other} in {place}.",
)
_QUESTIONS: Final = (
    "Which project does {person} lead?",
    "Where does {person} live?",
    "When was {person} born?",
    "Who founded Project {thing}?",
    "How much does Project {thing} cost?",
    "Whom did {person} meet?",
)
_CHANGING: Final = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)"
)
_TRIPLE: Final = 500
_EVERYTHING: Final = "SELECT ?g ?s ?p ?o WHERE { GRAPH ?g { ?s ?p ?o } }"


@dataclass(frozen=True)
class Situation:
    """Documents by name with their text and readers; the groups of who asks; and what is asked."""

    documents: tuple[tuple[str, str, tuple[str, ...]], ...]
    groups: tuple[str, ...]
    questions: tuple[str, ...]

    @property
    def visible(self) -> list[tuple[str, str, tuple[str, ...]]]:
        mine = {"eve", *self.groups}
        return [each for each in self.documents if not each[2] or mine & set(each[2])]


def situations(seed: int) -> Iterator[Situation]:
    dice = random.Random(seed)
    while True:
        documents = tuple(
            (f"{number}.txt", _text(dice), tuple(dice.sample(GROUPS, dice.choice((0, 1, 1, 2)))))
            for number in range(dice.randint(2, 6))
        )
        groups = tuple(dice.sample(GROUPS, dice.choice((0, 1, 1, 2))))
        yield Situation(documents, groups, tuple(_filled(dice.choice(_QUESTIONS), dice) for _ in range(2)))


async def differences(situation: Situation, folder: Path) -> list[str]:
    """What the principal finds otherwise than it would had the other documents never existed."""
    headers = {"Authorization": f"Bearer {ADMIN}"}
    async with (
        running(folder / "all", headers=headers, token=ADMIN) as everything,
        running(folder / "visible", headers=headers, token=ADMIN) as alone,
    ):
        for document in situation.documents:
            await _ingest(everything, *document)
        for document in situation.visible:
            await _ingest(alone, *document)
        mine, theirs = [await _reader(service, situation.groups) for service in (everything, alone)]
        return [each async for each in _compared(mine, theirs, situation)]


async def _reader(service: Running, groups: Sequence[str]) -> httpx2.AsyncClient:
    body = {"name": "eve", "role": "reader", "groups": groups}
    made = await service.client.post("/api/v1/tokens", json=body)
    transport = httpx2.ASGITransport(service.app, raise_app_exceptions=False)
    headers = {"Authorization": f"Bearer {made.json()['token']}"}
    return httpx2.AsyncClient(transport=transport, base_url="http://localhost", headers=headers)


async def _ingest(service: Running, name: str, text: str, readers: tuple[str, ...]) -> None:
    body = {"text": text, "name": name, "metadata": {"readers": list(readers)}}
    sent = await service.client.post("/api/v1/documents", json=body)
    assert (await service.finished(sent.json()["id"]))["state"] == "done"


async def _compared(
    one: httpx2.AsyncClient, other: httpx2.AsyncClient, situation: Situation
) -> AsyncIterator[str]:
    requests: list[tuple[str, str, dict[str, Any] | None]] = [
        ("GET", "/api/v1/documents?counts=true", None),
        ("GET", "/api/v1/collections", None),
        ("GET", "/api/v1/documents/readings", None),
        ("GET", "/api/v1/export?graph=knowledge", None),
        ("GET", f"/sparql?query={quote(_EVERYTHING)}&named-graph-uri=urn:graph:knowledge", None),
        ("GET", f"/sparql?query={quote(_EVERYTHING)}&named-graph-uri=urn:graph:source", None),
        *(("GET", f"/api/v1/entities?name={quote(person)}", None) for person in _PEOPLE[:2]),
    ]
    for question in situation.questions:
        requests += [
            ("POST", "/api/v1/retrieve", {"query": question}),
            ("POST", "/api/v1/graph-rag", {"query": question}),
            ("POST", "/api/v1/document-rag", {"query": question}),
            ("POST", "/api/v1/extractive", {"query": question}),
        ]
    for sentence in _sentences(situation)[:2]:
        requests.append(("POST", "/api/v1/verify", {"claim": sentence}))
    for method, path, body in requests:
        mine = await one.request(method, path, json=body, timeout=None)
        theirs = await other.request(method, path, json=body, timeout=None)
        if (mine.status_code, _told(mine)) != (theirs.status_code, _told(theirs)):
            yield f"{method} {path} {body}: {mine.text[:1500]} | {theirs.text[:1500]}"
    edges = (await other.post("/api/v1/retrieve", json={"query": situation.questions[0]})).json()["edges"]
    for edge in edges[:3]:
        named = {
            "s": edge["labels"]["subject"],
            "p": edge["labels"]["relation"],
            "o": edge["labels"]["object"],
        }
        found, expected = [await each.get("/api/v1/lineage", params=named) for each in (one, other)]
        if (found.status_code, _told(found)) != (expected.status_code, _told(expected)):
            yield f"lineage {named}: {found.text[:800]} | {expected.text[:800]}"


def _told(answer: httpx2.Response) -> Any:
    """The reply without what differs each time (UUIDs, times, the order of rows), and without the name of the view that
    a question was asked over."""
    if answer.headers.get("content-type", "").startswith("application/n-quads"):
        return sorted(_CHANGING.sub("", answer.text).splitlines())
    if "json" not in answer.headers.get("content-type", ""):
        return _CHANGING.sub("", answer.text)
    read = _plain(answer.json())
    if isinstance(read, dict) and "head" in read:
        return sorted(map(str, read["results"]["bindings"]))
    return read


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list):
        kept = [each for each in value if TG.asked_over.value not in str(each) or len(str(each)) > _TRIPLE]
        return [_plain(each) for each in kept]
    return _CHANGING.sub("", value) if isinstance(value, str) else value


def _sentences(situation: Situation) -> list[str]:
    return [line for _, text, _ in situation.documents for line in text.splitlines() if line]


def _text(dice: random.Random) -> str:
    return "\n\n".join(_filled(dice.choice(_SENTENCES), dice) for _ in range(dice.randint(1, 4))) + "\n"


def _filled(pattern: str, dice: random.Random) -> str:
    person, other = dice.sample(_PEOPLE, 2)
    return pattern.format(
        person=person,
        other=other,
        place=dice.choice(_PLACES),
        thing=dice.choice(_THINGS),
        year=dice.randint(1900, 1999),
    )
