"""`provgraph sync` with pages and with objects: followed as a folder is, and nothing lost that is only away."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from e2e.commands import granted, invoke
from servers.s3_server import s3_server


class Site(ThreadingHTTPServer):
    """`pages` by path, `listed` those that its sitemap names."""

    def __init__(self) -> None:
        self.pages = {
            "/curie.html": "<p>Marie Curie discovered polonium in 1898.</p>",
            "/larkfield.html": "<p>Ada Larkfield was born in Graz.</p>",
            "/secret.html": "<p>Nobody may read this.</p>",
        }
        self.listed = list(self.pages)
        self.whole_answers: list[str] = []
        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    server: Site

    def do_GET(self) -> None:
        site, kind = self.server, "text/html"
        body = site.pages.get(self.path)
        if self.path == "/robots.txt":
            body, kind = "User-agent: *\nDisallow: /secret", "text/plain"
        elif self.path == "/sitemap.xml":
            kind = "application/xml"
            urls = "".join(f"<url><loc>{site.url}{path}</loc></url>" for path in site.listed)
            body = f"<urlset>{urls}</urlset>"
        etag = f'"{hash(body)}"'
        if self.headers["If-None-Match"] == etag:
            self.send_response(304)
            self.end_headers()
            return
        site.whole_answers.append(self.path)
        self.send_response(200 if body is not None else 404)
        self.send_header("Content-Type", kind)
        self.send_header("ETag", etag)
        self.end_headers()
        self.wfile.write((body or "gone").encode())

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture(autouse=True)
def state(tmp_path: Path) -> Iterator[None]:
    with granted({"XDG_STATE_HOME": str(tmp_path / "state")}):
        yield


@pytest.fixture
def site() -> Iterator[Site]:
    made = Site()
    thread = threading.Thread(target=made.serve_forever)
    thread.start()
    yield made
    made.shutdown()
    thread.join()
    made.server_close()


def documents(data: Path) -> set[str]:
    listed = json.loads(invoke("documents", "--data", data, "--format", "json").stdout)
    return {document["id"] for document in listed}


def report(done: Result) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def test_a_collection_follows_a_sitemap(site: Site, tmp_path: Path) -> None:
    data, sitemap = tmp_path / "data", f"{site.url}/sitemap.xml"
    curie, larkfield, secret = (f"{site.url}{path}" for path in site.pages)

    def sync(*more: str) -> Result:
        return invoke("sync", sitemap, "--allow-private", "--data", data, "--format", "json", *more)

    first = sync()
    assert first.exit_code == 1
    assert report(first)["new"] == [curie, larkfield]
    assert [told.partition(": ")[0] for told in report(first)["refused"]] == [secret]
    assert documents(data) == {curie, larkfield}
    site.listed.remove("/secret.html")
    site.whole_answers.clear()
    assert (sync().exit_code, report(sync())["unchanged"]) == (0, 2)
    assert "/curie.html" not in site.whole_answers  # its server was asked, and had nothing newer
    site.pages["/curie.html"] = "<p>Marie Curie discovered radium in 1898.</p>"
    del site.pages["/larkfield.html"]  # listed, but away
    changed = report(sync())
    assert (changed["changed"], changed["deleted"]) == ([curie], [])
    assert "404" in changed["refused"][0]
    assert documents(data) == {curie, larkfield}
    site.listed.remove("/larkfield.html")
    assert report(sync("--dry-run"))["deleted"] == [larkfield]
    assert report(sync())["deleted"] == [larkfield]
    assert "radium" in invoke("ask", "What did Marie Curie discover?", "--data", data).stdout


def test_what_must_not_be_read_or_watched_is_told(site: Site, tmp_path: Path) -> None:
    data = tmp_path / "data"
    private = invoke("sync", f"{site.url}/sitemap.xml", "--data", data)
    assert (private.exit_code, "--allow-private" in private.stderr) == (1, True)
    assert invoke("sync", f"{site.url}/curie.html", "--watch", "--data", data).exit_code == 2
    missing = invoke("sync", tmp_path / "nowhere", "--data", data)
    assert (missing.exit_code, "There is no folder" in missing.stderr) == (1, True)


@pytest.mark.slow
def test_a_collection_follows_objects(tmp_path: Path) -> None:
    import obstore
    from obstore.store import S3Store

    data = tmp_path / "data"
    with s3_server() as server:
        keys = {
            "AWS_ACCESS_KEY_ID": "k",
            "AWS_SECRET_ACCESS_KEY": "s",
            "AWS_ENDPOINT_URL": server,
            "AWS_REGION": "us-east-1",
        }
        store = S3Store(
            "library",
            prefix="notes",
            access_key_id="k",
            secret_access_key="s",
            endpoint=server,
            region="us-east-1",
            client_options={"allow_http": True},
        )
        obstore.put(store, "curie.txt", b"Marie Curie discovered polonium in 1898.")
        obstore.put(store, "deep/larkfield.txt", b"Ada Larkfield was born in Graz.")
        obstore.put(store, "deep/larkfield.txt.metadata.json", b'{"town": "Graz"}')

        def synced() -> dict[str, Any]:
            arguments = ("sync", "s3://library/notes/", "--data", data, "--format", "json")
            done = invoke(*arguments, PROVGRAPH_MAX_UPLOAD_MB="1", **keys)
            return report(done)

        assert synced()["new"] == ["curie.txt", "deep/larkfield.txt"]
        obstore.put(store, "large.txt", b"x" * 1_000_001)
        obstore.rename(store, "curie.txt", "marie.txt")
        after = synced()
        assert after["renamed"] == [{"from": "curie.txt", "to": "marie.txt"}]
        assert after["refused"][0].startswith("large.txt: ")
        obstore.delete(store, "deep/larkfield.txt")
        assert synced()["deleted"] == ["deep/larkfield.txt"]
        assert len(documents(data)) == 1
    away = invoke("sync", "s3://library/notes/", "--data", data, AWS_ENDPOINT_URL="http://127.0.0.1:9")
    assert (away.exit_code, "s3://library/notes/" in away.stderr) == (1, True)
