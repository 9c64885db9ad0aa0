"""What a name means is told by the sentence that defines it, not by one that mentions it, nor by cells beside it."""

from __future__ import annotations

from pathlib import Path

from api.running import running

TEXT = """# Parsers

Kestrel was trained for three days. We use Heron embeddings with Kestrel. We present Kestrel, a parser that reads tables.

| Parser | Trees | Score |
|---|---|---|
| Kestrel | 12 | 71 |
| Osprey | 9 | 64 |
"""


async def test_a_definition_is_told_before_a_mention_and_cells_are_none(tmp_path: Path) -> None:
    async with running(tmp_path) as service:
        await service.ingest(TEXT, title="Parsers")

        async def told(question: str) -> str:
            reply = await service.client.post("/api/v1/graph-rag", json={"query": question})
            return str(reply.json()["response"])

        assert (await told("What is Kestrel?")).endswith("We present Kestrel, a parser that reads tables.")
        assert "9" not in await told("What is Osprey?")
        assert (await told("What is the score of Osprey?")).startswith("64")
