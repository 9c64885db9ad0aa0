"""Spans for OpenTelemetry: a request, the stages of its answer, and what it asks of other services, as one trace.

Without the extra `otel`, or where nobody collects them, all of this does nothing. A trace goes from service to service
as W3C Trace Context has it (header `traceparent`). Calls of models, retrievals and answers have the names and
attributes of OpenTelemetry's semantic conventions for generative AI (https://opentelemetry.io/docs/specs/semconv/gen-ai/),
which dashboards for these know; no span holds a question, a prompt or an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from typing import Final, Literal

from provgraph.errors import InvalidInput

try:
    from opentelemetry import propagate, trace
except ModuleNotFoundError:  # the extra is not installed
    installed = False
else:
    installed = True

_NAME: Final = "provgraph"
_RETRIEVAL: Final = "retrieval"


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
        attributes = {"provgraph.session": session, "gen_ai.conversation.id": session}
        if name == _RETRIEVAL:
            attributes["gen_ai.operation.name"] = _RETRIEVAL
        span = trace.get_tracer(_NAME).start_span(name, attributes=attributes, start_time=begun_ns)
        span.end(ended_ns)


def answered(session: str, outcome: str, tokens: Tokens, begun_ns: int, ended_ns: int) -> None:
    """A whole answer that is over, with what all its calls of models read and wrote."""
    if installed:
        attributes = {
            **_of_agent(session),
            "provgraph.outcome": outcome,
            **_usage(tokens),
        }
        span = trace.get_tracer(_NAME).start_span(
            f"invoke_agent {_NAME}", attributes=attributes, start_time=begun_ns
        )
        span.end(ended_ns)


def _of_agent(session: str) -> dict[str, str | int]:
    return {
        "provgraph.session": session,
        "gen_ai.conversation.id": session,
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": _NAME,
        "gen_ai.provider.name": _NAME,
    }


Tokens = tuple[int | None, int | None]
"""Read and written, where they were counted."""


def _usage(tokens: Tokens) -> dict[str, str | int]:
    names = ("gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens")
    return {name: count for name, count in zip(names, tokens, strict=True) if count is not None}


@contextmanager
def model_call(operation: Literal["chat", "embeddings"], model: str) -> Iterator[ModelCallSpan]:
    """A call of a model behind an API of OpenAI's form, from its turn to its last word."""
    if not installed:
        yield ModelCallSpan(None)
        return
    attributes = {
        "gen_ai.operation.name": operation,
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": model,
    }
    # not the current span: a stream may be read on in another context than the one that began it
    span = trace.get_tracer(_NAME).start_span(
        f"{operation} {model}", kind=trace.SpanKind.CLIENT, attributes=attributes
    )
    try:
        yield ModelCallSpan(span)
    except Exception as error:
        span.set_attribute("error.type", type(error).__name__)
        span.set_status(trace.StatusCode.ERROR)
        raise
    finally:
        span.end()


class ModelCallSpan:
    """What is known of a call when it has been answered."""

    def __init__(self, span: trace.Span | None) -> None:
        self._span = span

    def answered(self, model: str, tokens: Tokens, finish: str = "") -> None:
        if self._span:
            reasons = {"gen_ai.response.finish_reasons": [finish]} if finish else {}
            self._span.set_attributes({"gen_ai.response.model": model, **reasons, **_usage(tokens)})


def sent_along(headers: MutableMapping[str, str]) -> None:
    """Let a request to another service say of which trace it is."""
    if installed:
        propagate.inject(headers)


def export_spans(url: str, service: str) -> Callable[[], None]:
    """Send the spans of this process as those of `service`; call what is given back to send the last ones.

    Raises `InvalidInput` where the extra is not installed.
    """
    try:
        from opentelemetry import trace
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ModuleNotFoundError as error:
        raise InvalidInput(
            "PROVGRAPH_SPANS_URL needs OpenTelemetry. Install it with: pip install 'provgraph[otel]'."
        ) from error
    provider = TracerProvider(resource=Resource.create({"service.name": service}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(f"{url.rstrip('/')}/v1/traces")))
    trace.set_tracer_provider(provider)
    return provider.shutdown
