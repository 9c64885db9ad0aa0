"""The load suite in its short form; `python -m load.suite` is the long one."""

from __future__ import annotations

from pathlib import Path

import pytest

from e2e.commands import serving
from load import suite
from load.clients import Clients, Faulty

pytestmark = pytest.mark.slow


async def test_no_stream_is_dropped_mixed_up_or_starved_also_while_documents_are_read_in(
    tmp_path: Path,
) -> None:
    with serving(tmp_path / "data") as service:
        clients = Clients.of(service.url)
        await clients.teach(range(40))
        told = await suite.streams(clients, taught=40, count=100, rounds=1, pids=[service.process.pid])
        assert told.figures["streams"] == 100
        reading = await clients.submit([suite._long(number) for number in range(4)])
        await clients.at_once(range(10))
        await clients.finished(reading)
        with pytest.raises(Faulty):
            await clients.stream(50)
        await clients.client.aclose()
