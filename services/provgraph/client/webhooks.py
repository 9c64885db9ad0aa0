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

from provgraph.client.web_addresses import WebAddress, require_web_address
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
        body = json.dumps(event, ensure_ascii=False).encode()
        identity, told = f"msg_{uuid4().hex}", ""
        for attempt in range(ATTEMPTS):
            if attempt:
                time.sleep(self.pause_s * 2 ** (attempt - 1))
            status, told = self._posted(body, identity)
            if 200 <= status < 300:
                return
            if 400 <= status < 500 and status not in (408, 409, 425, 429):
                break
        raise Unavailable(f"The webhook {self.url} does not take an event ({told}). Check its receiver.")

    def _posted(self, body: bytes, identity: str) -> tuple[int, str]:
        """The status of one attempt, 0 where nobody answers, and in words what came of it. Redirections are not
        followed: an event goes where it was meant to."""
        place = WebAddress.checked(self.url, self.allow_private)
        signed = signature(self.secret, identity, int(time.time()), body)
        headers = {**place.headers, "Content-Type": "application/json", **signed}
        try:
            with httpx2.Client(trust_env=False, verify=trusted(), timeout=10) as client:
                answer = client.post(place.url, content=body, headers=headers, extensions=place.extensions)
        except (httpx2.HTTPError, ssl.SSLError, OSError) as error:
            return 0, str(error)
        return answer.status_code, f"it answers {answer.status_code}"


def signature(secret: str, identity: str, at: int, body: bytes) -> dict[str, str]:
    """The headers that prove who sent the body, and when. A secret that begins with whsec_ is base64."""
    key = base64.b64decode(secret.removeprefix("whsec_")) if secret.startswith("whsec_") else secret.encode()
    signed = hmac.new(key, f"{identity}.{at}.".encode() + body, hashlib.sha256).digest()
    return {
        "webhook-id": identity,
        "webhook-timestamp": str(at),
        "webhook-signature": f"v1,{base64.b64encode(signed).decode()}",
    }
