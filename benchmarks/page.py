"""What a person waits for on the page: its first paint, and each frame while a large graph is moved.

    python benchmarks/page.py
    python benchmarks/page.py --edges 300 --runs 10

Needs Chromium and the development extras. A folder with one document of `--edges` facts about two persons is served.
First paint: the page is opened `--runs` times in a profile that has never seen it, and the browser's own
`first-contentful-paint` is read; beside it stands that of a page of plain text from the same service (`/health`), which
nobody can go below. Frames: an answer with that many edges, which a model chose (the test suite's own server, that
chooses whatever it is shown), is opened at its graph, which is dragged and zoomed for
`--frames` frames each; told are the milliseconds between two frames. A screen that shows 60 frames a second gives 17.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx2
from playwright.sync_api import Browser, Page

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from browser.chromium import chromium
from e2e.commands import run, serving
from servers.openai_server import Answer, Asked, openai_server

PERSONS = ("Alba", "Brenn")
PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"
WATCH = """() => {
  window.frames_ms = [];
  let before = performance.now();
  const seen = now => { window.frames_ms.push(now - before); before = now; requestAnimationFrame(seen); };
  requestAnimationFrame(seen);
}"""


def first_paint_ms(browser: Browser, address: str) -> float:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.goto(address)
    page.wait_for_function(f"({PAINT}) > 0")
    told: float = page.evaluate(PAINT)
    context.close()
    return told


def frames_ms(page: Page, move: str, frames: int) -> list[float]:
    """Milliseconds between frames while the graph is moved in one way."""
    box = page.locator(".graph-canvas").bounding_box()
    assert box
    x, y = box["x"] + 12, box["y"] + 12
    page.mouse.move(x, y)
    if move == "drag":
        page.mouse.down()
    page.evaluate("window.frames_ms = []")
    for step in range(frames):
        if move == "drag":
            page.mouse.move(x + step % 60, y + step % 40)
        else:
            page.mouse.wheel(0, 40 if step % 20 < 10 else -40)
    if move == "drag":
        page.mouse.up()
    seen: list[float] = page.evaluate("window.frames_ms")
    return seen


def moved(browser: Browser, address: str, frames: int) -> dict[str, list[float]]:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.goto(address)
    page.get_by_role("tab", name="Graph").click()
    page.locator(".graph-node").first.wait_for()
    page.evaluate(WATCH)
    told = {move: frames_ms(page, move, frames) for move in ("drag", "zoom")}
    context.close()
    return told


def asked(url: str, edges: int) -> tuple[str, int]:
    """The session of an answer, and how many edges it rests on."""
    client = httpx2.Client(base_url=url, timeout=120)
    body = {"query": "What did Doctor Alba and Doctor Brenn discover?", "edge_limit": edges, "triple_limit": edges,
            "max_subgraph_size": 2 * edges, "method": "pagerank"}  # fmt: skip
    answer = client.post("/api/v1/graph-rag", json=body)
    assert answer.status_code == 200, answer.text
    session = answer.json()["session"]
    selected = client.get(f"/api/v1/traces/{session}").json()["selected"]
    return session.rpartition(":")[2], len(selected)


def reply(question: Asked) -> str:
    """Of a model that chooses all it is shown."""
    if question.system.startswith("You find"):
        return '{"concept": "Doctor Alba"}\n{"concept": "Doctor Brenn"}'
    if question.system.startswith("You choose"):
        ids = re.findall(r'^\{"id": "(\w+)"', question.user, re.MULTILINE)
        return "\n".join(json.dumps({"id": each, "reasoning": "It names one."}) for each in ids)
    return "Doctor Alba discovered many of them [1]."


def spread(values: Sequence[float]) -> dict[str, float]:
    ordered = sorted(values)
    return {"median": statistics.median(ordered), "p95": ordered[int(0.95 * (len(ordered) - 1))]}


def measured(edges: int, runs: int, frames: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        text = " ".join(
            f"Doctor {PERSONS[n % 2]} discovered substance {n} in {1700 + n}." for n in range(edges)
        )
        (folder / "alba.txt").write_text(text)
        done = run("ingest", "--data", folder / "data", str(folder / "alba.txt"))
        assert done.status == 0, done.err
        with (
            openai_server() as model,
            serving(
                folder / "data", env={"OPENAI_BASE_URL": model.url, "PROVGRAPH_LLM_MODEL": "scripted"}
            ) as service,
            chromium() as browser,
        ):
            model.answer(lambda question: Answer(reply(question)))
            session, found = asked(service.url, edges)
            paints = [first_paint_ms(browser, service.url) for _ in range(runs)]
            floor = [first_paint_ms(browser, f"{service.url}/health") for _ in range(runs)]
            moves = moved(browser, f"{service.url}/#/session/{session}", frames)
    return {
        "edges": found,
        "first_paint_ms": spread(paints),
        "plain_text_ms": spread(floor),
        "drag_frame_ms": spread(moves["drag"]),
        "zoom_frame_ms": spread(moves["zoom"]),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--edges", type=int, default=150)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--frames", type=int, default=240)
    arguments = parser.parse_args()
    told = measured(arguments.edges, arguments.runs, arguments.frames)
    print(f"{told['edges']} edges             median      p95")
    for name in ("first_paint_ms", "plain_text_ms", "drag_frame_ms", "zoom_frame_ms"):
        print(f"{name:<16} {told[name]['median']:>12.0f} {told[name]['p95']:>8.0f}")
    print(json.dumps(told))


if __name__ == "__main__":
    main()
