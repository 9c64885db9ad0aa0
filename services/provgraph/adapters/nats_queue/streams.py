"""What ProvGraph keeps on the broker: a stream of tasks for each kind, one of dead tasks, one of notes."""

from __future__ import annotations

from typing import Final

from nats.js.api import (
    AckPolicy,
    ConsumerConfig,
    DiscardPolicy,
    RetentionPolicy,
    StorageType,
    StreamConfig,
)

from provgraph.wire.tasks import KINDS

WORKERS: Final = "workers"
"""The consumer of each stream of tasks that all workers take from."""
DEAD: Final = "provgraph-dead"
NOTES: Final = "provgraph-notes"
MOST_TASKS: Final = 100_000
"""Of one kind; who has more to put is told to wait, and the broker's disk does not fill up."""
_NOTES_LAST_S: Final = 7 * 24 * 3600.0
_SAME_WITHIN_S: Final = 120.0


def tasks_stream(kind: str) -> str:
    return f"provgraph-{kind}"


def task_subject(kind: str, job: str) -> str:
    return f"provgraph.work.{kind}.{job}"


def dead_subject(kind: str, task: str) -> str:
    return f"provgraph.dead.{kind}.{task}"


def note_subject(job: str, key: str) -> str:
    return f"provgraph.notes.{job}.{key}"


def stream_configs() -> list[StreamConfig]:
    return [
        *(_tasks(kind) for kind in KINDS),
        StreamConfig(
            name=DEAD,
            subjects=[dead_subject("*", "*")],
            storage=StorageType.FILE,
            max_msgs_per_subject=1,
        ),
        StreamConfig(
            name=NOTES,
            subjects=[note_subject("*", "*")],
            storage=StorageType.FILE,
            max_msgs_per_subject=1,
            max_age=_NOTES_LAST_S,
        ),
    ]


def workers_config(patience_s: float) -> ConsumerConfig:
    """Every task is given out until a worker is done with it: who gives it up is not the broker but a worker."""
    return ConsumerConfig(
        durable_name=WORKERS,
        ack_policy=AckPolicy.EXPLICIT,
        ack_wait=patience_s,
        max_deliver=-1,
        max_ack_pending=MOST_TASKS,
    )


def _tasks(kind: str) -> StreamConfig:
    return StreamConfig(
        name=tasks_stream(kind),
        subjects=[task_subject(kind, "*")],
        storage=StorageType.FILE,
        retention=RetentionPolicy.WORK_QUEUE,
        discard=DiscardPolicy.NEW,
        max_msgs=MOST_TASKS,
        duplicate_window=_SAME_WITHIN_S,
    )
