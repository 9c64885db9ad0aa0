"""HTTP face of purging: `DELETE /api/v1/traces`."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

from fastapi import APIRouter

from provgraph.errors import InvalidInput
from provgraph.late_routes import LateRouter
from provgraph.traces.purging import Purged, TracePurge
from provgraph.wire.service import PurgedTraces

_AGE: Final = re.compile(r"([0-9]{1,6})([hdw])")
_UNITS: Final = {"h": "hours", "d": "days", "w": "weeks"}


def purge_router(purge: TracePurge) -> APIRouter:
    router = LateRouter(prefix="/api/v1", tags=["traces"])

    @router.delete("/traces")
    async def remove(older_than: str, dry_run: bool = False) -> PurgedTraces:
        """Remove the traces of sessions that began before a time, with their answers, prompts and replies.

        `older_than` is an age such as `30d`, `12h` or `4w`, or a time in ISO 8601. `dry_run` only tells.
        """
        before = moment(older_than, purge.now)
        return _message(await (purge.plan(before) if dry_run else purge.purge(before)), dry_run)

    return router


def moment(older_than: str, now: Callable[[], datetime]) -> datetime:
    """An age, or a time, as a time; one without a time zone is in UTC. Raises `InvalidInput` for anything else."""
    try:
        if age := _AGE.fullmatch(older_than):
            return now() - timedelta(**{_UNITS[age[2]]: int(age[1])})
        given = datetime.fromisoformat(older_than)
        return given.astimezone(UTC) if given.tzinfo else given.replace(tzinfo=UTC)
    except (ValueError, OverflowError) as error:
        raise InvalidInput(
            f"{older_than[:40]!r} is no age and no time. Give an age such as 30d, 12h or 4w, or a date."
        ) from error


def _message(purged: Purged, dry_run: bool) -> PurgedTraces:
    started = [session.started for session in purged.sessions]
    return PurgedTraces(
        before=purged.before.isoformat(timespec="seconds"),
        sessions=len(started),
        oldest=min(started, default=None),
        newest=max(started, default=None),
        dry_run=dry_run,
        purge=purged.purge.value if purged.purge else None,
    )
