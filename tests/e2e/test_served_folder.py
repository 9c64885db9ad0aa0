"""A folder that is being served: commands go through the service, whether they are given the folder or its address.

By one process, or by services apart as the compose file has them, of which the gateway is the one that commands know.
"""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import httpx2
import pytest
from pyoxigraph import RdfFormat, parse

from e2e.commands import Serving, granted, invoke, run, serving
from e2e.composed import Composed, composed
from e2e.conftest import QUESTION, Filled, filled_by_commands
from provgraph.cli import twins
from servers.direct import DIRECT

pytestmark = pytest.mark.slow

JSON_COMMANDS = [
    ["ask", QUESTION],
    ["retrieve", QUESTION],
    ["traces"],
    ["trace", "SESSION"],
    ["documents"],
    ["document", "DOCUMENT"],
    ["sparql", "SELECT * WHERE { ?s ?p ?o } LIMIT 3"],
    ["sparql", "ASK { ?s ?p ?o }"],
    ["check", "--all"],
    ["ingest", "FILE"],
    ["import", "RDF"],
]


@pytest.fixture(scope="module", params=["one process", "apart"])
def form(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    services_apart: Composed | None,
) -> Iterator[Composed | None]:
    """The services apart, or nothing where one process is served."""
    if request.param == "one process" or services_apart:
        yield services_apart
        return
    with composed(tmp_path_factory.mktemp("composed")) as made:
        yield made


@pytest.fixture(scope="module")
def filled(form: Composed | None, services_apart: Composed | None, filled: Filled) -> Filled:
    if form is services_apart:
        return filled
    assert form
    with _granted(form):
        return filled_by_commands(form.folder, form.data("gateway"))


@pytest.fixture(scope="module")
def service(form: Composed | None, filled: Filled) -> Iterator[Serving]:
    if form is None:
        with serving(filled.data) as made:
            yield made
    else:
        yield form.gateway


def _granted(form: Composed | None) -> AbstractContextManager[None]:
    """Commands have the token of the services apart."""
    return granted({"PROVGRAPH_TOKEN": form.token} if form else {})


@pytest.fixture(autouse=True)
def _with_the_token(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    form = request.getfixturevalue("form") if "form" in request.fixturenames else None
    if form:
        monkeypatch.setenv("PROVGRAPH_TOKEN", form.token)
    with _granted(form):
        yield


@pytest.fixture(scope="module")
def document(form: Composed | None, filled: Filled, service: Serving) -> str:
    with _granted(form):
        listed = json.loads(invoke("documents", "--url", service.url, "--format", "json").stdout)
    assert filled.data.is_dir()
    found: str = listed[0]["id"]
    return found


@pytest.mark.parametrize("command", JSON_COMMANDS, ids=" ".join)
@pytest.mark.parametrize("way", ["folder", "address", "environment"])
def test_every_command_answers_in_json(
    filled: Filled, service: Serving, document: str, tmp_path: Path, command: list[str], way: str
) -> None:
    (tmp_path / "fact.txt").write_text("Lise Meitner discovered protactinium.")
    (tmp_path / "fact.ttl").write_text("<urn:a> <urn:b> <urn:c> .")
    given = {
        "SESSION": filled.session,
        "DOCUMENT": document,
        "FILE": str(tmp_path / "fact.txt"),
        "RDF": str(tmp_path / "fact.ttl"),
    }
    words = [given.get(word, word) for word in command]
    where = {"folder": ["--data", str(filled.data)], "address": ["--url", service.url]}.get(way, [])
    env = {"PROVGRAPH_URL": service.url} if way == "environment" else {}
    done = invoke(words[0], *where, "--format", "json", *words[1:], **env)
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout) is not None


def test_a_folder_that_is_served_is_not_opened_a_second_time(filled: Filled, service: Serving) -> None:
    done = run("serve", "--data", filled.data, "--port", "0")
    assert done.status == 1
    assert "another provgraph process is using it" in done.err
    assert service.process.poll() is None
    assert run("traces", "--data", filled.data).status == 0


def test_a_proxy_is_not_asked_for_what_is_on_this_machine(filled: Filled, service: Serving) -> None:
    proxy = {"HTTP_PROXY": "http://127.0.0.1:1", "http_proxy": "http://127.0.0.1:1"}
    assert invoke("traces", "--data", filled.data, **proxy).exit_code == 0
    assert invoke("traces", "--url", service.url, **proxy).exit_code == 0


@pytest.mark.parametrize("style", ["turtle", "trig", "jsonld"])
def test_a_trace_comes_in_every_format(filled: Filled, service: Serving, style: str) -> None:
    done = invoke("trace", "--url", service.url, "--format", style, filled.session)
    rdf_format = {"turtle": RdfFormat.TURTLE, "trig": RdfFormat.TRIG, "jsonld": RdfFormat.JSON_LD}[style]
    assert filled.session in {
        getattr(quad.subject, "value", "") for quad in parse(done.stdout, format=rdf_format)
    }


@pytest.mark.parametrize("style", ["table", "csv", "tsv", "json", "xml"])
def test_rows_come_in_every_format(service: Serving, style: str) -> None:
    query = 'SELECT ?label WHERE { ?s rdfs:label ?label FILTER (?label = "Marie Curie") }'
    done = invoke("sparql", "--url", service.url, "--format", style, query)
    assert done.exit_code == 0, done.stderr
    assert "label" in done.stdout
    assert "Marie Curie" in done.stdout


def test_rows_without_rows_and_graphs_come_as_tables_and_turtle(service: Serving) -> None:
    none = invoke("sparql", "--url", service.url, "SELECT ?s WHERE { ?s ?p <urn:absent> }")
    assert none.stdout.split() == ["s", "-"]
    graph = invoke(
        "sparql", "--url", service.url, "--format", "turtle", "CONSTRUCT WHERE { ?s rdfs:label ?o }"
    )
    assert graph.exit_code == 0, graph.stderr
    assert list(parse(graph.stdout, format=RdfFormat.TURTLE))


def test_text_and_json_of_retrieval_name_the_same_edges(service: Serving) -> None:
    text = invoke("retrieve", "--url", service.url, "--limit", "2", QUESTION).stdout
    found = json.loads(
        invoke("retrieve", "--url", service.url, "--limit", "2", "--format", "json", QUESTION).stdout
    )
    assert set(found) >= {"edges", "chunks", "documents"}
    assert len(found["edges"]) == 2
    for edge in found["edges"]:
        assert (
            f"({edge['labels']['subject']}, {edge['labels']['relation']}, {edge['labels']['object']})" in text
        )
    assert all(set(document) == {"id", "title", "source", "score"} for document in found["documents"])


def test_trustgraphs_other_commands_are_the_same_as_ours(
    filled: Filled,
    service: Serving,
    document: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pairs = [
        (twins.list_explain_traces, ["traces"]),
        (twins.show_explain_trace, ["trace", filled.session]),
        (twins.show_extraction_provenance, ["document", document]),
    ]
    for twin, command in pairs:
        monkeypatch.setattr(sys, "argv", ["tg", "-u", service.url, *command[1:]])
        with pytest.raises(SystemExit) as ended:
            twin()
        assert ended.value.code == 0
        assert capsys.readouterr().out == invoke(*command, "--url", service.url).stdout


def test_a_service_with_a_token_is_used_with_it(tmp_path: Path) -> None:
    token = {"PROVGRAPH_TOKEN": "söcret"}
    with serving(tmp_path / "data", env=token) as guarded:
        assert invoke("traces", "--url", guarded.url, **token).exit_code == 0
        assert invoke("traces", "--data", tmp_path / "data", **token).exit_code == 0
        refused = invoke("traces", "--url", guarded.url, PROVGRAPH_TOKEN="")
        assert refused.exit_code == 1
        assert "token" in refused.stderr


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_a_service_stops_cleanly_when_it_is_told_to(tmp_path: Path, number: int, status: int) -> None:
    data = tmp_path / "data"
    with serving(data) as made:
        assert httpx2.get(f"{made.url}/ready", **DIRECT).status_code == 200
        assert (data / "serving.json").exists()
        done = made.stop(number)
    assert done.status == status
    assert "Traceback" not in done.err
    assert not (data / "serving.json").exists()


def test_a_session_that_a_crash_left_open_is_closed_at_the_next_start(tmp_path: Path) -> None:
    data = tmp_path / "data"
    slow = [sys.executable, str(Path(__file__).with_name("slow_service.py")), str(data)]
    stream = {"Accept": "text/event-stream"}
    with (
        serving(data, command=slow) as crashing,
        httpx2.Client(base_url=crashing.url, timeout=60, **DIRECT) as client,
        client.stream("POST", "/api/v1/graph-rag", json={"query": QUESTION}, headers=stream) as response,
    ):
        first = next(iter(httpx2.EventSource(response)))
        crashing.process.kill()
        crashing.process.wait()
    session = json.loads(first.data)["explain_id"]
    found = json.loads(invoke("trace", "--data", data, "--format", "json", session).stdout)
    assert found["outcome"] == "interrupted"
    assert found["ended"]
    assert found["failure"]
