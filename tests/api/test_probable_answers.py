"""Where no short answer is likely enough, the sentence that probably holds it is the answer."""

from __future__ import annotations

from typing import Final

import pytest

from api.running import Running
from provgraph.derivation import answer, ranked_answers, read_openly

LEASE: Final = (
    "# Lease of 14 Quay Street\n\nThe term is five years and begins on 1 April 2022. The deposit of £6,450 lies with "
    "the Northgate Deposit Scheme until the end of the lease. No alcohol may be sold on the premises.\n"
)
QUESTION: Final = "With whom does the deposit lie?"
SENTENCE: Final = "The deposit of £6,450 lies with the Northgate Deposit Scheme until the end of the lease."


async def _nothing(*_: object) -> None:
    """No clause is read for the role that is asked for."""


async def test_its_sentence_is_quoted_and_nothing_short_is_claimed(
    service: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    await service.ingest(LEASE, name="lease.md")
    sure = await service.ask(QUESTION)
    assert sure["short_answer"]["text"] == "Northgate Deposit Scheme"
    monkeypatch.setattr(ranked_answers, "LEAST", 1.0)
    monkeypatch.setattr(ranked_answers, "MOST_JUDGED", 0)
    monkeypatch.setattr(read_openly, "LEAST", 1.1)
    monkeypatch.setattr(answer, "slot_told", _nothing)
    unsure = await service.ask(QUESTION)
    assert unsure["short_answer"] is None
    assert unsure["outcome"] == "answered"
    assert unsure["response"] == SENTENCE


async def test_a_question_to_one_document_is_shown_its_closest_sentences_where_none_answers(
    service: Running,
) -> None:
    await service.ingest(LEASE, name="lease.md")
    await service.ingest(
        "# A club\n\nThe club was founded in 1970. Its hall stands in Mill Lane.\n", name="club.md"
    )
    asked = "What do we have to hand over as security before we move in?"
    narrowed = await service.ask(asked, documents=["lease.md"])
    assert narrowed["outcome"] == "refused"
    assert narrowed["response"].startswith("No answer found. Closest passages: ")
    assert any(
        said in narrowed["response"] for said in ("The term is five years", "The deposit of", "No alcohol")
    )
    assert narrowed["short_answer"] is None
