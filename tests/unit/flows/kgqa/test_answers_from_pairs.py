"""From a question to its answers, over a graph made of pairs by rules: three ways in, clauses exact, words mistyped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pytest
from pyoxigraph import NamedNode

from provgraph.adapters.lexical_embedder import LexicalEmbedder
from provgraph.catalogue.pairs import StoredPair
from provgraph.extraction.facts import Passage
from provgraph.extraction.pairs.extractor import read_pairs
from provgraph.flows.kgqa.graph import PairGraph, graph_of
from provgraph.flows.kgqa.group_search import BY_NAME, BY_NODE, BY_TYPE, find_groups
from provgraph.flows.kgqa.question_analysis import analysed
from provgraph.flows.kgqa.ranking import RankedWordings, ranked, wordings
from provgraph.ingestion.planning import PageSpan, PassageFacts, subgraph
from provgraph.ports.similarity import SearchWords, SimilarNode, SimilarNodes
from provgraph.rdf.vocabulary import RDF, RDFS, TG

TEXT: Final = """# Supply Agreement

## 3. Delivery

3.1 The Supplier shall:

(a) deliver the Goods within 30 days of the Order Date;

(b) insure the Goods for at least EUR 50,000 until delivery.

3.2 Risk in the Goods passes to the Buyer on delivery.

## 4. Payment

4.1 The Buyer shall pay each invoice within 14 days of receipt.

4.2 This Agreement is governed by the laws of Ireland.
"""
CHUNK: Final = NamedNode("https://example.org/doc/chunk/1-0")
PAGE: Final = NamedNode("https://example.org/doc/version/1/page/1")


def pair_graph() -> PairGraph:
    """What the store would give back of that text."""
    readings = [
        PassageFacts(fact, (PageSpan(PAGE, fact.start, TEXT[fact.start : fact.end]),))
        for fact in read_pairs(Passage(TEXT, "Supply Agreement"))
    ]
    made = subgraph(NamedNode("https://example.org/subgraph"), CHUNK, readings)
    labels = {f.subject: f.object.value for f in made.facts if f.predicate == RDFS.label}  # type: ignore[union-attr]
    types = {f.subject: frozenset([f.object]) for f in made.facts if f.predicate == RDF.type}
    pairs = [
        StoredPair(
            each.iri,
            made.iri,
            each.page,
            each.offset,
            each.offset + len(each.text),
            each.text,
            each.pair.question,
            each.pair.answer,
            each.pair.clause,
            tuple(fact for fact in each.facts if fact.predicate not in (RDF.type, RDFS.label)),
        )
        for each in made.quotations
        if each.pair
    ]
    return graph_of(pairs, labels, types)  # type: ignore[arg-type]


GRAPH: Final = pair_graph()


class LikenessOfNames:
    """`NodeLikeness` over the names of the graph itself, by lexical vectors."""

    async def likest(self, _collection: str, sought: SearchWords) -> SimilarNodes:
        types = {TG.Number: "Number", TG.Clause: "Clause"}
        return SimilarNodes(
            await self._nearest(sought.names, dict(GRAPH.names), sought.labels_per_name),
            await self._nearest(sought.kinds, types, sought.labels_per_kind),
        )

    async def texts(self, question: str, texts: Sequence[str]) -> list[float]:
        vectors = await LexicalEmbedder().embed([question, *texts], "query")
        return [float(row @ vectors[0]) for row in vectors[1:]]

    async def _nearest(
        self, texts: Sequence[str], names: dict[NamedNode, str], limit: int
    ) -> tuple[SimilarNode, ...]:
        embedder = LexicalEmbedder()
        rows = await embedder.embed(list(names.values()), "passage")
        best: dict[NamedNode, SimilarNode] = {}
        for vector in await embedder.embed(texts, "query"):
            near = sorted(zip(rows @ vector, names, strict=True), key=lambda each: -each[0])[:limit]
            for score, node in near:
                if node not in best or best[node].score < score:
                    best[node] = SimilarNode(node, names[node], float(score))
        return tuple(sorted(best.values(), key=lambda like: -like.score))


async def answered(question: str, like: LikenessOfNames | None = None) -> RankedWordings:
    put = analysed(question, GRAPH)
    found = await find_groups(put, GRAPH, like, "default")
    made = wordings(put, GRAPH, found)
    likeness = dict(enumerate(await like.texts(question, [each.text for each in made]))) if like else {}
    return ranked(put, GRAPH, made, likeness)


async def clauses(question: str) -> list[str]:
    return [each.group.clause for each in (await answered(question, LikenessOfNames())).answers]


@pytest.mark.parametrize(
    ("question", "clause"),
    [
        ("Within how many days must the Supplier deliver the Goods?", "3.1(a)"),
        ("To whom does risk in the Goods pass?", "3.2"),
        ("What shall the Buyer pay?", "4.1"),
        ("Which law governs this agreement, Ireland's?", "4.2"),
        ("For how much are the Goods insured?", "3.1(b)"),
        ("Witin how mny days must the Suplier delivr teh Goods?", "3.1(a)"),
        ("the Goods deliver must Supplier days many how within?", "3.1(a)"),
    ],
)
async def test_the_first_answer_is_the_clause_that_says_it(question: str, clause: str) -> None:
    assert (await clauses(question))[:1] == [clause]


async def test_a_clause_is_found_by_its_exact_number_with_all_below_it_and_no_other() -> None:
    assert await clauses("What does clause 3.1(b) say?") == ["3.1(b)"]
    assert set(await clauses("What does section 3.1 require?")) == {"3.1", "3.1(a)", "3.1(b)"}
    assert await clauses("What does paragraph (b) say?") == ["3.1(b)"]
    assert await clauses("What does clause 3.9 say?") == []
    assert await clauses("What does clause 3.1(b) oblige the Supplier to?") == ["3.1(b)"]
    assert await clauses("What does clause 3.1(b) say about whales and otters?") == []


@pytest.mark.parametrize("question", ["Who discovered polonium?", "What is the capital of France?", "?"])
async def test_what_the_graph_does_not_say_has_no_answer(question: str) -> None:
    assert await clauses(question) == []


async def test_edges_are_found_in_three_ways_and_by_name_where_there_are_no_vectors() -> None:
    question = "Which number of days has the Supplir?"
    put = analysed(question, GRAPH)
    found = await find_groups(put, GRAPH, LikenessOfNames(), "default")
    assert {hit.how for hits in found.hits.values() for hit in hits} == {BY_NODE, BY_TYPE, BY_NAME}
    alone = await find_groups(put, GRAPH, None, "default")
    assert {hit.how for hits in alone.hits.values() for hit in hits} == {BY_NAME}


async def test_the_wording_says_the_clause_and_all_of_its_answer() -> None:
    (first, *_) = (await answered("What does clause 3.1(a) say?", LikenessOfNames())).answers
    assert first.text == "Clause 3.1(a): Supplier shall deliver the Goods within 30 days of the Order Date."


async def test_at_most_five_answers_each_of_another_sentence() -> None:
    best = await answered("Supplier Buyer Goods days delivery invoice", LikenessOfNames())
    places = [each.group.pairs[0].start for each in best.answers]
    assert len(places) == len(set(places)) <= 5
