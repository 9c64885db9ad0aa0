"""A disk that takes no more: a client is told, and nothing half-done stays."""

from __future__ import annotations

from pathlib import Path

import httpx2

from e2e.commands import PROGRAMS, invoke, serving

ROOM_KB = 1_500
"""Of one file: enough for an empty store, and not for a large upload."""


def test_a_document_that_finds_no_room_is_refused_whole_and_accepted_when_there_is(tmp_path: Path) -> None:
    data = tmp_path / "data"
    large = "\n\n".join(f"Person{number} founded Town{number} in 1900." for number in range(60_000))
    serve = f'ulimit -f {ROOM_KB}; exec "$0" serve --port 0 --data "$1"'
    limited: list[str | Path] = ["bash", "-c", serve, PROGRAMS / "provgraph", data]
    with (
        serving(data, command=limited) as service,
        httpx2.Client(base_url=service.url, trust_env=False, timeout=60) as client,
    ):
        refused = client.post("/api/v1/documents", json={"text": large, "name": "towns.txt"})
        assert refused.status_code == 503, refused.text
        assert "Free some space" in refused.json()["detail"]
        assert client.get("/api/v1/documents").json() == []
        done = invoke("queue", "--url", service.url)
        assert "documents: 0 tasks waiting, 0 under way, 0 given up" in done.output
        service.stop()
    (tmp_path / "curie.txt").write_text("Marie Curie discovered polonium in 1898.")
    assert invoke("ingest", "--data", data, tmp_path / "curie.txt").exit_code == 0
    assert [file for file in (data / "queue" / "files").rglob("*") if file.is_file()] == []
