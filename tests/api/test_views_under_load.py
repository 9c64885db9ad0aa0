"""Many ask at once while documents and rules change: nobody is answered from what is hidden, and nothing fails."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from api.two_teams import QUESTION, Team, shared_service

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]


async def test_rules_change_while_many_ask(tmp_path: Path) -> None:
    async with shared_service(tmp_path / "data") as shared:
        red = await shared.team("ada", groups=["red"])
        blue = await shared.team("ben", groups=["blue"])

        async def asks(team: Team, hidden: str) -> list[str]:
            found = []
            for _ in range(4):
                answer = await team.client.post("/api/v1/graph-rag", json={"query": QUESTION})
                found.append(f"{answer.status_code} {hidden in answer.text}")
                listed = await team.client.get("/api/v1/documents")
                found.append(f"{listed.status_code} {hidden.lower() in listed.text.casefold()}")
            return found

        async def changes() -> None:
            for number in range(3):
                await shared.ingest(
                    f"Ida Holm lives in Turin since {1950 + number}.\n", f"{number}.txt", "red"
                )
                body = {"documents": ["both.txt"], "readers": ["blue"] if number % 2 else []}
                await shared.admin.client.put("/api/v1/documents/readers", json=body)

        *answers, _ = await asyncio.gather(
            asks(red, "Kestrel"), asks(red, "Kestrel"), asks(blue, "Heron"), asks(blue, "Heron"), changes()
        )
        assert {each for found in answers for each in found or ()} == {"200 False"}
