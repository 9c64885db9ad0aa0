"""Rules over whole graphs, each one SPARQL query that selects what breaks it.

A query scans a graph once and looks the rest up whole: triple terms have no index inside, so none is ever
searched by its parts (docs/tech-specs/triple-terms.md).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from provgraph.rdf.graphs import CollectionGraphs
from provgraph.rdf.vocabulary import PREFIXES
from provgraph.wire.service import CheckFinding


class Rule(StrEnum):
    """What a finding breaks."""

    SHAPE = "shape"
    SPAN = "span"
    DISJOINT = "disjoint"
    ASSERTED = "asserted"
    CONTAINED = "contained"
    QUOTED = "quoted"
    LABELLED = "labelled"
    LINEAGE = "lineage"
    TEXT = "text"
    BYTES = "bytes"
    SIGNED = "signed"
    EXTRACTED = "extracted"


def finding(rule: Rule, subject: str, sentence: str) -> CheckFinding:
    """One thing that is wrong: `subject` is the IRI (or the triple) of which `sentence` speaks."""
    return CheckFinding(rule=rule, subject=subject, sentence=sentence)


@dataclass(frozen=True)
class GraphRule:
    """`query` selects `?subject`, and `?object` where the sentence has a place for it; `doing` says what it tests."""

    rule: Rule
    doing: str
    query: str
    sentence: str


def graph_rules(graphs: CollectionGraphs) -> Iterator[GraphRule]:
    """The rules of one collection."""
    knowledge, source, retrieval = graphs
    for first, second in ((knowledge, source), (retrieval, knowledge), (retrieval, source)):
        yield _rule(
            Rule.DISJOINT,
            "graphs are disjoint",
            f"(TRIPLE(?s, ?p, ?o) AS ?subject) {{ GRAPH {first} {{ ?s ?p ?o }} GRAPH {second} {{ ?s ?p ?o }} }}",
            f"The triple stands both in {first.value} and in {second.value}.",
        )
    fact = f"{{ GRAPH {knowledge} {{ ?s ?p ?o }} }}"
    contained = f"{{ SELECT DISTINCT ?s ?p ?o {{ GRAPH {source} {{ ?g tg:contains <<( ?s ?p ?o )>> }} }} }}"
    yield _rule(
        Rule.ASSERTED,
        "contained facts are asserted",
        f"(TRIPLE(?s, ?p, ?o) AS ?subject) {{ {contained} MINUS {fact} }}",
        "The fact is contained in a subgraph and not asserted in the knowledge graph.",
    )
    yield _rule(
        Rule.CONTAINED,
        "asserted facts are contained",
        f"(TRIPLE(?s, ?p, ?o) AS ?subject) {{ {fact} MINUS {contained} }}",
        "The fact is asserted in the knowledge graph and contained in no subgraph, so it has no source.",
    )
    yield _rule(
        Rule.LABELLED,
        "entities have labels",
        f"""DISTINCT ?subject {{
            GRAPH {knowledge} {{ {{ ?subject ?p ?o }} UNION {{ ?s ?subject ?o }} UNION {{ ?s ?p ?subject }}
                FILTER(isIRI(?subject) && STRSTARTS(STR(?subject), "{PREFIXES["e"]}")) }}
            FILTER NOT EXISTS {{ GRAPH {knowledge} {{ ?subject rdfs:label ?label }} }} }}""",
        "The entity or relation is used in a fact and has no label.",
    )
    yield from _source_rules(f"GRAPH {source}")


def _source_rules(graph: str) -> Iterator[GraphRule]:
    yield _rule(
        Rule.QUOTED,
        "facts are quoted",
        f"""?subject ?object {{
            {{ {graph} {{ ?object tg:contains ?subject ; prov:wasDerivedFrom/rdf:type tg:Chunk }}
               FILTER(PREDICATE(?subject) NOT IN (rdf:type, rdfs:label)) }}
            MINUS {{ {graph} {{ ?quotation rdf:reifies ?subject ; tg:inSubgraph ?object }} }} }}""",
        "No quotation says from which words the fact in {object} was read.",
    )
    yield _rule(
        Rule.QUOTED,
        "quoted facts are contained",
        f"""?subject ?object {{
            {{ {graph} {{ ?subject rdf:reifies ?fact ; tg:inSubgraph ?object }} }}
            MINUS {{ {graph} {{ ?object tg:contains ?fact }} }} }}""",
        "The quotation quotes a fact that {object} does not contain.",
    )
    yield _rule(
        Rule.LINEAGE,
        "every step has an origin",
        f"""?subject {{
            VALUES (?class ?link) {{
                (tg:Page prov:wasDerivedFrom) (tg:Chunk prov:wasDerivedFrom) (tg:Subgraph prov:wasDerivedFrom)
                (tg:DocumentVersion prov:specializationOf) (tg:Quotation tg:inSubgraph) (prov:Activity prov:used) }}
            {graph} {{ ?subject a ?class }}
            FILTER NOT EXISTS {{ {graph} {{ ?subject ?link ?origin }} }} }}""",
        "Nothing says what it was made from, so it does not lead to a document.",
    )
    yield _rule(
        Rule.LINEAGE,
        "every origin is there",
        f"""?subject ?object {{
            {{ VALUES ?link {{ prov:wasDerivedFrom prov:specializationOf prov:used prov:wasGeneratedBy
                               prov:wasQuotedFrom tg:inSubgraph tg:documentVersion }}
               {graph} {{ ?subject ?link ?object }} }}
            MINUS {{ {graph} {{ ?object a ?class }} }} }}""",
        "It comes from {object}, of which nothing is stored.",
    )
    yield _rule(
        Rule.LINEAGE,
        "everything has a type",
        f"?subject {{ {{ SELECT DISTINCT ?subject {{ {graph} {{ ?subject ?p ?o }} }} }} "
        f"MINUS {{ {graph} {{ ?subject a ?class }} }} }}",
        "The node has no type, so nothing says what it is.",
    )


def _rule(rule: Rule, doing: str, selected: str, sentence: str) -> GraphRule:
    prefixes = " ".join(f"PREFIX {prefix}: <{iri}>" for prefix, iri in PREFIXES.items())
    return GraphRule(rule, doing, f"{prefixes} SELECT {selected}", sentence)
