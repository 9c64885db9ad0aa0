"""The short form of the crash suite; `python -m crash` in the folder of the tests is the long one."""

from __future__ import annotations

from pathlib import Path

import pytest

from crash.corpus import townsfolk
from crash.disturbing import Pace
from crash.suite import Plan, crashed
from servers.openai_server import OpenAIServer

pytestmark = pytest.mark.slow

PLAN = Plan(
    documents=3,
    sentences=10,
    workers=2,
    kills=5,
    pace=Pace(between_s=0.6, dead_s=0.4),
    seed=3868,
    patience_s=180,
)
"""This seed kills a worker, the gateway, the store and the broker, and cuts the network to the broker."""


def test_an_ingest_whose_parts_die_comes_to_what_an_undisturbed_one_comes_to(
    tmp_path: Path, model_server: OpenAIServer
) -> None:
    model_server.answer(townsfolk(delay_s=0.05))
    said: list[str] = []
    outcome = crashed(PLAN, tmp_path, model_server, said.append)
    assert set(outcome.kills) == {"worker-0", "gateway", "store", "broker", "network-to-broker"}
    assert {job["state"] for job in outcome.jobs} == {"done"}, outcome.jobs
    assert (outcome.lost, outcome.extra, outcome.dead) == ([], [], [])
    assert sum(len(job["documents"]) for job in outcome.jobs) == 2 * PLAN.documents
    assert outcome.quads > 1_000
