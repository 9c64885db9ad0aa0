"""Ways of asking that go by what is alike, apart: a service without indexes answers as one process does."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Final

import httpx2
import pytest

from api.running import PROBLEM, Running, listening, settings
from provgraph.assembly import assemble
from provgraph.roles import Role
from servers.direct import DIRECT
from servers.oxigraph_server import OxigraphServer

CONTRACT: Final = """# Supply Agreement

## 3. Delivery

3.1 The Supplier shall:

(a) deliver the Goods within 30 days of the Order Date;

(b) insure the Goods for at least EUR 50,000 until delivery.

3.2 Risk in the Goods passes to the Buyer on delivery.
"""
AMENDED: Final = CONTRACT.replace("30 days", "45 days")
KGQA, RESEARCH, PAPERS = "/api/v1/kgqa", "/api/v1/research", "/api/v1/research/papers"
ON_CLAUSES: Final = {"query": "Witin how mny days must the Suplier delivr the Goods?"}
ON_PAPERS: Final = {"query": "When does risk in the Goods pass to the Buyer?", "method": "vector"}


async def told(client: httpx2.AsyncClient, reader: Running) -> list[Any]:
    """What is answered and why, as `reader` has it on record, and which papers are alike; without names of sessions."""
    found: list[Any] = []
    for path, question in ((KGQA, ON_CLAUSES), (RESEARCH, ON_PAPERS)):
        answer = await client.post(path, json=question)
        assert answer.status_code == 200, answer.text
        said = answer.json()
        trace = await reader.get(f"/api/v1/traces/{said['session'].rpartition(':')[2]}")
        reasons = [each["reasoning"] for each in (*trace["selected"], *trace["selected_chunks"])]
        found.append((said["outcome"], said["response"], reasons, trace["entities"], trace["warnings"]))
    papers = await client.get(PAPERS)
    assert papers.status_code == 200, papers.text
    return [*found, papers.json()]


async def calls(finding: Running) -> dict[str, int]:
    """How often what is alike was asked for, by what."""
    counted = (await finding.client.get("/metrics")).text
    found = re.findall(r'provgraph_requests_total{.*route="[^"]*/likeness/(\w+)".*} ([\d.]+)', counted)
    return {what: int(float(count)) for what, count in found}


class Services:
    """Services over one store, started one by one; those of `stack` end with it."""

    def __init__(self, folder: Path, store: str, stack: AsyncExitStack) -> None:
        self.folder = folder
        self._shared = {"store_url": store, "library_url": f"file://{folder / 'library'}", "token": "one"}
        self.stack = stack

    async def serve(self, role: Role, name: str = "", **where: str) -> Running:
        assembly = assemble(settings(**self._shared, **where), self.folder / (name or role), role)
        app = assembly.app()
        url = await self.stack.enter_async_context(listening(app))
        client = httpx2.AsyncClient(
            base_url=url, headers={"Authorization": "Bearer one"}, timeout=60, **DIRECT
        )
        return Running(assembly, app, await self.stack.enter_async_context(client))

    def kept_by(self, name: str) -> set[str]:
        """What lies in the folder of one of them."""
        return {path.name for path in (self.folder / name).iterdir()}


@pytest.fixture
async def services(tmp_path: Path, oxigraph: OxigraphServer) -> AsyncIterator[Services]:
    async with AsyncExitStack() as stack:
        yield Services(tmp_path, oxigraph.url, stack)


@pytest.mark.slow
async def test_pairs_and_papers_are_answered_as_in_one_process_by_a_service_that_keeps_no_index(
    services: Services,
) -> None:
    one = await services.serve(Role.ALL)
    for title, text in (("Supply", CONTRACT), ("Supply, amended", AMENDED)):
        name = f"{title}.md"
        assert (await one.ingest(text, title=title, name=name))["state"] == "done"
    pairs = await one.client.post(f"{KGQA}/build", json={})
    assert (await one.finished(pairs.json()["id"]))["state"] == "done"
    together = await told(one.client, one)
    assert [outcome for outcome, *_ in together[:2]] == ["answered", "answered"]
    assert "node likeness" in together[0][2][0]
    assert len(together[2]["likenesses"]) == 1

    finding = await services.serve(Role.RETRIEVAL)
    where = str(finding.client.base_url)
    answering = await services.serve(Role.GRAPH_RAG, retrieval_url=where)
    assert await told(answering.client, one) == together
    assert await calls(finding) == {"nodes": 1, "texts": 1, "documents": 1}
    assert {"index", "vectors"} <= services.kept_by(Role.RETRIEVAL)
    assert services.kept_by(Role.GRAPH_RAG).isdisjoint({"index", "vectors", "store", "library"})

    stranger = await finding.client.post(
        "/internal/v1/retrieval/likeness/texts", json={}, headers={"Authorization": "Bearer two"}
    )
    assert stranger.status_code == 401

    alone = await services.serve(Role.GRAPH_RAG, "alone", retrieval_url="http://127.0.0.1:1")
    for refused in (await alone.client.post(KGQA, json=ON_CLAUSES), await alone.client.get(PAPERS)):
        assert refused.status_code == 503
        assert refused.headers["content-type"] == PROBLEM
        assert "The retrieval service at http://127.0.0.1:1" in refused.json()["detail"]
        assert "'provgraph serve retrieval'" in refused.json()["detail"]
