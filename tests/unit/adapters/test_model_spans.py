"""Calls of models are spans as OpenTelemetry's semantic conventions for generative AI name them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from servers.openai_server import Answer, OpenAIServer


def test_calls_of_models_have_the_names_that_dashboards_know(model_server: OpenAIServer) -> None:
    """In a process of its own: OpenTelemetry has one provider of spans in each."""
    model_server.answer(
        lambda asked: Answer("It is said, and said again.", status=400 if "Fail" in asked.user else 200)
    )
    script = Path(__file__).with_name("genai_spans.py")
    done = subprocess.run(
        [sys.executable, script, model_server.url], capture_output=True, text=True, timeout=100, check=True
    )
    whole, streamed, embedded, failed = json.loads(done.stdout)
    for span in (whole, streamed):
        assert (span["name"], span["kind"]) == ("chat stones", "CLIENT")
        told = span["attributes"]
        assert told["gen_ai.operation.name"] == "chat"
        assert told["gen_ai.provider.name"] == "openai"
        assert told["gen_ai.request.model"] == "stones"
        assert told["gen_ai.response.finish_reasons"] == ["stop"]
        assert told["gen_ai.usage.input_tokens"] > 0
        assert told["gen_ai.usage.output_tokens"] > 0
        assert "Say it." not in json.dumps(told)
    assert embedded["name"] == "embeddings pebbles"
    assert embedded["attributes"]["gen_ai.operation.name"] == "embeddings"
    assert failed["attributes"]["error.type"] == "ModelRefused"
