"""Writes docs/conformance.md: each term, the builders that write it, the shapes that ask for it, the tests.

python tests/ontology/conformance_table.py > docs/conformance.md
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from pyoxigraph import NamedNode, RdfFormat, parse
from rdflib import SH, Graph, URIRef
from rdflib.term import Node

from provgraph.checking.shapes import SHAPES_NAMESPACE
from provgraph.provenance.flows import FLOWS
from provgraph.rdf.ontology_files import ontology_text
from provgraph.rdf.vocabulary import DC, ENTITY_CLASSES, PREFIXES, PROV, RDF, RDFS, TG

sys.path.insert(0, str(Path(__file__).parents[1]))
from unit.provenance.turtle_examples import BUILDERS, example

INVALID = Path(__file__).parents[2] / "ontology/examples/invalid"
TARGETS = (SH.targetClass, SH.targetSubjectsOf, SH.targetObjectsOf)
HEADING = """# Conformance

Every term that ProvGraph writes, the builder in `services/provgraph/provenance/` that writes it, and the shapes in
`ontology/shapes.ttl` that say where it must and may stand. Written by `tests/ontology/conformance_table.py`; a test
fails when this page is stale.

Each builder is held to the Turtle in its docstring by `tests/unit/provenance/test_builder_examples.py`, and to the
shapes, over generated values, by `tests/unit/provenance/test_builder_conformance.py`. Each shape is held by
`tests/ontology/test_shapes.py` to the example of its name in `ontology/examples/invalid/`, which it must refuse.
Each term is held to its declaration in `ontology/provgraph.ttl` by `tests/ontology/test_vocabulary.py`.

| term | builder | shapes |
|---|---|---|
"""
ENTITIES = """
## The knowledge graph

Facts are in the words of their documents, so no shape lists their properties. Extraction gives entities a label and,
where the words make it safe, one of these classes: {classes}. Values are typed as `xsd:gYear`, `xsd:gYearMonth`,
`xsd:date`, `xsd:integer`, `xsd:decimal`, or `tg:quantity` (`tests/unit/rdf/test_canonical_literals.py`).

## Rules that no shape can say

`provgraph check` tests these over whole graphs or against the library, each by SPARQL or by reading the page
(`tests/unit/checking/test_check_pipeline.py`).

| rule | says |
|---|---|
| `disjoint` | no triple stands in two of the three graphs |
| `asserted` | every fact that a subgraph contains is asserted in the knowledge graph |
| `contained` | every fact that is asserted is contained in a subgraph |
| `quoted` | every relation read from a chunk has a quotation, and a quotation quotes only facts of its subgraph |
| `labelled` | every entity and relation that ProvGraph names has a label |
| `lineage` | every page, chunk, subgraph and quotation leads to its document, by steps that are all there |
| `span` | the words at a span of a page are those of the quotation, or those by which the chunk is named |
| `text` | the library holds the text of every page, and of the answer of every session that told one |
| `bytes` | the bytes of every document, deposit and answer in the library have the hash that the graph names |
| `extracted` | with `--extract-again`: extractors by rules find what is stored as theirs, and nothing else is |
| `signed` | with `--signatures`: signed records added every statement, removed none, and are whole and in order |
"""
STORES = Path(__file__).with_name("conformance_of_stores.md")


def page() -> str:
    writers, shapes = builders_by_term(), shapes_by_term()
    rows = [
        f"| `{name}` | {', '.join(f'`{b}`' for b in writers[iri])} | {', '.join(f'`{s}`' for s in shapes[iri])} |"
        for name, iri in terms()
        if iri in writers
    ]
    classes = ", ".join(f"`{short_name(term.value)}`" for term in ENTITY_CLASSES)
    return HEADING + "\n".join(rows) + "\n" + ENTITIES.format(classes=classes) + "\n" + STORES.read_text()


def terms() -> Iterator[tuple[str, str]]:
    """All terms of the vocabulary, in its order, by short name and IRI."""
    for group in (TG, PROV, DC, RDF, RDFS):
        for term in vars(group).values():
            if isinstance(term, NamedNode):
                yield short_name(term.value), term.value


def builders_by_term() -> dict[str, list[str]]:
    writers: dict[str, list[str]] = defaultdict(list)
    for name, builder in BUILDERS.items():
        quads = list(parse(example(builder).encode(), format=RdfFormat.TURTLE))
        written = {quad.predicate.value for quad in quads}
        written |= {quad.object.value for quad in quads if quad.predicate == RDF.type}
        for term in written:
            writers[term].append(name)
    for flow in FLOWS:  # the example of `session_quads` is of one flow
        writers[flow.question.value] = ["session_quads"]
    return writers


def shapes_by_term() -> dict[str, list[str]]:
    """The shapes that are about a term: on its path, among its types, or aimed at it."""
    graph = Graph().parse(data=ontology_text("shapes.ttl"), format="turtle")
    shapes: dict[str, list[str]] = defaultdict(list)
    for path in sorted(INVALID.glob("*.trig")):
        shape = URIRef(SHAPES_NAMESPACE + path.stem)
        for term in sorted(about(graph, shape)):
            shapes[term].append(path.stem)
    return shapes


def about(graph: Graph, shape: URIRef) -> set[str]:
    paths: list[Node] = list(graph.objects(shape, SH.path))
    paths += [inverse for path in list(paths) for inverse in graph.objects(path, SH.inversePath)]
    either = [listed for path in list(paths) for listed in graph.objects(path, SH.alternativePath)]
    paths += [term for listed in either for term in graph.items(listed)]
    listed = [item for types in graph.objects(shape, SH["in"]) for item in graph.items(types)]
    aimed = [target for kind in TARGETS for target in graph.objects(shape, kind)]
    return {str(term) for term in (*paths, *listed, *aimed) if isinstance(term, URIRef)}


def short_name(iri: str) -> str:
    prefix, namespace = next((item for item in PREFIXES.items() if iri.startswith(item[1])), ("", ""))
    return f"{prefix}:{iri.removeprefix(namespace)}"


if __name__ == "__main__":
    sys.stdout.write(page())
