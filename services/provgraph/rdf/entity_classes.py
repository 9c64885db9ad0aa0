"""The classes of what facts are about: a thing has one of them at most."""

from __future__ import annotations

from typing import Final

from provgraph.rdf.vocabulary import TG

ENTITY_CLASSES: Final = (
    TG.Person,
    TG.Organization,
    TG.Place,
    TG.Work,
    TG.Event,
    TG.Concept,
    TG.Clause,
    TG.Number,
)
