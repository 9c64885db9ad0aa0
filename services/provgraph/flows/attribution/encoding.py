"""Events of the session of a check → the messages that its clients read, the same as of a check of given sources."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import BaseModel

from provgraph.errors import Unavailable
from provgraph.flows.attribution.claims import summary
from provgraph.flows.runner.events import Event, Explained, Finished, TextAdded
from provgraph.rdf.iris import SessionNames
from provgraph.wire.attribution import AttributionProgress, AttributionReport, AttributionSummary
from provgraph.wire.problem import Problem

DOING: Final = "claims"
_SESSION: Final = SessionNames("").session.value


@dataclass(frozen=True)
class AttributionEncoding:
    """Of a text with `total` sentences, checked against a collection."""

    total: int
    collection: str

    def message(self, event: Event) -> tuple[str, BaseModel] | None:
        match event:
            case Explained():
                begins = event.entity.value.startswith(_SESSION)
                return ("progress", progress(self.total)) if begins else None
            case TextAdded():
                return ("claim", event.claim) if event.claim else None
            case Finished():
                return (
                    ("problem", Problem.of(event.error)) if event.error else ("summary", self._summary(event))
                )

    def whole(self, events: Sequence[Event]) -> AttributionReport:
        """Raises the error of a session that failed, `Unavailable` for one cut off."""
        last = events[-1] if events else None
        if not isinstance(last, Finished):
            raise Unavailable("The check ended before the last claim was judged. Send the text again.")
        if last.error:
            raise last.error
        return AttributionReport(claims=list(last.attribution), summary=self._summary(last))

    def _summary(self, last: Finished) -> AttributionSummary:
        return summary(last.attribution, collection=self.collection, session=last.session.value)


def progress(total: int) -> AttributionProgress:
    return AttributionProgress(doing=DOING, done=0, total=total)
