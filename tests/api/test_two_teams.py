"""Two teams share one service, and each is answered from its own documents only."""

from __future__ import annotations

import pytest

from api.two_teams import SharedService, Team

pytestmark = pytest.mark.asyncio


async def test_each_team_is_answered_from_its_own_documents(red: Team, blue: Team) -> None:
    of_red, of_blue = await red.ask(), await blue.ask()
    assert "Heron" in of_red["response"]
    assert "Kestrel" not in str(of_red)
    assert "Kestrel" in of_blue["response"]
    assert "Heron" not in str(of_blue)


async def test_documents_of_others_are_not_listed(shared: SharedService, red: Team) -> None:
    assert {each["source"] for each in await red.get("/api/v1/documents")} == {"red.txt", "both.txt"}
    assert len(await shared.admin.get("/api/v1/documents")) == 3


async def test_a_trace_names_who_asked_and_over_what(shared: SharedService, red: Team) -> None:
    answered = await red.ask()
    trace = await shared.admin.client.get(
        "/api/v1/traces/" + answered["session"], headers={"Accept": "text/turtle"}
    )
    assert "urn:trustgraph:principal:ada" in trace.text
    assert "urn:trustgraph:view:" in trace.text


async def test_readers_of_a_document_that_is_not_there_are_refused(shared: SharedService) -> None:
    body = {"documents": ["nothing.txt"], "readers": ["red"]}
    answer = await shared.admin.client.put("/api/v1/documents/readers", json=body)
    assert answer.status_code == 404
    assert "nothing.txt" in answer.json()["detail"]
