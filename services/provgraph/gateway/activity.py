"""What questions and ingests do, as figures for Prometheus and as lines of JSON in the log, while the events
pass by."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Final

from prometheus_client import CollectorRegistry, Counter, Histogram

from provgraph.flows.runner.events import Event, Explained, Finished, TextAdded
from provgraph.ingestion.events import ChunkFailed, DocumentRefused, DocumentStored, IngestEvent
from provgraph.peers import spans
from provgraph.provenance.trace_reading import STEPS

SESSION: ContextVar[str] = ContextVar("session", default="")
"""The IRI of the session whose work this is; empty outside of one."""

_OF_EVERY_RECORD: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}


class JsonLogFormatter(logging.Formatter):
    """Each record one object on one line: time, level, logger, message, session where there is one, and what was
    given with it."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if session := SESSION.get():
            line["session"] = session
        line |= {name: value for name, value in vars(record).items() if name not in _OF_EVERY_RECORD}
        if record.exc_info:
            line["exception"] = record.exc_text or self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def log_as_json() -> None:
    """Let this process write its log to stderr as JSON, one object a line, from level INFO on."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLogFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    for name in ("provgraph", "uvicorn"):
        logging.getLogger(name).setLevel(logging.INFO)


logger = logging.getLogger("provgraph.activity")

_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)
_PREFIX: Final = "urn:trustgraph:prov:"
_STAGES: Final = frozenset(step.partition(":")[0] for step in STEPS)


class Activity:
    """Figures of one process."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.sessions = Counter(
            "provgraph_sessions", "Questions that came to their end, and how.", ["outcome"], registry=registry
        )
        self.stages = Histogram(
            "provgraph_stage_seconds",
            "Seconds that a stage of an answer took; first_text from the question to the first word, total to the end.",
            ["stage"],
            buckets=_SECONDS,
            registry=registry,
        )
        self.documents = Counter(
            "provgraph_documents", "Documents that were read or refused.", ["outcome"], registry=registry
        )
        self.chunks = Counter(
            "provgraph_chunks",
            "Chunks that were written, or that a model could not read.",
            ["outcome"],
            registry=registry,
        )
        self.facts = Counter("provgraph_facts", "Facts read in the chunks of documents.", registry=registry)

    def session(self) -> Callable[[Event], None]:
        """What sees the events of one session as they happen. Lines that are logged from then on name the session."""
        watch = _Stopwatch(self.stages)

        def see(event: Event) -> None:
            match event:
                case Explained():
                    watch.explained(event.entity.value)
                case TextAdded():
                    watch.text()
                case Finished():
                    self._finished(event, watch)

        return see

    def ingested(self, event: IngestEvent) -> None:
        match event:
            case DocumentStored():
                self.documents.labels("stored").inc()
                self.chunks.labels("written").inc(event.new_chunks)
                self.facts.inc(event.fact_count)
                logger.info(
                    "document stored",
                    extra={
                        "document": event.document.value,
                        "new_chunks": event.new_chunks,
                        "facts": event.fact_count,
                    },
                )
            case DocumentRefused():
                self.documents.labels("refused").inc()
                logger.info("document refused", extra={"document": event.name, "reason": str(event.error)})
            case ChunkFailed():
                self.chunks.labels("failed").inc()

    def _finished(self, event: Finished, watch: _Stopwatch) -> None:
        self.sessions.labels(event.outcome.value).inc()
        watch.span(event.outcome.value, (event.usage.in_tokens, event.usage.out_tokens))
        logger.info(
            "session ended",
            extra={
                "outcome": event.outcome.value,
                "seconds": round(watch.end(), 4),
                "in_tokens": event.usage.in_tokens,
                "out_tokens": event.usage.out_tokens,
                **({"reason": str(event.error)} if event.error else {}),
            },
        )


class _Stopwatch:
    """Times of one session: a stage lasts from the event before it to the one that tells it."""

    def __init__(self, stages: Histogram) -> None:
        self._stages = stages
        self._begun = self._last = time.perf_counter()
        self._has_text = False
        self._session = ""
        self._begun_ns = self._mark_ns = time.time_ns()

    def explained(self, entity: str) -> None:
        if entity.startswith("urn:trustgraph:session:"):
            SESSION.set(entity)
            self._session = entity
        stage = entity.removeprefix(_PREFIX).partition(":")[0]
        if entity.startswith(_PREFIX) and stage in _STAGES:
            self._observe(stage)

    def text(self) -> None:
        if not self._has_text:
            self._has_text = True
            self._stages.labels("first_text").observe(time.perf_counter() - self._begun)

    def end(self) -> float:
        """Seconds since the question."""
        seconds = time.perf_counter() - self._begun
        self._stages.labels("total").observe(seconds)
        return seconds

    def span(self, outcome: str, tokens: spans.Tokens) -> None:
        """The whole answer as a span, beside those of its stages."""
        spans.answered(self._session, outcome, tokens, self._begun_ns, time.time_ns())

    def _observe(self, stage: str) -> None:
        now, now_ns = time.perf_counter(), time.time_ns()
        spans.stage(stage, self._session, self._mark_ns, now_ns)
        self._mark_ns = now_ns
        self._stages.labels(stage).observe(now - self._last)
        self._last = now
