"""A client of an OpenAI-compatible endpoint, with the `openai` package's own retries."""

from __future__ import annotations

from typing import Final, Protocol

import openai

from provgraph.tls import trusted

_NO_KEY: Final = "none"  # the package insists on a key; local servers ignore it
_CONNECT_S: Final = 10.0


class Reached(Protocol):
    """Where an endpoint is, and how long and how often it is asked; an empty `base_url` is OpenAI's own."""

    @property
    def base_url(self) -> str: ...
    @property
    def api_key(self) -> str: ...
    @property
    def timeout_s(self) -> float: ...
    @property
    def retries(self) -> int: ...


def client_of(endpoint: Reached) -> openai.AsyncOpenAI:
    return openai.AsyncOpenAI(
        api_key=endpoint.api_key or _NO_KEY,
        base_url=endpoint.base_url or None,
        timeout=openai.Timeout(endpoint.timeout_s, connect=min(endpoint.timeout_s, _CONNECT_S)),
        max_retries=endpoint.retries,
        http_client=openai.DefaultAsyncHttpxClient(verify=trusted()),
    )


def longest(endpoint: Reached) -> float:
    """Seconds for all attempts of a call: an endpoint that sends a byte now and then is no answer either."""
    return endpoint.timeout_s * (endpoint.retries + 1)
