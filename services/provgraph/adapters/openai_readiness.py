"""Whether an OpenAI-compatible endpoint answers, asked without a word to any model."""

from __future__ import annotations

from typing import Final

import httpx2

from provgraph.errors import ModelRefused, ModelUnavailable, said_by
from provgraph.tls import trusted

_OPENAI: Final = "https://api.openai.com/v1"


async def endpoint_answers(base_url: str, api_key: str, seconds: float) -> None:
    """Any answer will do, except that the key is wrong: not every endpoint lists its models.

    Raises `ModelUnavailable`.
    """
    url = f"{(base_url or _OPENAI).rstrip('/')}/models"
    headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
    try:
        async with httpx2.AsyncClient(timeout=seconds, verify=trusted()) as client:
            response = await client.get(url, headers=headers)
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise ModelUnavailable(
            f"The language model's endpoint does not answer ({said_by(error)}). "
            "Start it, or correct OPENAI_BASE_URL."
        ) from error
    if response.status_code in (401, 403):
        raise ModelRefused("The language model's endpoint does not take the key. Correct OPENAI_API_KEY.")
