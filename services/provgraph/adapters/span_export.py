"""Where spans go: to a collector, by OTLP over HTTP."""

from __future__ import annotations

from collections.abc import Callable

from provgraph.errors import InvalidInput


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
