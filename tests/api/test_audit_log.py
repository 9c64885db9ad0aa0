"""The audit log: what has to be kept is kept, and what was lawfully removed is no fault."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from api.two_teams import SharedService, Team
from provgraph.access.audit import AuditLog
from provgraph.errors import Forbidden

mcp = pytest.importorskip("mcp.server", reason="the extra 'mcp' is not installed")

pytestmark = pytest.mark.asyncio
BEGUN = datetime(2026, 1, 1, tzinfo=UTC)


class Calendar:
    def __init__(self) -> None:
        self.day = 0

    def __call__(self) -> datetime:
        return BEGUN + timedelta(days=self.day)


async def log_of(file: Path, calendar: Calendar, days: int) -> AuditLog:
    """With a line for each day."""
    log = AuditLog(file, kept_days=100, now=calendar)
    for day in range(days):
        calendar.day = day
        await log.record("ada", "ask", f"POST /{day}", 200)
    return log


async def test_old_lines_are_removed_and_the_rest_is_one_chain(tmp_path: Path) -> None:
    calendar = Calendar()
    log = await log_of(tmp_path / "audit.jsonl", calendar, 300)
    assert await log.prune(BEGUN + timedelta(days=50), "root") == 50
    assert await log.prune(BEGUN + timedelta(days=50), "root") == 0
    assert await log.prune(BEGUN + timedelta(days=150), "root") == 100
    await log.record("ben", "ask", "POST /after", 200)
    entries = await AuditLog(log.file).entries()
    assert [each.request for each in entries[:2]] == ["POST /150", "POST /151"]
    assert entries[-1].request == "POST /after"
    assert [each.by for each in entries if each.request == "pruned"] == ["root", "root"]
    assert await AuditLog(log.file).first_fault() is None


async def test_a_beginning_that_nobody_pruned_is_a_fault(tmp_path: Path) -> None:
    calendar = Calendar()
    log = await log_of(tmp_path / "audit.jsonl", calendar, 300)
    await log.prune(BEGUN + timedelta(days=50), "root")
    lines = log.file.read_text().splitlines(keepends=True)
    log.file.write_text("".join(lines[1:]))
    assert await log.first_fault() == 1


async def test_a_log_that_is_pruned_whole_goes_on(tmp_path: Path) -> None:
    calendar = Calendar()
    log = await log_of(tmp_path / "audit.jsonl", calendar, 10)
    calendar.day = 500
    assert await log.prune(BEGUN + timedelta(days=300), "root") == 10
    await log.record("ada", "ask", "POST /", 200)
    assert len(await log.entries()) == 2
    assert await log.first_fault() is None


async def test_what_has_to_be_kept_is_not_removed(tmp_path: Path) -> None:
    log = await log_of(tmp_path / "audit.jsonl", Calendar(), 300)
    with pytest.raises(Forbidden, match="100 days"):
        await log.prune(BEGUN + timedelta(days=250), "root")
    assert len(await log.entries()) == 300


async def test_only_an_admin_removes_lines(shared: SharedService) -> None:
    long_ago = {"before": "2001-01-01T00:00:00Z"}
    auditor: Team = await shared.team("kim", "auditor")
    assert (await auditor.client.delete("/api/v1/audit", params=long_ago)).status_code == 403
    assert (await shared.admin.client.delete("/api/v1/audit", params=long_ago)).json() == {"removed": 0}
    now = {"before": datetime.now(UTC).isoformat()}
    assert (await shared.admin.client.delete("/api/v1/audit", params=now)).status_code == 403


async def test_what_a_tool_of_agents_is_called_with_is_noted(shared: SharedService, red: Team) -> None:
    call = {"name": "documents", "arguments": {"collection": "default"}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    await red.client.post("/mcp", json=body, headers={"Accept": "application/json, text/event-stream"})
    auditor = await shared.team("kim", "auditor")
    entries = (await auditor.get("/api/v1/audit"))["entries"]
    assert [each["concerns"] for each in entries if each["request"] == "POST /mcp"] == [
        ["documents", "default"]
    ]
