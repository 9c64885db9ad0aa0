"""What a name means is told by the sentence that defines it, not by one that mentions it, nor by cells beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from api.running import running

TEXT = """# Parsers

Kestrel was trained for days. We use Heron vectors with Kestrel. We present Kestrel, a parser that reads tables.

| Parser | Trees | Score |
|---|---|---|
| Kestrel | 12 | 71 |
| Osprey | 9 | 64 |
"""


async def test_a_definition_is_told_before_a_mention_and_cells_are_none(tmp_path: Path) -> None:
    async with running(tmp_path) as service:
        await service.ingest(TEXT, title="Parsers")

        async def asked(question: str) -> dict[str, Any]:
            reply = await service.client.post("/api/v1/graph-rag", json={"query": question})
            return dict(reply.json())

        defined = "We present Kestrel, a parser that reads tables."
        assert (await asked("What is Kestrel?"))["response"].endswith(defined)
        assert (await asked("What is Osprey?"))["short_answer"] is None
        assert (await asked("What is the score of Osprey?"))["short_answer"]["text"] == "64"
