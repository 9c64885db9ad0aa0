"""How the documents of a collection are read: as the request says, else as the collection has it set, else as the
service has."""

from __future__ import annotations

from dataclasses import dataclass

from provgraph.catalogue.collections import Collections
from provgraph.documents.library import Library
from provgraph.errors import NotFound
from provgraph.extraction.extractors import ChosenExtractors, ExtractionOptions, Extractors, OntologyFile
from provgraph.extraction.names import ONTOLOGY_GUIDED
from provgraph.rdf.terms import NamedNode
from provgraph.wire.documents import CollectionSettings


@dataclass(frozen=True)
class ExtractionChoices:
    collections: Collections
    library: Library
    extractors: Extractors

    async def chosen(self, options: ExtractionOptions, collection: str) -> ChosenExtractors:
        """Raises what `Extractors.chosen` raises. A collection that is yet to be made has nothing set."""
        try:
            kept = await self.collections.settings(collection)
        except NotFound:
            kept = CollectionSettings()
        guided = options.ontology is not None
        extractors = options.extractors or (() if guided else tuple(kept.extractors))
        ontology = options.ontology
        if not guided and kept.ontology and (not extractors or ONTOLOGY_GUIDED in extractors):
            content = await self.library.content(collection, NamedNode(kept.ontology.id))
            ontology = OntologyFile(kept.ontology.name, content)
        return self.extractors.chosen(
            ExtractionOptions(
                extractors,
                ontology,
                options.max_tokens or kept.max_tokens,
                options.sparing or bool(kept.sparing),
                options.replace,
            )
        )
