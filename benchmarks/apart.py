"""What being apart costs a question: the same one in one process, over an Oxigraph server, and through three services.

    python benchmarks/apart.py [--data DIR] [--documents 300] [--questions 60]

DIR holds text files; without it documents are made, each of which alone answers one question. Every form is a set of
processes started with `provgraph serve`, asked over HTTP by one client, to the last message of the stream. All forms
run at the same time and each question goes to all of them in turn, so that whatever else the machine does falls on all
alike. The first questions warm up and do not count.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import httpx2

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from servers.oxigraph_server import oxigraph_server
from servers.provgraph_server import ProvGraphServer
from servers.served_process import started

STREAM = {"Accept": "text/event-stream"}
WARMING = 10
FORMS = ("one process", "one process over a server", "apart")


def main() -> None:
    parser = argparse.ArgumentParser(description="What being apart costs a question.")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--documents", type=int, default=300)
    parser.add_argument("--questions", type=int, default=60)
    options = parser.parse_args()
    records, questions = _material(options.data, options.documents)
    asked = [questions[at % len(questions)] for at in range(WARMING + options.questions)]
    spent: dict[str, list[float]] = {form: [] for form in FORMS}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        urls = {form: stack.enter_context(_served(form, folder / form)) for form in FORMS}
        for url in urls.values():
            _ingest(url, records)
        for question in asked:
            for form, url in urls.items():
                spent[form].append(_ask(url, question))
    figures = {form: _figures(found[WARMING:]) for form, found in spent.items()}
    base = figures[FORMS[0]]["median_ms"]
    for form, found in figures.items():
        print(
            f"{form:32} {found['median_ms']:8.1f} ms  p95 {found['p95_ms']:8.1f} ms  × {found['median_ms'] / base:.2f}"
        )
    print(json.dumps({"apart": figures, "documents": len(records), "questions": options.questions}))


def _material(data: Path | None, count: int) -> tuple[list[dict[str, Any]], list[str]]:
    if data:
        files = sorted(path for path in data.rglob("*.txt"))[:count]
        texts = [path.read_text(errors="replace") for path in files]
        records = [
            {"id": f"urn:apart:{at}", "title": path.stem, "text": texts[at]} for at, path in enumerate(files)
        ]
        return records, [f"What is said of {path.stem}?" for path in files]
    names = [f"{'bcdfgklm'[at % 8]}{'aeiou'[at % 5]}{'nprstvz'[at % 7]}o{at}" for at in range(count)]
    made = [
        f"{name.capitalize()}son discovered {name}ium in {1800 + at % 200}. {name.capitalize()}son was born in Warsaw."
        for at, name in enumerate(names)
    ]
    records = [{"id": f"urn:apart:{at}", "title": names[at], "text": text} for at, text in enumerate(made)]
    return records, [f"Who discovered {name}ium?" for name in names]


@contextmanager
def _served(form: str, folder: Path) -> Iterator[str]:
    """The address of a form that is ready, its processes ended in the end."""
    folder.mkdir()
    with ExitStack() as stack:
        if form == FORMS[0]:
            yield stack.enter_context(started(ProvGraphServer(folder / "all"))).url
            return
        store = stack.enter_context(oxigraph_server(folder / "store"))
        shared = {"PROVGRAPH_STORE_URL": store.url, "PROVGRAPH_LIBRARY_URL": (folder / "library").as_uri()}
        if form != "apart":
            yield stack.enter_context(started(ProvGraphServer(folder / "all", settings=shared))).url
            return
        for role in ("retrieval", "graph-rag", "gateway"):
            server = stack.enter_context(started(ProvGraphServer(folder / role, role, shared)))
            shared[f"PROVGRAPH_{role.replace('-', '_').upper()}_URL"] = server.url
        yield server.url


def _ingest(url: str, records: Sequence[Mapping[str, Any]]) -> None:
    lines = "\n".join(map(json.dumps, records)).encode()
    with httpx2.Client(base_url=url, trust_env=False, timeout=None) as client:
        job = (
            client.post("/api/v1/documents", files={"file": ("apart.jsonl", lines)}).raise_for_status().json()
        )
        while (state := client.get(f"/api/v1/jobs/{job['id']}").json()["state"]) != "done":
            if state in ("failed", "cancelled"):
                raise SystemExit(f"the ingest is {state}")
            time.sleep(0.2)


def _ask(url: str, question: str) -> float:
    """Seconds to the last message."""
    begun = time.perf_counter()
    with httpx2.stream(
        "POST",
        f"{url}/api/v1/graph-rag",
        json={"query": question},
        headers=STREAM,
        timeout=60,
        trust_env=False,
    ) as response:
        last = [json.loads(event.data) for event in httpx2.EventSource(response, max_event_size=None)][-1]
    if not last["end_of_session"] or last.get("error"):
        raise SystemExit(f"no answer: {last}")
    return time.perf_counter() - begun


def _figures(spent: Sequence[float]) -> dict[str, float]:
    return {"median_ms": median(spent) * 1000, "p95_ms": quantiles(spent, n=20)[-1] * 1000}


if __name__ == "__main__":
    main()
