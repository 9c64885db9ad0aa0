"""A command on a folder reaches the service of that folder and no other, whatever `serving.json` says."""

from __future__ import annotations

import json
import shutil
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from e2e.commands import invoke, serving

pytestmark = pytest.mark.slow

TOKEN = {"PROVGRAPH_TOKEN": "a-token-of-sixteen"}


def filled(folder: Path) -> str:
    """The id of the one document of a new folder."""
    text = folder.with_suffix(".txt")
    text.write_text("Marie Curie discovered polonium.")
    assert invoke("ingest", text, "--data", folder).exit_code == 0
    return ids(folder)[0]


def ids(folder: Path, **env: str) -> list[str]:
    listed = invoke("documents", "--data", folder, "--format", "json", **env)
    assert listed.exit_code == 0, listed.stderr
    return [document["id"] for document in json.loads(listed.stdout)]


def test_what_is_deleted_from_a_copy_stays_in_the_served_original(tmp_path: Path) -> None:
    document = filled(tmp_path / "orig")
    with serving(tmp_path / "orig") as service:
        shutil.copytree(tmp_path / "orig", tmp_path / "copy")
        done = invoke("delete", "--data", tmp_path / "copy", document, "--yes")
        assert done.exit_code == 0, done.stderr
        assert ids(tmp_path / "copy") == []
        assert ids(tmp_path / "orig") == [document]
        assert service.process.poll() is None


def test_a_served_folder_is_reached_through_a_link_and_after_it_was_moved(tmp_path: Path) -> None:
    document = filled(tmp_path / "orig")
    (tmp_path / "link").symlink_to(tmp_path / "orig")
    with serving(tmp_path / "orig"):
        assert ids(tmp_path / "link") == [document]
        (tmp_path / "orig").rename(tmp_path / "moved")
        assert ids(tmp_path / "moved") == [document]


def test_after_a_crash_another_folders_service_on_that_port_does_not_answer_for_this_one(
    tmp_path: Path,
) -> None:
    document = filled(tmp_path / "crashed")
    with serving(tmp_path / "crashed") as crashing:
        port = crashing.url.rsplit(":", 1)[1]
        crashing.process.send_signal(signal.SIGKILL)
        crashing.process.wait()
    assert (tmp_path / "crashed" / "serving.json").exists()
    with serving(tmp_path / "other", "--port", port):
        assert ids(tmp_path / "crashed") == [document]


def test_another_program_on_that_port_is_told_no_token(tmp_path: Path) -> None:
    document = filled(tmp_path / "data")
    with listener() as (port, heard):
        (tmp_path / "data" / "serving.json").write_text(json.dumps({"url": f"http://127.0.0.1:{port}"}))
        assert ids(tmp_path / "data", **TOKEN) == [document]
    assert len(heard) == 1
    assert not [line for line in heard[0].splitlines() if "authorization" in line.casefold()]
    assert TOKEN["PROVGRAPH_TOKEN"] not in heard[0]


@contextmanager
def listener() -> Iterator[tuple[int, list[str]]]:
    """Somebody who answers everything with 200, and keeps what it was sent."""
    heard: list[str] = []

    class Answering(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            heard.append(f"{self.path}\n{self.headers}")
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b'{"proof": "0"}')

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Answering)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.server_port, heard
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
