"""TrustGraph's own commands, unmodified, against a service: what they print is what the store holds."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from e2e.commands import PATIENCE_S, Serving, run
from e2e.trustgraph_client import TrustGraphClient, programs

pytestmark = pytest.mark.slow

CURIE = """# The Curies

Marie Curie discovered polonium in 1898. She was born in Warsaw.
Pierre Curie discovered polonium with Marie Curie.
"""
MEITNER = "Lise Meitner discovered protactinium in 1917. She worked in Berlin.\n"
QUESTION = "Who discovered polonium?"
DOCUMENT = "https://example.org/curie"
TURTLE = """@prefix ex: <https://example.org/> .
ex:ada ex:wrote ex:notes ; ex:born 1815 ; ex:name "Ada"@en ; ex:lived [ ex:city "London" ] .
"""
DISCOVERED_BY = "https://trustgraph.ai/ns/relation/discovered-by"
POLONIUM, MARIE = "http://trustgraph.ai/e/polonium", "http://trustgraph.ai/e/marie%20curie"


@pytest.fixture(scope="module")
def tg(empty_service: Serving, tmp_path_factory: pytest.TempPathFactory) -> TrustGraphClient:
    """The client, and a service that has read one document."""
    paper = tmp_path_factory.mktemp("trustgraph") / "curie.md"
    paper.write_text(CURIE)
    run("ingest", "--url", empty_service.url, "--id", DOCUMENT, paper)
    return TrustGraphClient(programs(), empty_service.url, empty_service.token)


@pytest.fixture(scope="module")
def question(tg: TrustGraphClient) -> str:
    """A question that was asked, by its IRI."""
    asked = tg("tg-invoke-graph-rag", "-x", "-q", QUESTION)
    found = re.search(r"\[question\] (\S+)", asked.err)
    assert found, asked
    return found[1]


def processed(tg: TrustGraphClient, name: str) -> str:
    """The processings, once the named one has ended."""
    for _ in range(PATIENCE_S):
        shown = tg("tg-show-library-processing").out
        if f"| {name} " in shown and "running" not in shown:
            return shown
    raise AssertionError(shown)


def test_a_question_is_answered_with_its_sources(tg: TrustGraphClient) -> None:
    asked = tg("tg-invoke-graph-rag", "-q", QUESTION)
    assert asked.out.startswith("Marie Curie discovered polonium in 1898.")
    assert asked.err == f"Sources:\n  - The Curies ({DOCUMENT})\n"


def test_each_step_of_an_answer_is_shown_once_and_with_its_labels(tg: TrustGraphClient) -> None:
    asked = tg("tg-invoke-graph-rag", "-x", "-q", QUESTION)
    steps = re.findall(r"^  \[(\w+)\]", asked.err, re.MULTILINE)
    assert steps == ["question", "grounding", "exploration", "focus", "synthesis"]
    assert f"Query: {QUESTION}" in asked.err
    assert re.search(r"Time: 20\d\d-\d\d-\d\dT", asked.err)
    assert "Edge: (polonium, was discovered by, Marie Curie)" in asked.err
    assert re.search(r"Concept: \w+  Score: 0\.\d{4}", asked.err)


def test_a_question_without_an_answer_is_refused(tg: TrustGraphClient) -> None:
    assert (
        tg("tg-invoke-graph-rag", "-q", "What is the airspeed of a swallow?").out.strip()
        == "No answer found."
    )


def test_what_would_narrow_an_answer_is_refused_and_not_passed_over(tg: TrustGraphClient) -> None:
    asked = tg("tg-invoke-graph-rag", "-q", QUESTION, "--languages", '["de"]')
    assert "not provided here" in asked.out


def test_a_trace_is_shown_down_to_its_document(tg: TrustGraphClient, question: str) -> None:
    shown = tg("tg-show-explain-trace", "--show-provenance", question).out
    assert f"=== GraphRAG Session: {question} ===" in shown
    assert "(polonium, was discovered by, Marie Curie)" in shown
    assert "Source: Facts -> Chunk 1 -> Page 1 -> The Curies" in shown
    assert (
        "(polonium, was discovered or invented in, 1898)" in shown
    )  # a typed literal, asked for by its text alone
    assert shown.count("Source: ") == shown.count("Score: ")
    assert "Answer:\n  Marie Curie discovered polonium in 1898." in shown


def test_past_questions_are_listed_each_once_and_by_collection(tg: TrustGraphClient, question: str) -> None:
    listed = json.loads(tg("tg-list-explain-traces", "--format", "json").out)
    assert [trace["id"] for trace in listed].count(question) == 1
    assert all(trace["question"] and trace["time"] for trace in listed)
    times = [trace["time"].removesuffix("Z") for trace in listed]
    assert times == sorted(times, reverse=True)
    tg("tg-set-collection", "never-asked")
    assert tg("tg-list-explain-traces", "-C", "never-asked").out == "No explainability sessions found.\n"


def test_a_question_to_the_documents_is_answered_and_traced(tg: TrustGraphClient) -> None:
    assert tg("tg-invoke-document-rag", "-q", QUESTION).out.startswith(
        "Marie Curie discovered polonium in 1898."
    )
    asked = tg("tg-invoke-document-rag", "-x", "-q", QUESTION)
    steps = re.findall(r"^  \[(\w+)\] (\S+)", asked.err, re.MULTILINE)
    assert [step for step, _ in steps] == ["question", "grounding", "exploration", "synthesis"]
    assert "Chunks retrieved: 1" in asked.err
    shown = tg("tg-show-explain-trace", steps[0][1]).out
    assert "=== DocRAG Session: urn:trustgraph:docrag:" in shown
    assert "Retrieved 1 chunks from document store" in shown
    assert "Answer:\n  Marie Curie discovered polonium in 1898." in shown
    assert "DocRAG" in tg("tg-list-explain-traces").out


def test_a_document_is_shown_down_to_its_facts(tg: TrustGraphClient) -> None:
    shown = tg("tg-show-extraction-provenance", "--show-content", DOCUMENT).out
    assert shown.startswith(f'Document: {DOCUMENT}\n  Title: "The Curies"\n  Type: text/markdown\n')
    assert "Page: Page 1" in shown
    assert "Chunk: Chunk 1" in shown
    assert "Edge: (polonium, discovered-by, marie%20curie)" in shown
    assert 'Content: "# The Curies"' in shown


def test_the_graph_is_queried_by_any_part_of_a_triple(tg: TrustGraphClient) -> None:
    fact = f"{POLONIUM} {DISCOVERED_BY} {MARIE}"
    for part in (("-s", POLONIUM), ("-p", DISCOVERED_BY), ("-o", MARIE)):
        assert fact in tg("tg-query-graph", *part).out
    contains = tg("tg-query-graph", "-o", f"<<{fact}>>", "-g", "urn:graph:source", "--format", "jsonl").out
    assert {
        json.loads(line)["p"]["i"].rpartition("/")[2].rpartition("#")[2] for line in contains.splitlines()
    } == {
        "contains",
        "reifies",
    }
    partly = tg("tg-query-graph", "--qt-subject", POLONIUM, "-p", "https://trustgraph.ai/ns/contains").out
    assert "1898" in partly
    assert tg("tg-query-graph", "-s", "urn:nothing").out == ""


def test_the_whole_graph_is_shown_and_written_as_turtle(tg: TrustGraphClient) -> None:
    everything = tg("tg-show-graph").out.splitlines()
    source = tg("tg-show-graph", "-g", "urn:graph:source", "--show-graph").out.splitlines()
    assert 0 < len(source) < len(everything)
    assert all(line.startswith("[urn:graph:source]") for line in source)
    knowledge = tg("tg-show-graph", "-g", "", "--show-graph").out.splitlines()
    assert all(line.startswith("[(default)]") for line in knowledge)
    turtle = tg("tg-graph-to-turtle", "-l", "40").out
    assert "@prefix" in turtle
    assert '"1898"^^xsd:gYear' in turtle


def sparql(tg: TrustGraphClient, query: str) -> Any:
    return json.loads(tg("tg-invoke-sparql-query", "--format", "json", "-q", query).out)


def test_sparql_knows_graphs_paths_and_triple_terms(tg: TrustGraphClient) -> None:
    prefixes = "PREFIX tg: <https://trustgraph.ai/ns/> PREFIX prov: <http://www.w3.org/ns/prov#>"
    path = "?s tg:contains ?f ; prov:wasDerivedFrom+ ?d . ?d a tg:Document"
    chain = f"{prefixes} SELECT ?d WHERE {{ GRAPH <urn:graph:source> {{ {path} }} }} LIMIT 1"
    assert sparql(tg, chain) == [{"d": DOCUMENT}]
    term = f"{prefixes} SELECT ?f WHERE {{ ?s tg:contains ?f FILTER (PREDICATE(?f) = <{DISCOVERED_BY}>) }} LIMIT 1"
    (found,) = sparql(tg, term)
    assert f"<{DISCOVERED_BY}>" in found["f"]
    assert tg("tg-invoke-sparql-query", "-q", "ASK { ?s ?p ?o }").out == "true\n"
    built = tg("tg-invoke-sparql-query", "-q", f"CONSTRUCT WHERE {{ ?s <{DISCOVERED_BY}> ?o }}").out
    assert f"<{POLONIUM}> <{DISCOVERED_BY}> <{MARIE}> ." in built
    assert "ends too early" in tg("tg-invoke-sparql-query", "-q", "SELECT").err
    assert "only reads" in tg("tg-invoke-sparql-query", "-q", "DELETE WHERE { ?s ?p ?o }").err


def test_loading_turtle_twice_is_loading_it_once(tg: TrustGraphClient, tmp_path: Path) -> None:
    (tmp_path / "ada.ttl").write_text(TURTLE)
    load = ("tg-load-turtle", "-i", "https://example.org/ada-file", tmp_path / "ada.ttl")
    assert "File loaded." in tg(*load).out
    loaded = tg("tg-show-graph").out.splitlines()
    assert tg("tg-query-graph", "-s", "https://example.org/ada").out.count("\n") == 4
    assert "File loaded." in tg(*load).out
    assert sorted(tg("tg-show-graph").out.splitlines()) == sorted(loaded)
    shown = tg("tg-show-extraction-provenance", "https://example.org/ada-file").out
    assert "Edge: (ada, born, 1815)" in shown


def test_knowledge_is_loaded_with_its_contexts(tg: TrustGraphClient, tmp_path: Path) -> None:
    (tmp_path / "ada.ttl").write_text(TURTLE)
    loaded = tg(
        "tg-load-knowledge", "-C", "letters", "-i", "https://example.org/ada-file", tmp_path / "ada.ttl"
    ).out
    assert "Triples and entity contexts loaded." in loaded
    assert "1815" in tg("tg-query-graph", "-C", "letters", "-s", "https://example.org/ada").out


def test_a_document_is_handed_in_read_and_asked(tg: TrustGraphClient, tmp_path: Path) -> None:
    (tmp_path / "meitner.txt").write_text(MEITNER)
    name = "https://example.org/meitner"
    add = (
        "tg-add-library-document",
        "--name",
        "Meitner",
        "--description",
        "A note",
        "--tags",
        "physics,berlin",
    )
    assert "Loaded successfully." in tg(*add, "-k", "text/plain", "--id", name, tmp_path / "meitner.txt").out
    listed = tg("tg-show-library-documents").out
    for shown in (name, "Meitner", "A note", "physics, berlin", "text/plain", DOCUMENT, "The Curies"):
        assert shown in listed.replace("berlin, physics", "physics, berlin")
    assert tg("tg-get-document-content", name).out == f"{MEITNER}\n"
    assert "protactinium" not in tg("tg-show-graph", "-g", "").out
    tg("tg-start-library-processing", "-d", name, "--id", "p1", "--collection", "physics")
    assert "| done" in processed(tg, "p1")
    asked = tg("tg-invoke-graph-rag", "-C", "physics", "-q", "Who discovered protactinium?").out
    assert asked.startswith("Lise Meitner discovered protactinium in 1917.")


def test_a_removed_document_is_gone_with_all_that_was_read_from_it(
    tg: TrustGraphClient, tmp_path: Path
) -> None:
    (tmp_path / "hahn.txt").write_text("Otto Hahn discovered radiothorium in 1905.\n")
    name = "https://example.org/hahn"
    tg("tg-add-library-document", "--name", "Hahn", "-k", "text/plain", "--id", name, tmp_path / "hahn.txt")
    for processing, collection in (("h1", "default"), ("h2", "chemistry")):
        tg("tg-start-library-processing", "-d", name, "--id", processing, "--collection", collection)
        processed(tg, processing)
    assert "radiothorium" in tg("tg-show-graph", "-C", "chemistry").out
    assert tg("tg-remove-library-document", "--id", name).status == 0
    assert name not in tg("tg-show-library-documents").out
    assert "404" in tg("tg-get-document-content", name).out
    assert "| h1 " not in tg("tg-show-library-processing").out
    for collection in ("default", "chemistry"):
        assert "radiothorium" not in tg("tg-show-graph", "-C", collection, "-g", "").out
    assert "Otto Hahn" not in tg("tg-invoke-document-rag", "-q", "Who discovered radiothorium?").out
    assert "has no document" in tg("tg-remove-library-document", "--id", name).out


def test_a_document_that_cannot_be_read_says_so_among_its_tags(tg: TrustGraphClient, tmp_path: Path) -> None:
    (tmp_path / "scan.pdf").write_bytes(b"%PDF-1.7 nothing")
    name = "https://example.org/scan"
    tg(
        "tg-add-library-document",
        "--name",
        "Scan",
        "-k",
        "application/pdf",
        "--id",
        name,
        tmp_path / "scan.pdf",
    )
    tg("tg-start-library-processing", "-d", name, "--id", "broken")
    assert "failed: " in processed(tg, "broken")
    tg("tg-stop-library-processing", "--id", "broken")
    assert "broken" not in tg("tg-show-library-processing").out
    missing = tg("tg-start-library-processing", "-d", "https://example.org/none", "--id", "p2").out
    assert "The library has no document https://example.org/none" in missing


def test_a_large_document_comes_in_parts(tg: TrustGraphClient, tmp_path: Path) -> None:
    text = "Nothing is said here. " * 200_000
    (tmp_path / "long.txt").write_text(text)
    name = "https://example.org/long"
    tg("tg-add-library-document", "--name", "Long", "-k", "text/plain", "--id", name, tmp_path / "long.txt")
    assert "Written" in tg("tg-get-document-content", "-o", tmp_path / "back.txt", name).out
    assert (tmp_path / "back.txt").read_text() == text


def test_a_name_stands_for_one_content(tg: TrustGraphClient, tmp_path: Path) -> None:
    (tmp_path / "other.txt").write_text("Something else.")
    added = tg("tg-add-library-document", "-k", "text/plain", "--id", DOCUMENT, tmp_path / "other.txt")
    assert "already stands for a document with other content" in added.out


def test_collections_are_made_described_and_removed(tg: TrustGraphClient) -> None:
    tg("tg-set-collection", "-n", "Papers", "-d", "What we read", "-t", "x", "-t", "y", "papers")
    shown = tg("tg-list-collections").out
    assert re.search(r"\| papers +\| Papers +\| What we read +\| x, y", shown)
    tg("tg-set-collection", "-d", "All we read", "papers")
    assert re.search(
        r"\| papers +\| Papers +\| All we read +\| x, y", tg("tg-list-collections", "-t", "x").out
    )
    assert "deleted successfully" in tg("tg-delete-collection", "-y", "papers").out
    assert "papers" not in tg("tg-list-collections").out


def test_the_system_is_found_healthy_as_far_as_it_is_the_same(tg: TrustGraphClient) -> None:
    checked = tg(
        "tg-verify-system-status",
        "--skip-ui",
        "--min-processors",
        "5",
        "--global-timeout",
        "20",
        "--retry-delay",
        "1",
    )
    assert checked.status == 0, checked.out
    assert re.search(r"\| id +\| default", tg("tg-show-flows").out)


def test_a_wrong_address_of_a_thing_is_told_in_a_sentence(tg: TrustGraphClient) -> None:
    assert "There is no collection 'none'" in tg("tg-invoke-graph-rag", "-C", "none", "-q", QUESTION).out
    assert "404" in tg("tg-get-document-content", "urn:none").out
