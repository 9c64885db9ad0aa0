"""What has passed a check: the units of a collection, by root and signature, kept in the library.

A unit is new when it is not here with its present signature; one that is made again runs at another moment and
so has another. What was found wrong is not kept, and is told again until it is mended.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from provgraph.checking.units import CheckUnit
from provgraph.documents.library import Library
from provgraph.errors import NotFound
from provgraph.rdf.iris import collection_iri, digest
from provgraph.rdf.ontology_files import ontology_text
from provgraph.rdf.terms import NamedNode


@dataclass(frozen=True)
class PassedUnits:
    """The marks of one collection; they go with its other content when the collection is removed."""

    library: Library
    collection: str

    async def marks(self) -> frozenset[str]:
        """None where nothing was checked yet, or where other shapes were in force."""
        try:
            kept = json.loads(await self.library.text(self.collection, self._iri))
            return frozenset(kept["passed"] if kept["shapes"] == _shapes_in_force() else ())
        except (NotFound, ValueError, KeyError, TypeError):  # none yet, or damaged: then everything is new
            return frozenset()

    async def keep(self, units: Iterable[CheckUnit]) -> None:
        """Replace the marks by those of `units`."""
        passed = sorted(mark(unit) for unit in units if unit.final)
        content = json.dumps({"shapes": _shapes_in_force(), "passed": passed})
        await self.library.keep(self.collection, self._iri, content.encode())

    @property
    def _iri(self) -> NamedNode:
        return NamedNode(f"{collection_iri(self.collection).value}/passed-check")


def mark(unit: CheckUnit) -> str:
    return digest(f"{unit.root.value} {unit.signature}".encode())


def _shapes_in_force() -> str:
    return digest(ontology_text("shapes.ttl").encode())
