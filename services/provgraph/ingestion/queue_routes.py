"""HTTP face of the queue of work."""

from __future__ import annotations

from dataclasses import asdict

from fastapi import APIRouter

from provgraph.ingestion.dead_tasks import DeadTasks, names_of
from provgraph.late_routes import LateRouter
from provgraph.wire.tasks import DeadWork, QueuedWork, RevivedWork


def queue_router(tasks: DeadTasks) -> APIRouter:
    router = LateRouter(prefix="/api/v1/queue", tags=["extraction"])

    @router.get("")
    async def queue() -> list[QueuedWork]:
        """How much waits, is under way, and was given up, by kind."""
        return [QueuedWork(kind=kind, **asdict(depth)) for kind, depth in (await tasks.depths()).items()]

    @router.get("/dead")
    async def dead() -> list[DeadWork]:
        """What was given up, oldest first, with the reason."""
        return [
            DeadWork(
                id=each.task.id,
                job=each.task.job,
                kind=each.task.kind,
                files=names_of(each.task),
                reason=each.reason,
                attempts=each.attempts,
                at=each.at.isoformat(),
            )
            for each in await tasks.all()
        ]

    @router.post("/dead/{task_id}/replay", status_code=202)
    async def replay(task_id: str) -> RevivedWork:
        """Have it tried again, as if for the first time. Watch its job."""
        task = await tasks.replay(task_id)
        return RevivedWork(id=task.id, job=task.job)

    @router.delete("/dead/{task_id}")
    async def discard(task_id: str) -> RevivedWork:
        """Drop it for good, and the files that it waits with."""
        task = await tasks.discard(task_id)
        return RevivedWork(id=task.id, job=task.job)

    return router
