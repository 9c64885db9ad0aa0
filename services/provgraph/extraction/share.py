"""The part that one worker has in an ingest which several processes do together."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Share:
    """`owner` names the part, also to a worker that does it again; `hands_on` leaves what models are to read to others,
    told as `ChunksLeft`. One that is the whole has neither."""

    owner: str = ""
    hands_on: bool = False
