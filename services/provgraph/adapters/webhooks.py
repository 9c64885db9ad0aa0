"""Events sent to an address of the web, signed as Standard Webhooks has it (https://www.standardwebhooks.com).

webhook-id: msg_2b9f…   webhook-timestamp: 1767225600
webhook-signature: v1,<base64 of the HMAC-SHA256 of "id.timestamp.body" with the secret>
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from uuid import uuid4

import httpx2

from provgraph.adapters.web_addresses import WebAddress, require_web_address
from provgraph.errors import InvalidInput, Unavailable
from provgraph.tls import trusted

ATTEMPTS: Final = 5


@dataclass(frozen=True)
class Webhook:
    """`secret` signs; between attempts `pause_s` is waited, twice as long each time."""

    url: str
    secret: str
    allow_private: bool = False
    pause_s: float = 1.0

    def __post_init__(self) -> None:
        require_web_address(self.url)
        if not self.secret:
            raise InvalidInput(
                "A webhook is signed. Set PROVGRAPH_WEBHOOK_SECRET to a secret that its receiver knows."
            )

    def send(self, event: Mapping[str, Any]) -> None:
        """Send an event until it is taken. Raises `Forbidden` for a private address, and `Unavailable` after the last
        attempt, or where it is refused for good."""
        identity = f"msg_{uuid4().hex}"
        for number in range(ATTEMPTS):
            if number:
                time.sleep(self.pause_s * 2 ** (number - 1))
            attempt = self.attempt(event, identity)
            if attempt.is_taken:
                return
            if attempt.is_final:
                break
        raise Unavailable(
            f"The webhook {self.url} does not take an event ({attempt.outcome}). Check its receiver."
        )

    def attempt(self, event: Mapping[str, Any], identity: str) -> WebhookAttempt:
        """Send an event once, under an id that is the same whenever it is sent again. Redirections are not followed: an
        event goes where it was meant to. The body of the answer is not read, which could be
        without end. Raises what `WebAddress.checked` raises."""
        body = json.dumps(event, ensure_ascii=False).encode()
        place = WebAddress.checked(self.url, self.allow_private)
        signed = signature(self.secret, identity, int(time.time()), body)
        headers = {**place.headers, "Content-Type": "application/json", **signed}
        try:
            with (
                httpx2.Client(trust_env=False, verify=trusted(), timeout=10) as client,
                client.stream(
                    "POST", place.url, content=body, headers=headers, extensions=place.extensions
                ) as answer,
            ):
                return WebhookAttempt(answer.status_code, f"it answers {answer.status_code}")
        except (httpx2.HTTPError, ssl.SSLError, OSError) as error:
            return WebhookAttempt(0, str(error))


@dataclass(frozen=True)
class WebhookAttempt:
    """`status` is 0 where nobody answers; `outcome` says it in words."""

    status: int
    outcome: str

    @property
    def is_taken(self) -> bool:
        return 200 <= self.status < 300

    @property
    def is_final(self) -> bool:
        """Whether the event is refused for good."""
        return 400 <= self.status < 500 and self.status not in (408, 409, 425, 429)


def signature(secret: str, identity: str, at: int, body: bytes) -> dict[str, str]:
    """The headers that prove who sent the body, and when. A secret that begins with whsec_ is base64."""
    key = base64.b64decode(secret.removeprefix("whsec_")) if secret.startswith("whsec_") else secret.encode()
    signed = hmac.new(key, f"{identity}.{at}.".encode() + body, hashlib.sha256).digest()
    return {
        "webhook-id": identity,
        "webhook-timestamp": str(at),
        "webhook-signature": f"v1,{base64.b64encode(signed).decode()}",
    }
