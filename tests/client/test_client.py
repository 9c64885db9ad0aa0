"""The Python client on a folder that nobody serves, and at an address."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from threading import enumerate as enumerate_threads

import httpx2
import pytest

from client.conftest import LARKFIELD, TOKEN
from provgraph import Client
from provgraph.client.answers import AnswerEvent, StepEvent, TextEvent
from provgraph.client.evidence import QuotedSource
from provgraph.errors import InvalidInput, NotFound, ProvGraphError, TimedOut, Unauthorized, Unavailable
from servers.direct import DIRECT
from servers.served_process import free_port

QUESTION = "Who founded Larkfield?"
SENTENCE = "Ada Larkfield founded Larkfield in 1987."


def page_of(client: Client, source: QuotedSource) -> str:
    (page,) = client.sparql(
        "SELECT ?page WHERE { GRAPH <urn:graph:source> { ?page a <https://trustgraph.ai/ns/Page> } "
        f"FILTER(?page = <{source.page_iri}>) }}"
    )
    return str(page["page"])


def ask_and_check(client: Client) -> None:
    answer = client.ask(QUESTION)
    assert (answer.short_answer, answer.outcome) == ("Ada Larkfield", "answered")
    assert answer.text == str(answer) == SENTENCE
    (source,) = answer.sentences[0].sources
    assert (source.text, source.file, source.page) == (SENTENCE, "larkfield.md", 1)
    assert LARKFIELD[source.start : source.end] == source.text
    assert page_of(client, source) == source.page_iri
    assert answer.proof is not None
    assert answer.proof.step is not None
    assert answer.proof.step.value == "Ada Larkfield"


def test_a_folder_answers_without_a_server(client: Client) -> None:
    ask_and_check(client)


def test_an_address_answers_with_its_token(url: str) -> None:
    with Client(url, token=TOKEN) as client:
        ask_and_check(client)
    with Client(url, token="wrong") as other, pytest.raises(Unauthorized, match="token"):
        other.ask(QUESTION)


def test_temporary_files_may_have_a_long_path(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The path of a socket may not."""
    long = tmp_path / ("long" * 30)
    long.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(long))
    with Client(folder) as client:
        assert client.documents()


def test_a_folder_that_a_service_has_open_is_asked_there(url: str, folder: Path) -> None:
    with Client(folder, token=TOKEN) as client:
        ask_and_check(client)


def test_the_words_around_a_source_are_those_of_its_page(client: Client) -> None:
    (source,) = client.ask(QUESTION).sentences[0].sources
    assert source.before + source.text + source.after == LARKFIELD.rstrip("\n")


def test_two_clients_of_one_process_share_a_folder(client: Client, folder: Path) -> None:
    with Client(folder) as other:
        assert [each.title for each in client.documents()] == [each.title for each in other.documents()]
    assert len(client.documents()) == 2


def test_a_client_that_is_forgotten_lets_its_folder_go(folder: Path) -> None:
    forgotten = Client(folder)
    forgotten.documents()
    del forgotten
    gc.collect()
    assert not any(thread.name == "provgraph-service" for thread in enumerate_threads())


def test_clients_in_many_threads_share_a_folder_and_let_it_go(folder: Path) -> None:
    def documents(_: int) -> int:
        with Client(folder) as client:
            return len(client.documents())

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(documents, range(12))) == [2] * 12
    assert not any(thread.name == "provgraph-service" for thread in enumerate_threads())


def test_a_folder_is_free_when_its_client_is_closed(folder: Path) -> None:
    with Client(folder) as client:
        client.documents()
    listing = "import sys; from provgraph import Client; print(len(Client(sys.argv[1]).documents()))"
    done = subprocess.run([sys.executable, "-c", listing, folder], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("2\n", "")


def test_a_folder_that_another_process_holds_is_said_to_be_in_use(client: Client, folder: Path) -> None:
    client.documents()
    listing = "import sys; from provgraph import Client; Client(sys.argv[1]).documents()"
    done = subprocess.run(
        [sys.executable, "-c", listing, folder],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PROVGRAPH_FOLDER_WAIT_S": "0"},
    )
    assert "FolderInUse" in done.stderr
    assert "another provgraph process" in done.stderr


def test_a_command_waits_some_seconds_for_another_one_on_the_folder(client: Client, folder: Path) -> None:
    client.documents()
    command = [sys.executable, "-m", "provgraph", "documents", "--data", str(folder)]
    env = os.environ | {"PROVGRAPH_FOLDER_WAIT_S": "60"}
    waiting = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)
    assert waiting.stderr is not None
    assert "Waiting up to 60 s" in waiting.stderr.readline()
    client.close()
    out, err = waiting.communicate(timeout=60)
    assert (waiting.returncode, err) == (0, "")
    assert "larkfield" in out.casefold()


def test_events_are_steps_and_words_and_in_the_end_the_answer(client: Client) -> None:
    events = list(client.ask_events(QUESTION))
    steps = [event.step for event in events if isinstance(event, StepEvent)]
    assert steps[:3] == ["session", "grounding", "retrieval"]
    assert "".join(event.text for event in events if isinstance(event, TextEvent)) == SENTENCE
    last = events[-1]
    assert isinstance(last, AnswerEvent)
    assert (last.answer.text, last.answer.outcome) == (SENTENCE, "answered")
    assert client.trace(last.answer.session).query == QUESTION


def test_an_answer_without_proof_says_what_supports_it_all_the_same(client: Client) -> None:
    answer = client.ask(QUESTION, proof=False, documents=["larkfield.md"])
    assert answer.proof is None
    assert answer.sources[0].text == SENTENCE


def test_a_claim_is_judged_part_by_part(client: Client) -> None:
    verdict = client.verify("Orrin bought Larkfield in 2024.")
    assert verdict.label == "REFUTES"
    assert [(part.text, part.relation) for part in verdict.elements][-1] == ("2024", "contradicted")
    assert verdict.opposing[0].source.text.startswith("Orrin bought Larkfield in 2019")


def test_a_text_is_checked_against_a_collection_and_against_given_sources(client: Client) -> None:
    text = "Orrin bought Larkfield in 2024."
    assert client.check_answer(text).summary.refuted == 1
    cited = client.check_answer(f"{text[:-1]} [1].", ["Orrin bought Larkfield in 2019."])
    assert (cited.claims[0].verdict, cited.claims[0].cited_supports) == ("REFUTES", False)


def test_given_sources_need_no_folder(tmp_path: Path) -> None:
    report = Client(tmp_path / "nothing").check_answer("Rain fell.", [{"id": "a", "text": "Rain fell."}])
    assert report.summary.supported == 1


def test_retrieved_facts_and_chunks_say_where_they_stand(client: Client) -> None:
    found = client.retrieve(QUESTION)
    assert found.facts[0].sources[0].text == SENTENCE
    chunk = found.chunks[0]
    assert (chunk.file, chunk.page) == ("larkfield.md", 1)
    assert LARKFIELD[chunk.start : chunk.end] == chunk.text


def test_the_lineage_of_a_fact_is_found_by_each_of_its_names(client: Client) -> None:
    answer = client.ask(QUESTION)
    assert answer.proof is not None
    names = (
        answer.sentences[0].facts[0],
        answer.proof.facts[0],
        "Larkfield | was founded by | Ada Larkfield",
    )
    facts = [client.lineage(name) for name in names]
    facts += [client.lineage(facts[0].sources[0].quotation)]
    assert len({fact.statement for fact in facts}) == 1
    assert [fact.sources[0].text for fact in facts] == [SENTENCE] * 4
    with pytest.raises(NotFound, match="No fact"):
        client.lineage("urn:x:nothing")
    with pytest.raises(InvalidInput, match="is not a fact"):
        client.lineage("Larkfield")


def test_what_is_not_behind_an_answer_is_asked_after(client: Client) -> None:
    answer = client.ask(QUESTION)
    told = client.why_not(answer.session, "Larkfield | was acquired by | Orrin")
    assert told.edges[0].reason
    assert client.traces()[0].session == answer.session


def test_rows_of_sparql_are_values(client: Client) -> None:
    found = client.sparql("SELECT ?n ?t WHERE { VALUES (?n ?t) { (2 true) (UNDEF 'x') } }")
    assert found.columns == ("n", "t")
    assert list(found) == [{"n": 2, "t": True}, {"n": None, "t": "x"}]
    assert client.sparql("ASK { GRAPH ?g { ?s ?p ?o } }").boolean is True
    assert "Larkfield" in client.sparql("CONSTRUCT { ?s ?p ?o } WHERE { GRAPH ?g { ?s ?p ?o } }").turtle
    with pytest.raises(ProvGraphError, match="line 1"):
        client.sparql("SELECT WHERE")


def test_rows_of_sparql_are_a_data_frame_where_there_is_pandas(client: Client) -> None:
    pandas = pytest.importorskip("pandas")
    frame = client.sparql("SELECT ?n WHERE { VALUES ?n { 1 2 } }").dataframe()
    assert isinstance(frame, pandas.DataFrame)
    assert sorted(frame["n"]) == [1, 2]


def test_an_ingest_tells_how_far_it_is_and_what_it_refused(client: Client, tmp_path: Path) -> None:
    (tmp_path / "new.txt").write_text("Tessa Byrd was born in Hull.")
    (tmp_path / "broken.pdf").write_bytes(b"no pdf")
    files = [tmp_path / "new.txt", tmp_path / "broken.pdf"]
    steps = list(client.ingest_events(files, metadata={"kind": "note"}))
    assert [document.title for step in steps for document in step.documents] == ["new"]
    assert [refused.file for step in steps for refused in step.refused] == ["broken.pdf"]
    assert client.ask("Where was Tessa Byrd born?", where=["kind=note"]).short_answer == "Hull"


def test_an_ingest_is_done_when_it_is_called_and_shows_a_line_for_each_document(tmp_path: Path) -> None:
    (tmp_path / "new.txt").write_text("Tessa Byrd was born in Hull.")
    with Client(tmp_path / "data") as client:
        done = client.ingest(str(tmp_path / "new.txt"), title="Byrd", metadata={"kind": "note"})
        assert repr(done) == "Byrd: 1 page, 1 chunk, 1 new fact"
        assert client.documents()[0].metadata == {"kind": ["note"]}


def test_a_text_is_ingested_and_deleted(client: Client) -> None:
    done = client.ingest_text("Mina Holt wrote The Salt Road.", title="Holt")
    assert [str(document) for document in done.documents] == ["Holt: 1 page, 1 chunk, 1 new fact"]
    assert client.delete("Holt", dry_run=True).facts_removed > 0
    assert client.delete("Holt").title == "Holt"
    assert "Holt" not in [each.title for each in client.documents()]
    with pytest.raises(NotFound):
        client.delete("Holt")


def test_a_collection_is_exported_to_a_file(client: Client, tmp_path: Path) -> None:
    assert b"Larkfield" in client.export(tmp_path / "all.nq").read_bytes()
    assert client.export(tmp_path / "all.zip", format="archive").read_bytes().startswith(b"PK")
    with pytest.raises(InvalidInput, match="no export as 'xml'"):
        client.export(tmp_path / "all.xml", format="xml")
    with pytest.raises(InvalidInput, match="cannot be written"):
        client.export(tmp_path / "none" / "all.nq")


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="There is no folder"):
        Client(tmp_path / "nothing").ask(QUESTION)
    with pytest.raises(NotFound, match="There is no file"):
        Client(tmp_path / "nothing").ingest("nothing.pdf")
    assert not (tmp_path / "nothing").exists()


def test_an_address_where_nobody_listens_is_told() -> None:
    with pytest.raises(Unavailable, match="cannot be reached"):
        Client(f"http://127.0.0.1:{free_port()}").ask(QUESTION)


def test_a_service_that_does_not_answer_in_time_is_told(client: Client, folder: Path) -> None:
    client.documents()
    with Client(folder, timeout=1e-4) as hasty, pytest.raises(TimedOut, match="did not answer in time"):
        hasty.ask(QUESTION)


class _Other(BaseHTTPRequestHandler):
    """Some other server, which answers everything with a page."""

    def do_POST(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<p>Welcome</p>")

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


def test_an_address_of_something_else_is_told() -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Other) as server:
        Thread(target=server.serve_forever).start()
        try:
            with Client(f"http://127.0.0.1:{server.server_port}") as client:
                with pytest.raises(Unavailable, match="may be no ProvGraph service"):
                    client.ask(QUESTION)
                with pytest.raises(Unavailable):
                    list(client.ask_events(QUESTION))
        finally:
            server.shutdown()


def test_an_ingest_that_is_left_is_cancelled(url: str, tmp_path: Path) -> None:
    lines = (f"Person {number} founded Company {number} in {1700 + number % 300}." for number in range(3000))
    (tmp_path / "long.txt").write_text("\n\n".join(lines))
    with Client(url, token=TOKEN) as client:
        job = ""
        for step in client.ingest_events(tmp_path / "long.txt"):
            job = step.job
            break
        reply = httpx2.get(f"{url}/api/v1/jobs/{job}", headers={"Authorization": f"Bearer {TOKEN}"}, **DIRECT)
        assert reply.json()["state"] == "cancelled"


def test_the_package_is_imported_without_the_client() -> None:
    code = "import sys, provgraph; print('httpx2' in sys.modules, provgraph.Client.__name__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False Client\n"
