"""Spans for OpenTelemetry: a request, the stages of its answer, and what it asks of other services, as one trace.

Without the extra `otel`, or where nobody collects them, all of this does nothing. A trace goes from service to service
as W3C Trace Context has it (header `traceparent`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from typing import Final

try:
    from opentelemetry import propagate, trace
except ModuleNotFoundError:  # the extra is not installed
    installed = False
else:
    installed = True

_NAME: Final = "provgraph"


@contextmanager
def serving(method: str, headers: Mapping[str, str]) -> Iterator[Served]:
    """A span of a request that came with these headers, its parent the span of whoever sent it."""
    if not installed:
        yield Served(None)
        return
    tracer, parent = trace.get_tracer(_NAME), propagate.extract(headers)
    with tracer.start_as_current_span(method, parent, trace.SpanKind.SERVER) as span:
        yield Served(span)


class Served:
    """What is known of a request when it has been answered."""

    def __init__(self, span: trace.Span | None) -> None:
        self._span = span

    def answered(self, method: str, route: str, status: int) -> None:
        if self._span:
            self._span.update_name(f"{method} {route}")
            self._span.set_attributes(
                {"http.request.method": method, "http.route": route, "http.response.status_code": status}
            )


def stage(name: str, session: str, begun_ns: int, ended_ns: int) -> None:
    """A stage of an answer that is over, by the clock of the system."""
    if installed:
        attributes = {"provgraph.session": session}
        span = trace.get_tracer(_NAME).start_span(name, attributes=attributes, start_time=begun_ns)
        span.end(ended_ns)


def sent_along(headers: MutableMapping[str, str]) -> None:
    """Let a request to another service say of which trace it is."""
    if installed:
        propagate.inject(headers)
