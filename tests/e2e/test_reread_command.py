"""A folder that an older version wrote: it is whole, says by what it was read, and is read again on one command."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from pathlib import Path

import pytest

from api.running import running
from e2e.commands import invoke
from provgraph.extraction.extractors import ChosenExtractors
from provgraph.extraction.facts import Entity, Fact, Passage
from provgraph.ingestion.planning import SourceFile

pytestmark = pytest.mark.slow


class OlderReader:
    name = "propositions"
    version = "1+provgraph/english-0"

    def extract(self, passage: Passage) -> Sequence[Fact]:
        return [
            Fact(
                Entity("Marie Curie"), "was a child of", Entity("Warsaw"), 0.8, 0, passage.text.index(".") + 1
            )
        ]


async def written_by_an_older_version(data: Path) -> None:
    async with running(data) as service:
        file = SourceFile("births.txt", b"Marie Curie was born in Warsaw.", title="Births")
        read = service.assembly.ingestion.ingest([file], "default", ChosenExtractors((OlderReader(),)))
        async with aclosing(read) as events:
            assert [event async for event in events]


def test_an_older_folder_is_brought_up_to_date_and_is_whole_before_and_after(tmp_path: Path) -> None:
    data = tmp_path / "data"
    asyncio.run(written_by_an_older_version(data))
    assert invoke("check", "--all", "--data", data).exit_code == 0
    shown = invoke("document", "Births", "--data", data).stdout
    assert "read by an older version: propositions 1+provgraph/english-0" in shown
    told = invoke("collection", "default", "--data", data).stdout
    assert "read by propositions 1+provgraph/english-0: 1 document, 1 chunk; outdated" in told

    done = invoke("ingest", "--reread", "--data", data)
    assert done.exit_code == 0, done.output
    assert "1 older reading retired." in done.stdout
    shown = invoke("document", "Births", "--data", data).stdout
    assert "(Marie Curie, was born in, Warsaw)" in shown
    assert "older version" not in shown
    assert "outdated" not in invoke("collection", "default", "--data", data).stdout
    assert invoke("check", "--all", "--data", data).exit_code == 0
    assert "already" in invoke("ingest", "--reread", "--data", data).stderr


def test_reread_goes_without_paths(tmp_path: Path) -> None:
    done = invoke("ingest", "--reread", tmp_path, "--data", tmp_path / "data")
    assert done.exit_code != 0
    assert "--reread reads what is stored" in done.output
