"""Whatever the values, what the builders make conforms to the shapes; and it costs what the model says."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyoxigraph import NamedNode, Quad, Triple

from provgraph.checking.shapes import shape_violations
from provgraph.ports.language_model import TokenUsage
from provgraph.ports.retriever import Without
from provgraph.provenance import candidates, library, model_calls, resolution, source, trace
from provgraph.provenance.candidates import (
    CandidateKind,
    RejectedEdge,
    RelevanceVerdict,
    rejected_edge_quads,
)
from provgraph.provenance.circumstances import Circumstances, circumstance_quads
from provgraph.provenance.model_calls import Usage
from provgraph.provenance.resolution import DecisionRecord, ResolutionUse
from provgraph.provenance.resolution import ResolutionVerdict as Decided
from provgraph.provenance.source import (
    ChunkRecord,
    Component,
    DocumentRecord,
    PageRecord,
    QuotationRecord,
    SubgraphRecord,
    recognition_quads,
)
from provgraph.provenance.trace import (
    RankedBy,
    RetrievalPath,
    Selected,
    SentenceSupport,
    SessionOutcome,
    TraceScope,
)
from provgraph.rdf import literals
from provgraph.rdf.graphs import collection_graphs
from provgraph.rdf.iris import (
    ExtractionIdentity,
    SessionNames,
    chunk_iri,
    digest,
    document_iri,
    entity_iri,
    page_iri,
    quotation_iri,
    resolution_iri,
    subgraph_iri,
    version_iri,
)
from provgraph.rdf.vocabulary import ENTITY_CLASSES, RDF, RDFS, TG

GRAPHS = collection_graphs()
SCOPE = TraceScope(SessionNames("0b1f"), GRAPHS.retrieval)
AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)

texts = st.text(min_size=1) | st.sampled_from(
    [
        '"""',
        "\\",
        "> . <urn:x> <urn:y> <urn:z>",
        "}} ; DROP ALL #",
        "\n\r\t",
        "<<( a b c )>>",
        "'",
        "é\u0301",
        "\x00",
    ]
)
labels = texts.filter(lambda text: bool(text.split()))
dates = st.dates().map(lambda day: day.isoformat())
shares = st.floats(0.01, 1)
moments = st.datetimes(timezones=st.just(UTC))
components = st.builds(
    Component,
    texts,
    texts,
    texts,
    st.just("") | texts,
    st.none() | st.just(NamedNode("urn:example:ontology")),
)
recognisers = st.none() | texts.map(lambda version: Component("tesseract", "tesseract", version))
values = st.one_of(
    labels.map(entity_iri),
    dates.map(literals.date),
    st.decimals(-1000, 1000, places=2).map(lambda number: literals.number(str(number))),
    texts.map(lambda unit: literals.quantity(f"4.5 {unit}")),
)


@st.composite
def facts(draw: st.DrawFn) -> tuple[Triple, ...]:
    """A statement with the label and the class of its subject."""
    name, relation = draw(labels), draw(labels)
    subject = entity_iri(name)
    return (
        Triple(subject, entity_iri(relation), draw(values)),
        Triple(subject, RDFS.label, literals.text(name)),
        Triple(subject, RDF.type, draw(st.sampled_from(ENTITY_CLASSES))),
    )


@st.composite
def source_chains(draw: st.DrawFn) -> list[Quad]:
    """A document of one page and one chunk, with all that stands in its source graph."""
    content, given_id, graph = draw(st.binary()), draw(st.just("") | texts), GRAPHS.source
    document = document_iri(content, given_id)
    version = version_iri(document, digest(content))
    record = DocumentRecord(
        document,
        version,
        digest(content),
        draw(texts),
        draw(st.sampled_from(["text/plain", "application/pdf"])),
        draw(st.integers(0, 2000)),
        tuple(draw(st.lists(texts, max_size=2))),
        draw(st.just("") | dates | dates.map(lambda date: date[:7])),
        draw(st.just("") | texts),
        metadata=tuple(draw(st.lists(st.tuples(texts, texts), max_size=2))),
    )
    iri = page_iri(version, draw(st.integers(1, 2000)))
    page = PageRecord(iri, document, version, 1, draw(recognisers), draw(st.floats(0, 1)))
    text = draw(texts)
    chunk = ChunkRecord(chunk_iri(document, text, 0), page.iri, 0, draw(st.integers(0, 10**6)), len(text))
    subgraph = subgraph_iri(ExtractionIdentity(chunk.iri, draw(texts), "1"))
    counts = st.none() | st.integers(0, 10**6)
    cost = draw(st.none() | st.builds(TokenUsage, counts, counts, st.integers(0, 10**6)))
    read = [draw(facts()) for _ in range(draw(st.integers(0, 2)))]
    quotations = [
        QuotationRecord(quotation_iri(subgraph, i), page.iri, 0, draw(texts), draw(shares), said)
        for i, said in enumerate(read)
    ]
    contained = tuple(dict.fromkeys(fact for said in read for fact in said))
    reader, at = Component("reader", "Reader", draw(texts)), draw(moments)
    return [
        *library.collection_quads(NamedNode("urn:trustgraph:collection:c"), "c", at, graph),
        *source.document_quads(record, reader, at, graph),
        *source.page_quads(page, graph),
        *recognition_quads(page, at, graph),
        *source.chunking_quads(page, Component("chunker", "Chunker", "1"), at, graph),
        *source.chunk_quads(chunk, graph),
        *(
            quad
            for quad in source.subgraph_quads(
                SubgraphRecord(subgraph, chunk.iri, contained, tuple(quotations), cost),
                draw(
                    components.filter(
                        lambda component: component.name not in ("reader", "chunker", "tesseract")
                    )
                ),
                at,
                GRAPHS,
            )
            if quad.graph_name == graph
        ),
        *source.attempt_quads(
            subgraph, chunk.iri, Component("another", "Another", "1", "m"), draw(texts), at, graph
        ),
    ]


def checks(draw: st.DrawFn, concepts: list[str], by_model: Callable[[str], list[Quad]]) -> list[list[Quad]]:
    """A check, and what follows from one that fails, step by step."""
    verdicts = st.none() | st.builds(RelevanceVerdict, st.booleans(), texts, st.just("a model"))
    return [
        [*candidates.check_quads(SCOPE, draw(verdicts)), *by_model("check")],
        candidates.reformulation_quads(SCOPE, draw(texts), "a model"),
        trace.grounding_quads(SCOPE, concepts, "grounding:1", SCOPE.names.step("reformulation")),
        trace.retrieval_quads(SCOPE, draw(st.integers(0, 99)), [], ":1"),
        [*candidates.check_quads(SCOPE, draw(verdicts), ":1"), *by_model("check:1")],
    ]


uses = st.builds(
    ResolutionUse,
    st.just((entity_iri("WHO"), entity_iri("World Health Organization"))),
    texts,
    texts,
    st.sampled_from([(), (NamedNode("urn:example:quotation"),)]),
    st.none() | st.just(resolution_iri("1")),
)


@st.composite
def decisions(draw: st.DrawFn) -> list[Quad]:
    """A decision, undone or not."""
    entities = (entity_iri("WHO"), entity_iri("OMS"))[: draw(st.integers(1, 2))]
    record = DecisionRecord(
        resolution_iri("1"), draw(st.sampled_from(Decided)), entities, draw(texts), draw(moments)
    )
    undone = resolution.undoing_quads(record.iri, draw(texts), draw(moments), GRAPHS.source)
    return [*resolution.decision_quads(record, GRAPHS.source), *draw(st.sampled_from([[], undone]))]


@st.composite
def circumstances(draw: st.DrawFn, edges: tuple[Triple, ...]) -> list[Quad]:
    """How a question was put, without some documents and these edges."""
    left_out = Without(tuple(draw(st.lists(labels.map(entity_iri), max_size=2))), edges)
    put = tuple(f"edge_limit={number}" for number in draw(st.lists(st.integers(1, 9), max_size=2)))
    asked_before = draw(st.none() | st.just(SessionNames("1").session))
    return circumstance_quads(SCOPE, Circumstances(put, left_out, asked_before))


def retrieval(draw: st.DrawFn, edge_count: int) -> list[Quad]:
    """A retrieval by any method, with or without a warning."""
    numbers = st.dictionaries(st.sampled_from(["k1", "b", "alpha"]), st.floats(0, 100), max_size=2)
    ranked = RankedBy(draw(st.sampled_from(["", "graph", "term-frequency"])), draw(numbers))
    warnings = draw(st.lists(texts, max_size=1))
    return [
        *trace.retrieval_quads(SCOPE, edge_count, [entity_iri(draw(labels))], "", ranked),
        *model_calls.warning_quads(SCOPE.names, "retrieval", warnings, SCOPE.graph),
        *resolution.resolution_quads(SCOPE, draw(st.lists(uses, max_size=2))),
    ]


WAYS = st.builds(
    RetrievalPath, st.sampled_from(["", "words", "exact label"]), st.lists(texts, max_size=3).map(tuple)
)


@st.composite
def traces(draw: st.DrawFn) -> list[Quad]:
    """A session up to any step, ended or not."""
    question, concepts = draw(texts), draw(st.lists(texts, max_size=3))
    edges = [draw(facts())[0] for _ in range(draw(st.integers(0, 3)))]
    scores, reranked = st.floats(0, 100), st.none() | st.floats(0, 10)
    selected = [
        Selected(
            edge,
            draw(scores),
            tuple(concepts),
            draw(texts),
            draw(st.sampled_from(["a model", "evidence"])),
            draw(reranked),
            draw(WAYS),
        )
        for edge in edges
    ]
    again = draw(st.booleans())
    found = "retrieval:1" if again else "retrieval"
    passed_over = [
        RejectedEdge(edge, draw(scores), draw(texts), draw(reranked), found, draw(WAYS)) for edge in edges
    ]
    supported = tuple(SCOPE.names.edge(index) for index in range(len(edges)))
    said, overlap = draw(st.integers(1, 99)), draw(st.none() | st.floats(0, 1))
    sentences = [SentenceSupport(0, said, draw(st.sampled_from([(), supported])), (), overlap)]
    names, graph = SCOPE.names, SCOPE.graph
    counts = st.none() | st.integers(0, 10**6)
    usages = st.builds(Usage, texts, counts, counts, st.integers(0, 10**6))

    def by_model(step: str) -> list[Quad]:
        warnings = draw(st.lists(texts, max_size=2))
        call = model_calls.call_quads(names, step, draw(usages), "5feceb66ffc8", graph)
        return [*model_calls.warning_quads(names, step, warnings, graph), *draw(st.sampled_from([[], call]))]

    check, *correction = checks(draw, concepts, by_model)
    reranking = [
        *candidates.reranking_quads(SCOPE, CandidateKind.EDGES, draw(st.integers(0, 99)), "a model", found),
        *model_calls.ignored_quads(names, "reranking", draw(st.integers(0, 99)), graph),
        *by_model("reranking"),
    ]
    second = draw(st.booleans())
    put = draw(circumstances(tuple(edges)))
    steps = [
        [*trace.session_quads(SCOPE, question, "default", AT), *put],
        [*trace.grounding_quads(SCOPE, concepts), *by_model("grounding")],
        retrieval(draw, len(edges)),
        *([check, *correction] if again else [check][: draw(st.integers(0, 1))]),
        *([reranking] if second else []),
        [
            *trace.selection_quads(SCOPE, selected, (found, "reranking") if second else (found,)),
            *model_calls.ignored_quads(names, "selection", draw(st.integers(0, 99)), graph),
            *by_model("selection"),
        ],
        trace.answer_quads(SCOPE),
        [*trace.support_quads(SCOPE, sentences), *by_model("answer")],
        list(rejected_edge_quads(SCOPE, passed_over)),
    ]
    ending = trace.ending_quads(SCOPE, draw(st.sampled_from(SessionOutcome)), AT, draw(st.just("") | texts))
    reached = draw(st.integers(1, len(steps)))
    return [quad for step in [*steps[:reached], draw(st.sampled_from([[], ending]))] for quad in step]


@settings(max_examples=40, deadline=None)
@given(source_chains())
def test_every_source_chain_conforms(quads: list[Quad]) -> None:
    assert shape_violations(quads) == []


@settings(max_examples=20, deadline=None)
@given(decisions())
def test_every_decision_conforms(quads: list[Quad]) -> None:
    assert shape_violations(quads) == []


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(traces())
def test_every_trace_conforms_at_every_step(quads: list[Quad]) -> None:
    assert shape_violations(quads) == []


def subgraph_cost(
    facts: int,
    extractor: Component,
    quotations: tuple[QuotationRecord, ...] = (),
    cost: TokenUsage | None = None,
) -> int:
    """How many triples of the source graph a subgraph of so many facts takes."""
    node = NamedNode("urn:example:subgraph")
    terms = tuple(Triple(node, TG.contains, literals.integer(n)) for n in range(facts))
    record = SubgraphRecord(node, NamedNode("urn:example:chunk"), terms, quotations, cost)
    quads = source.subgraph_quads(record, extractor, AT, GRAPHS)
    return len({quad for quad in quads if quad.graph_name == GRAPHS.source})


@pytest.mark.parametrize("facts", [0, 1, 60])
def test_n_facts_cost_n_and_twelve_triples(facts: int) -> None:
    assert subgraph_cost(facts, Component("model-free", "Model-free", "1")) == facts + 12


def test_a_model_and_an_ontology_cost_one_triple_each() -> None:
    extractor = Component("llm", "By model", "1", "a-model", NamedNode("urn:example:ontology"))
    assert subgraph_cost(5, extractor) == 5 + 14


def test_a_model_call_costs_a_triple_for_each_figure_that_is_known() -> None:
    extractor = Component("llm", "By model", "1", "a-model")
    assert subgraph_cost(5, extractor, cost=TokenUsage(900, 120, 640)) == 5 + 13 + 3
    assert subgraph_cost(5, extractor, cost=TokenUsage(None, None, 640)) == 5 + 13 + 1


def test_a_quotation_costs_eight_triples_and_one_for_each_fact() -> None:
    facts = tuple(Triple(RDF.type, RDF.type, literals.integer(n)) for n in range(3))
    quotation = QuotationRecord(
        NamedNode("urn:example:q"), NamedNode("urn:example:page"), 0, "words", 1, facts
    )
    plain = Component("model-free", "Model-free", "1")
    assert subgraph_cost(3, plain, (quotation,)) - subgraph_cost(3, plain) == 8 + 3
