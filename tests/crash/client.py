"""A client that loses its service again and again: it sends until it is heard, and watches until the end."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import httpx2

from crash.corpus import Sent
from servers.direct import DIRECT


@dataclass(frozen=True)
class PatientClient:
    """Gives up after `patience_s` seconds in all, with an `AssertionError`: nobody waits for ever."""

    url: str
    until: float

    def send(self, files: Sequence[Sent], **fields: str) -> list[str]:
        """The job of each file."""
        return [
            self._until_done(lambda client, file=file: self._sent(client, file, fields)) for file in files
        ]

    def ended(self, job: str) -> dict[str, Any]:
        """The job at its end, as its stream of events tells it; or as it is, where the patience ends first."""
        state: dict[str, Any] = self._until_done(lambda client: self._watched(client, job))
        return state

    def _sent(self, client: httpx2.Client, file: Sent, fields: dict[str, str]) -> str:
        answer = client.post("/api/v1/documents", files={"file": (file.name, file.content)}, data=fields)
        job: str = answer.raise_for_status().json()["id"]
        return job

    def _watched(self, client: httpx2.Client, job: str) -> dict[str, Any]:
        headers = {"Accept": "text/event-stream"}
        with client.stream("GET", f"/api/v1/jobs/{job}", headers=headers) as response:
            response.raise_for_status()
            event = ""
            for (
                line
            ) in response.iter_lines():  # signs of life too, or a job without an end would be waited for
                name, _, value = line.partition(": ")
                event = value if name == "event" else event
                if name == "data" and event == "job":
                    return self._state(value)
                if time.monotonic() > self.until:
                    return self._state(client.get(f"/api/v1/jobs/{job}").raise_for_status().text)
        raise httpx2.ReadError("the stream ended before the job")

    @staticmethod
    def _state(text: str) -> dict[str, Any]:
        state: dict[str, Any] = json.loads(text)
        return state

    def _until_done(self, attempt: Any) -> Any:
        while True:
            try:
                with httpx2.Client(base_url=self.url, timeout=30, **DIRECT) as client:
                    return attempt(client)
            except httpx2.HTTPError as error:
                if time.monotonic() > self.until:
                    raise AssertionError("a client waited too long") from error
                time.sleep(0.2)
