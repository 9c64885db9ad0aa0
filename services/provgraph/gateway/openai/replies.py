"""The end of a session as OpenAI's clients read it: the text, citations by character, usage, and the proof.

Citations are `url_citation`s: the characters of the answer that a source says, and an address that opens its page with
the words marked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from provgraph.flows.runner.events import CitedSentence, Finished
from provgraph.flows.runner.messages import message
from provgraph.rdf.iris import session_uuid
from provgraph.traces.views import cited_source
from provgraph.wire.text import CitedSource


@dataclass(frozen=True)
class ReplyContext:
    """What replies say of the question: its `model` as it was named, the address of the service, `created` in seconds
    since 1970."""

    model: str
    collection: str
    explain_collection: str
    base_url: str
    created: int


def proof(finished: Finished, context: ReplyContext) -> dict[str, Any]:
    """What stands under `provgraph`: the last message of our own routes, and where the trace is to be had."""
    uuid = session_uuid(finished.session)
    told = message(finished, context.explain_collection).model_dump(mode="json", exclude_none=True)
    kept = {
        name: told[name]
        for name in told.keys() - {"message_type", "response", "end_of_stream", "end_of_session"}
    }
    return {
        "outcome": finished.outcome.value,
        "session": finished.session.value,
        "trace": f"{context.base_url}/api/v1/traces/{uuid}",
        "page": f"{context.base_url}/#/session/{uuid}",
        **kept,
    }


def citations(finished: Finished, context: ReplyContext) -> list[dict[str, Any]]:
    """One for each source of each sentence, in the order of the text."""
    return [
        {
            "type": "url_citation",
            "start_index": sentence.start,
            "end_index": sentence.end,
            "title": source.title or source.source,
            "url": source_address(source, context),
        }
        for sentence, source in _sources(finished.sentences)
    ]


def _sources(sentences: tuple[CitedSentence, ...]) -> Iterator[tuple[CitedSentence, CitedSource]]:
    for sentence in sentences:
        for words in sentence.sources:
            yield sentence, cited_source(words)


def source_address(source: CitedSource, context: ReplyContext) -> str:
    """The page of the reader that opens a source with its words marked."""
    place = {
        "collection": context.collection,
        "page": source.page,
        "start": source.start,
        "end": source.end,
    }
    return f"{context.base_url}/#/documents/{quote(source.document, safe='')}?{urlencode(place)}"


def error_body(message: str, kind: str, code: str | None = None) -> dict[str, Any]:
    """An error in the one shape that these clients know."""
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}
