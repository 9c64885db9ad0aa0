"""A recogniser that reads no further picture once its ingest is over: a long scan is read in a thread, which nothing
else can end."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Event

from provgraph.errors import Unavailable
from provgraph.ports.text_recogniser import RecognisedText, RecogniserProfile, TextRecogniser


@dataclass(frozen=True)
class StoppableRecogniser:
    """`recogniser` until `stopped` is set; what is asked of it afterwards raises `Unavailable`."""

    recogniser: TextRecogniser
    stopped: Event = field(default_factory=Event)

    def profile(self) -> RecogniserProfile:
        return self.recogniser.profile()

    def recognise(self, picture: bytes) -> RecognisedText:
        if self.stopped.is_set():
            raise Unavailable("The ingest was ended before this page was read. Ingest the file again.")
        return self.recogniser.recognise(picture)
