"""Does a view find exactly what a store of the visible documents alone would, and what do rules cost a question?

    PYTHONPATH=services:tests python benchmarks/views.py equality --situations 1000
    PYTHONPATH=services:tests python benchmarks/views.py latency --data FOLDER --questions 40

`equality` takes random documents, rules, principals and questions, and prints each difference. `latency` ingests the
text files of a folder, every fifth for others only, and asks the same questions as an admin, as a reader who may see
everything, and as one over a view; it prints the milliseconds of each, and how long the first one took.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import islice
from pathlib import Path

import httpx2

from api.equal_views import differences, situations
from api.running import Running, running
from api.two_teams import ADMIN

HIDDEN_EVERY = 5


async def equality(count: int, seed: int) -> int:
    """How many situations differ."""
    wrong = 0
    for number, situation in enumerate(islice(situations(seed), count), 1):
        with tempfile.TemporaryDirectory() as folder:
            found = await differences(situation, Path(folder))
        wrong += bool(found)
        for difference in found:
            print(f"{number}: {difference}")
        if number % 50 == 0:
            print(f"{number} situations, {wrong} that differ", flush=True)
    print(f"{count} situations, {wrong} that differ")
    return wrong


@asynccontextmanager
async def _client(service: Running, token: str) -> AsyncIterator[httpx2.AsyncClient]:
    transport = httpx2.ASGITransport(service.app, raise_app_exceptions=False)
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(
        transport=transport, base_url="http://localhost", headers=headers, timeout=None
    ) as client:
        yield client


async def latency(data: Path, count: int) -> None:
    files = sorted(path for path in data.rglob("*") if path.suffix in (".txt", ".md"))
    with tempfile.TemporaryDirectory() as folder:
        headers = {"Authorization": f"Bearer {ADMIN}"}
        async with running(Path(folder) / "data", headers=headers, token=ADMIN) as service:
            sentences = await _ingest(service, files)
            step = max(1, len(sentences) // count)
            questions = [f"What is said of {line[:80]}?" for line in sentences[::step][:count]]
            print(f"{len(files)} documents, {len(questions)} questions")
            await _measured(service, questions)


async def _measured(service: Running, questions: Sequence[str]) -> None:
    tokens = {"an admin": ADMIN}
    for name, groups in (("a reader of everything", ["others"]), ("a reader of a view", [])):
        body = {"name": name.split()[-1] + str(len(groups)), "role": "reader", "groups": groups}
        made = await service.client.post("/api/v1/tokens", json=body)
        tokens[name] = made.json()["token"]
    async with AsyncExitStack() as stack:
        clients = {
            name: await stack.enter_async_context(_client(service, token)) for name, token in tokens.items()
        }
        for name, client in clients.items():
            begun = time.perf_counter()
            await _ask(client, questions[0])
            print(f"{name}: the first question {time.perf_counter() - begun:.2f} s")
            await client.get("/api/v1/embedding")
        times: dict[str, list[float]] = {name: [] for name in clients}
        for question in questions:  # in turn, so that what else the machine does counts for all
            for name, client in clients.items():
                times[name].append(await _ask(client, question))
        base = times["an admin"]
        for name, own in times.items():
            ratio = statistics.median(one / other for one, other in zip(own, base, strict=True))
            print(f"{name}: median {statistics.median(own) * 1000:.0f} ms, {ratio:.2f} of an admin's")


async def _ask(client: httpx2.AsyncClient, question: str) -> float:
    begun = time.perf_counter()
    answer = await client.post("/api/v1/graph-rag", json={"query": question, "engine": "model-free"})
    assert answer.status_code == 200, answer.text
    return time.perf_counter() - begun


async def _ingest(service: Running, files: Sequence[Path]) -> list[str]:
    """Lines of the documents that everybody may see."""
    lines: list[str] = []
    for number, file in enumerate(files):
        text = file.read_text(errors="replace")
        readers = ["others"] if number % HIDDEN_EVERY == 0 else []
        lines += [] if readers else [line for line in text.splitlines() if len(line) > 40]
        body = {"text": text, "name": file.name, "metadata": {"readers": readers}}
        sent = await service.client.post("/api/v1/documents", json=body)
        await service.finished(sent.json()["id"])
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parts = parser.add_subparsers(dest="part", required=True)
    equal = parts.add_parser("equality")
    equal.add_argument("--situations", type=int, default=1000)
    equal.add_argument("--seed", type=int, default=0)
    timed = parts.add_parser("latency")
    timed.add_argument("--data", type=Path, required=True)
    timed.add_argument("--questions", type=int, default=40)
    given = parser.parse_args()
    if given.part == "equality":
        raise SystemExit(1 if asyncio.run(equality(given.situations, given.seed)) else 0)
    asyncio.run(latency(given.data, given.questions))


if __name__ == "__main__":
    main()
