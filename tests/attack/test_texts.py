"""Text that makes work grow faster than itself."""

from __future__ import annotations

import json

import pytest

from attack.attacked import Attacked, finished, others_go_on
from attack.grown import FILES, WORDS

SHORT_SENTENCES = " ".join(f"Curie found item{number}." for number in range(254))


def test_equal_records_cost_what_one_costs(service: Attacked) -> None:
    lines = (json.dumps({"text": "Marie Curie discovered radium."}) + "\n") * 150
    with others_go_on(service):
        sent = service.client.post("/api/v1/documents", files={"file": ("equal.jsonl", lines.encode())})
        assert finished(service.client, sent.json()["id"])["state"] == "done"


def test_an_answer_does_not_grow_with_the_rows_that_say_the_same(service: Attacked) -> None:
    rows = "name,year\n" + "Becquerel,1896\n" * 2000
    sent = service.client.post("/api/v1/documents", files={"file": ("rows.csv", rows.encode())})
    assert finished(service.client, sent.json()["id"])["state"] == "done"
    with others_go_on(service):
        told = service.client.post("/api/v1/graph-rag", json={"query": "Becquerel"})
    assert "1896" in told.json()["response"]
    assert len(told.content) < 200_000


def test_a_claim_of_many_sentences_is_refused(service: Attacked) -> None:
    with others_go_on(service):
        told = service.client.post("/api/v1/verify", json={"claim": SHORT_SENTENCES})
        assert told.status_code == 413, told.text
        assert "limit is 1,000" in told.json()["detail"]


def test_the_longest_claim_holds_nobody_up(service: Attacked) -> None:
    with others_go_on(service):
        told = service.client.post("/api/v1/verify", json={"claim": SHORT_SENTENCES[:1000]})
        assert told.status_code == 200, told.text


@pytest.mark.parametrize(
    "name",
    [
        "columns.md",
        "columns.csv",
        "deep.jsonl",
        "line.jsonl",
        "nested.html",
        "spans.html",
        "sections.html",
        "closed-headings.html",
        "one-heading.html",
        "ragged.csv",
    ],
)
def test_a_file_of_nothing_but_structure_holds_nobody_up(service: Attacked, name: str) -> None:
    with others_go_on(service):
        sent = service.client.post("/api/v1/documents", files={"file": (name, FILES[name](25_000))})
        if sent.status_code == 202:
            finished(service.client, sent.json()["id"])


@pytest.mark.parametrize("name", ["endless.txt", "many-names.txt", "aliases.txt", "ligatures.txt"])
def test_a_text_of_one_sentence_or_of_names_holds_nobody_up(service: Attacked, name: str) -> None:
    with others_go_on(service):
        sent = service.client.post("/api/v1/documents", files={"file": (name, FILES[name](20_000))})
        assert finished(service.client, sent.json()["id"])["state"] == "done"


def test_headings_by_the_ten_thousand_are_read_in_time(service: Attacked) -> None:
    """Fifteen thousand: with work that grew as its square a megabyte of them took minutes."""
    with others_go_on(service):
        content = FILES["closed-headings.html"](150_000)
        sent = service.client.post("/api/v1/documents", files={"file": ("headings.html", content)})
        assert finished(service.client, sent.json()["id"], within_s=90)["state"] == "done"


def test_a_small_file_does_not_wait_for_a_large_one_of_somebody_else(service: Attacked) -> None:
    large = service.client.post("/api/v1/documents", files={"file": ("a.csv", FILES["amounts.csv"](300_000))})
    small = service.client.post("/api/v1/documents", files={"file": ("b.txt", b"Otters eat fish.")})
    assert finished(service.client, small.json()["id"], within_s=20)["state"] == "done"
    path = f"/api/v1/jobs/{large.json()['id']}"
    assert service.client.get(path).json()["state"] == "running"
    service.client.delete(path)


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("numbers", "research"),
        ("other numbers", "extractive"),
        ("years", "graph-rag"),
        ("ands", "document-rag"),
        ("endless", "graph-rag"),
    ],
)
def test_a_question_of_many_hundred_words_holds_nobody_up(service: Attacked, name: str, path: str) -> None:
    with others_go_on(service):
        told = service.client.post(f"/api/v1/{path}", json={"query": WORDS[name](4_000)[:4_000]})
        assert told.status_code == 200, told.text


@pytest.mark.parametrize("path", ["graph-rag", "document-rag", "extractive", "research"])
@pytest.mark.parametrize(
    "question",
    [
        f"what happened to a{' ' * 4_000}b?",
        f"Is the{' ' * 2_000}open{' ' * 2_000}monday b",
        "who succeeded " + "Aa." * 1_300 + "?!x",
        "what is the ratio of " * 200,
    ],
    ids=["happened", "open", "succeeded", "ratio"],
)
def test_a_question_of_runs_holds_nobody_up(service: Attacked, path: str, question: str) -> None:
    with others_go_on(service):
        told = service.client.post(f"/api/v1/{path}", json={"query": question})
        assert told.status_code == 200, told.text[:1000]
