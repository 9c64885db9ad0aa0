"""Text that makes work grow faster than itself."""

from __future__ import annotations

import json

import pytest

from attack.attacked import Attacked, finished, others_go_on
from attack.grown import FILES

SHORT_SENTENCES = " ".join(f"Curie found item{number}." for number in range(254))


def test_equal_records_cost_what_one_costs(service: Attacked) -> None:
    lines = (json.dumps({"text": "Marie Curie discovered radium."}) + "\n") * 600
    with others_go_on(service):
        sent = service.client.post("/api/v1/documents", files={"file": ("equal.jsonl", lines.encode())})
        assert finished(service.client, sent.json()["id"])["state"] == "done"


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
    "name", ["columns.md", "columns.csv", "deep.jsonl", "line.jsonl", "nested.html", "spans.html"]
)
def test_a_file_of_nothing_but_structure_holds_nobody_up(service: Attacked, name: str) -> None:
    with others_go_on(service):
        sent = service.client.post("/api/v1/documents", files={"file": (name, FILES[name](60_000))})
        if sent.status_code == 202:
            finished(service.client, sent.json()["id"])
