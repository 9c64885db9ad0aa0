"""The part that one worker has in an ingest which several processes do together."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Share:
    """`owner` names the part, also to a worker that does it again; `hands_on` leaves what models are to read to others,
    told as `ChunksLeft`. One that is the whole hands nothing on, and has the name of its process, if any."""

    owner: str = ""
    hands_on: bool = False
