"""`provgraph serve` over TLS: commands on the folder find it, strangers are held to its limits."""

from __future__ import annotations

import json
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import httpx2
import pytest

from e2e.commands import Serving, run, run_here, serving
from provgraph.cli.readiness import is_ready
from provgraph.tls import trusting_only
from servers.certificates import Certificate, certificate
from servers.direct import DIRECT

TEXT = "Marie Curie discovered polonium in 1898. She was born in Warsaw."
TOKEN = "a-token-of-tests"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    return certificate(tmp_path_factory.mktemp("certificate"))


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("served") / "data"


@pytest.fixture(scope="module")
def service(data: Path, files: Certificate) -> Iterator[Serving]:
    env = {"PROVGRAPH_TLS_CERT": str(files.certificate), "PROVGRAPH_TLS_KEY": str(files.key)}
    with serving(data, env={**env, "PROVGRAPH_TOKEN": TOKEN}) as made:
        yield made


def client_of(service: Serving, files: Certificate) -> httpx2.Client:
    trust = ssl.create_default_context(cafile=files.certificate)
    options = {**DIRECT, "verify": trust, "base_url": service.url, "timeout": 20}
    return httpx2.Client(headers={"Authorization": f"Bearer {TOKEN}"}, **options)


def test_commands_on_the_folder_go_through_the_service(service: Serving, data: Path, tmp_path: Path) -> None:
    (tmp_path / "curie.txt").write_text(TEXT)
    env = {"PROVGRAPH_TOKEN": TOKEN}
    assert run_here("ingest", tmp_path / "curie.txt", "--data", data, env=env).status == 0
    asked = run_here("ask", "Who discovered polonium?", "--data", data, env=env)
    assert asked.status == 0, asked.err
    assert "Curie" in asked.out
    assert service.url.startswith("https://")


def test_a_command_given_the_address_trusts_who_the_system_trusts(
    service: Serving, files: Certificate
) -> None:
    trusting = {"PROVGRAPH_TOKEN": TOKEN, "SSL_CERT_FILE": str(files.certificate)}
    assert run("documents", "--url", service.url, env=trusting).status == 0
    told = run("documents", "--url", service.url, env={"PROVGRAPH_TOKEN": TOKEN})
    assert told.status != 0
    assert "certificate" in told.err.casefold()


def test_a_folder_whose_certificate_another_server_shows_is_not_believed(
    service: Serving, data: Path, tmp_path: Path
) -> None:
    other = certificate(tmp_path, "other")
    word = json.loads((data / "serving.json").read_text())
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "serving.json").write_text(
        json.dumps({**word, "certificate": other.certificate.read_text()})
    )
    told = run_here("documents", "--data", tmp_path / "data", env={"PROVGRAPH_TOKEN": TOKEN})
    assert told.status == 0, told.err
    assert "curie" not in told.out


def test_answers_stream_and_connections_are_kept(service: Serving, files: Certificate) -> None:
    with client_of(service, files) as client:
        for _ in range(3):
            assert client.get("/health").status_code == 200
        body = {"query": "Who discovered polonium?"}
        with client.stream(
            "POST", "/api/v1/graph-rag", json=body, headers={"Accept": "text/event-stream"}
        ) as told:
            assert told.status_code == 200
            assert "".join(told.iter_text()).count("event:") > 1


def test_a_container_learns_whether_its_service_is_ready(
    service: Serving, data: Path, tmp_path: Path
) -> None:
    assert service.process.poll() is None
    assert is_ready(data)
    assert not is_ready(tmp_path)
    (tmp_path / "serving.json").write_text(json.dumps({"url": "http://127.0.0.1:1"}))
    assert not is_ready(tmp_path)


def test_plain_http_is_not_spoken(service: Serving) -> None:
    address = httpx2.URL(service.url)
    with socket.create_connection((address.host, address.port or 0), timeout=5) as connection:
        connection.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert not connection.recv(1000).startswith(b"HTTP/")


def test_a_request_sent_with_the_end_of_the_handshake_is_answered(
    service: Serving, files: Certificate
) -> None:
    address = httpx2.URL(service.url)
    came, sent = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = trusting_only(files.certificate.read_text()).wrap_bio(came, sent)
    with socket.create_connection((address.host, address.port or 0), timeout=5) as connection:
        with pytest.raises(ssl.SSLWantReadError):
            client.do_handshake()
        connection.sendall(sent.read())
        while True:
            came.write(connection.recv(65_536))
            try:
                client.do_handshake()
                break
            except ssl.SSLWantReadError:
                connection.sendall(sent.read())
        client.write(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        connection.sendall(sent.read())
        reply = b""
        while b"HTTP/1.1 200" not in reply:
            came.write(connection.recv(65_536))
            try:
                reply += client.read(65_536)
            except ssl.SSLWantReadError:
                continue


@pytest.mark.slow
def test_who_never_begins_a_handshake_keeps_nobody_out(service: Serving, files: Certificate) -> None:
    address = httpx2.URL(service.url)
    place = (address.host, address.port or 0)
    with ExitStack() as opened:
        silent = [opened.enter_context(socket.create_connection(place, timeout=20)) for _ in range(700)]
        begun = time.monotonic()
        with client_of(service, files) as client:
            assert client.get("/health").status_code == 200
        assert time.monotonic() - begun < 5
        assert silent[-1].recv(1) == b""
        assert time.monotonic() - begun < 15


@pytest.mark.slow
def test_wrong_files_end_the_start_with_a_sentence(tmp_path: Path, files: Certificate) -> None:
    data = ("serve", "--port", "0", "--data", tmp_path / "data")
    expired = certificate(tmp_path, "expired", timedelta(days=-1))
    told = run(*data, "--tls-cert", expired.certificate, "--tls-key", expired.key)
    assert (told.status, told.err.strip()[-12:]) == (1, "has expired.")
    told = run(*data, "--tls-key", files.key)
    assert "Name one with --tls-cert" in told.err
