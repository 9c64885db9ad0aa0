"""A client of an OpenAI-compatible endpoint: its retries, and its exceptions as our errors; nothing else
reads those."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

import openai

from provgraph.errors import ModelRefused, ModelUnavailable
from provgraph.tls import trusted

_NO_KEY: Final = "none"  # the package insists on a key; local servers ignore it
_CONNECT_S: Final = 10.0


class OpenAIEndpoint(Protocol):
    """Where an endpoint is, and how long and how often it is asked; an empty `base_url` is OpenAI's own."""

    @property
    def base_url(self) -> str: ...
    @property
    def api_key(self) -> str: ...
    @property
    def timeout_s(self) -> float: ...
    @property
    def retries(self) -> int: ...


def client_of(endpoint: OpenAIEndpoint) -> openai.AsyncOpenAI:
    return openai.AsyncOpenAI(
        api_key=endpoint.api_key or _NO_KEY,
        base_url=endpoint.base_url or None,
        timeout=openai.Timeout(endpoint.timeout_s, connect=min(endpoint.timeout_s, _CONNECT_S)),
        max_retries=endpoint.retries,
        http_client=openai.DefaultAsyncHttpxClient(verify=trusted()),
    )


def longest(endpoint: OpenAIEndpoint) -> float:
    """Seconds for all attempts of a call: an endpoint that sends a byte now and then is no answer either."""
    return endpoint.timeout_s * (endpoint.retries + 1)


FAILURES: Final = (openai.APIError, ValueError, TimeoutError)
"""What a call can raise; a `ValueError` is a reply that cannot be read."""


@dataclass(frozen=True)
class CalledEndpoint:
    """What was called, as a message names it, and the settings that say where and how."""

    what: str
    timeout_s: float
    key: str = "OPENAI_API_KEY"
    place: str = "PROVGRAPH_LLM_MODEL and OPENAI_BASE_URL"
    parallel: str = "PROVGRAPH_LLM_PARALLEL"
    timeout: str = "PROVGRAPH_LLM_TIMEOUT_S"


def failure(error: Exception, called: CalledEndpoint) -> ModelUnavailable:
    """The error to raise from `error`, with what to do about it."""
    match error:
        case openai.AuthenticationError() | openai.PermissionDeniedError():
            return ModelRefused(f"{called.what} does not accept the key. Set {called.key}.")
        case openai.NotFoundError():
            return ModelRefused(
                f"{called.what} is not known there ({_error_text(error)}). Set {called.place}."
            )
        case openai.RateLimitError() if error.code == "insufficient_quota":
            return ModelRefused(f"{called.what} has no quota left. See the account with its provider.")
        case openai.RateLimitError():
            return ModelUnavailable(
                f"{called.what} takes no more requests for now. Try later, or lower {called.parallel}."
            )
        case openai.APIStatusError() if error.status_code < 500:
            return ModelRefused(
                f"{called.what} turns the request down ({_error_text(error)}). Check the model's limits and name."
            )
        case openai.APITimeoutError() | TimeoutError():
            return ModelUnavailable(
                f"{called.what} did not answer in {called.timeout_s:g} s. Try later, or raise {called.timeout}."
            )
        case _:
            return ModelUnavailable(
                f"{called.what} cannot be used now ({_error_text(error)}). Check that it runs, and try again."
            )


def _error_text(error: Exception) -> str:
    said = error.message if isinstance(error, openai.APIError) else str(error)
    return " ".join(said.split())[:200] or type(error).__name__
