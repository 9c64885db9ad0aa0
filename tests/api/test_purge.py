"""Old traces go, with everything that is of them; what remains says so."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pyoxigraph import NamedNode

from api.running import Running, running
from api.test_archives_over_http import findings, whole_store
from provgraph.checking.shapes import shape_violations
from provgraph.errors import Unavailable
from provgraph.ports.quad_store import QuadPattern
from provgraph.rdf.graphs import retrieval_graph
from provgraph.rdf.iris import SessionNames
from provgraph.rdf.vocabulary import TG
from provgraph.traces.removal import TracePurge


async def purge(service: Running, older_than: str, **query: str) -> dict[str, object]:
    answer = await service.client.delete("/api/v1/traces", params={"older_than": older_than, **query})
    assert answer.status_code == 200, answer.text
    done: dict[str, object] = answer.json()
    return done


async def test_sessions_before_a_time_go_with_their_answers_and_the_others_stay(informed: Running) -> None:
    old = await informed.ask()
    between = datetime.now(UTC)
    new = await informed.ask("Who discovered the proton?")
    done = await purge(informed, between.isoformat())
    assert done["sessions"] == 1
    uuid = old["session"].rpartition(":")[2]
    assert [line for line in await whole_store(informed) if uuid in line] == []
    gone = await informed.client.get(
        "/api/v1/documents/content", params={"id": f"urn:trustgraph:answer:{uuid}"}
    )
    assert gone.status_code == 404
    assert (await informed.get(f"/api/v1/traces/{new['session']}"))["answer"]["text"] == new["response"]
    assert await findings(informed) == []


async def test_a_record_remains_that_says_how_many_and_before_when(informed: Running) -> None:
    await informed.ask()
    await informed.ask()
    done = await purge(informed, "0h")
    (found,) = await informed.assembly.store.match([QuadPattern(NamedNode(str(done["purge"])))])
    said = {quad.predicate: quad.object for quad in found}
    assert said[TG.purged_sessions].value == "2"  # type: ignore[union-attr]
    assert TG.purging not in said
    (traces,) = await informed.assembly.store.match([QuadPattern(graph=retrieval_graph())])
    assert shape_violations(traces) == []
    assert await informed.get("/api/v1/traces") == []


async def test_a_dry_run_and_a_purge_of_nothing_change_nothing(informed: Running) -> None:
    await informed.ask()
    before = await whole_store(informed)
    assert (await purge(informed, "0h", dry_run="true"))["sessions"] == 1
    assert (await purge(informed, "30d")) | {"before": ""} == {
        "before": "",
        "sessions": 0,
        "oldest": None,
        "newest": None,
        "dry_run": False,
        "purge": None,
    }
    assert await whole_store(informed) == before


async def test_purging_twice_is_purging_once(informed: Running) -> None:
    await informed.ask()
    await purge(informed, "0h")
    before = await whole_store(informed)
    assert (await purge(informed, "0h"))["sessions"] == 0
    assert await whole_store(informed) == before


class Crashing:
    """Library removals of which the second one fails, as where a process ends between the two."""

    def __init__(self, library: object) -> None:
        self._library = library
        self._drops = 0

    async def drop(self, collection: str, node: NamedNode) -> None:
        self._drops += 1
        if self._drops == 2:
            raise Unavailable("The process ends.")
        await self._library.drop(collection, node)  # type: ignore[attr-defined]

    def __getattr__(self, name: str) -> object:
        return getattr(self._library, name)


async def test_a_purge_that_a_crash_cuts_off_is_finished_at_the_next_start(data: Path) -> None:
    async with running(data) as service:
        for _ in range(3):
            asked = await service.ask()
        made = service.assembly
        crashing = replace(made.traces, library=Crashing(made.library))  # type: ignore[arg-type]
        now = datetime.now(UTC) + timedelta(seconds=1)
        with pytest.raises(Unavailable):
            await TracePurge(made.store, crashing, lambda: now).purge(now)
        assert len(await service.get("/api/v1/traces")) == 2
    async with running(data) as service:
        assert await service.get("/api/v1/traces") == []
        names = SessionNames(asked["session"].rpartition(":")[2])
        assert await service.assembly.library.holds("explainability", [names.answer_text]) == [False]
        (left,) = await service.assembly.store.match([QuadPattern(None, TG.purging)])
        assert left == []
        assert await findings(service) == []


@pytest.mark.parametrize("older_than", ["", "30", "d", "-1d", "999999w", "yesterday", "30d; DROP"])
async def test_what_is_no_age_is_told(informed: Running, older_than: str) -> None:
    await informed.ask()
    answer = await informed.client.delete("/api/v1/traces", params={"older_than": older_than})
    assert answer.status_code == 400
    assert "30d" in answer.json()["detail"]
    assert len(await informed.get("/api/v1/traces")) == 1
