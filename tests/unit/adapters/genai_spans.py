"""A process of its own whose calls of a model at the given address are spans; prints them as JSON."""

from __future__ import annotations

import asyncio
import json
import sys
from contextlib import suppress

from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from prometheus_client import CollectorRegistry

from provgraph.adapters.openai_embedder import OpenAIEmbedder
from provgraph.assembly.models import embedding_choice, language_model
from provgraph.errors import ModelUnavailable
from provgraph.ports.language_model import Prompted
from provgraph.settings import Settings


async def call(settings: Settings) -> None:
    model = language_model(settings, CollectorRegistry())
    assert model
    await model.complete(Prompted("", "Say it."))
    async for _ in model.stream(Prompted("", "Say it.")):
        pass
    embedder = OpenAIEmbedder(embedding_choice(settings))
    await embedder.embed(["one"], "passage")
    with suppress(ModelUnavailable):
        await model.complete(Prompted("", "Fail."))
    await embedder.close()
    await model.close()


def main(address: str) -> None:
    kept = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    trace.set_tracer_provider(provider)
    settings = Settings(
        llm_model="stones",
        OPENAI_BASE_URL=address,
        OPENAI_API_KEY="key",
        embedding_model="pebbles",
        llm_retries=0,
    )
    asyncio.run(call(settings))
    told = [
        {"name": span.name, "kind": span.kind.name, "attributes": dict(span.attributes or {})}
        for span in kept.get_finished_spans()
    ]
    print(json.dumps(told))


if __name__ == "__main__":
    main(sys.argv[1])
