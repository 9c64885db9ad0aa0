"""Which entities are one does not depend on who asks or what came first, and never joins what excludes each other."""

from __future__ import annotations

import random
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import NamedNode, Triple

from provgraph.catalogue.decisions import Decisions, IdentityDecision
from provgraph.provenance.resolution import ResolutionVerdict
from provgraph.rdf import literals
from provgraph.rdf.iris import entity_iri, resolution_iri
from provgraph.retrieval.identity.entity_resolution import (
    DECIDED,
    MOST_MEMBERS,
    AttributeValue,
    Identity,
    Profile,
    Said,
    Tie,
    contradiction,
    merged,
    own_contradiction,
    settled,
    tie,
)
from provgraph.retrieval.identity.marks import ABBREVIATION, ALIAS

NODES = tuple("abcdef")
DOCUMENTS = ("d1", "d2", "d3")


def said(holder: str, bearer: str, *documents: str, rule: str = ALIAS) -> Tie:
    fact = Triple(NamedNode(f"urn:{holder}"), entity_iri("also known as"), NamedNode(f"urn:{bearer}"))
    return tie(
        ((holder, holder), (bearer, bearer)), rule, said=Said(fact, holder, tuple((d, d) for d in documents))
    )


def named(one: str, other: str) -> Tie:
    return tie(((one, one), (other, other)), "spelling")


def decided(verdict: ResolutionVerdict, *entities: str) -> IdentityDecision:
    return IdentityDecision(resolution_iri("-".join(entities)), verdict, tuple(sorted(entities)))


def by_decision(decision: IdentityDecision) -> list[Tie]:
    if decision.verdict is ResolutionVerdict.APART or len(decision.entities) < 2:
        return []
    one, other = ((each, each) for each in decision.entities)
    return [tie((one, other), DECIDED, decision=decision.iri.value)]


def born(year: str, document: str) -> AttributeValue:
    return AttributeValue("date of birth", literals.date(year), document)


pairs = st.sampled_from(list(combinations(NODES, 2)))
profiles = st.fixed_dictionaries(
    {
        node: st.builds(
            Profile,
            st.just(node),
            st.just({node}),
            st.sets(
                st.tuples(st.sampled_from(["Person", "Place", "Work"]), st.sampled_from(DOCUMENTS)),
                max_size=1,
            ),
            st.sets(
                st.builds(born, st.sampled_from(["1900", "1900-05-03", "1950"]), st.sampled_from(DOCUMENTS)),
                max_size=1,
            ),
        )
        for node in NODES
    }
)
tellings = st.one_of(
    pairs.map(lambda pair: named(*pair)),
    st.builds(lambda pair, d: said(*pair, d), pairs, st.sampled_from(DOCUMENTS)),
    st.builds(lambda pair, d: said(*pair[::-1], d), pairs, st.sampled_from(DOCUMENTS)),
)
decisions = st.lists(
    st.builds(lambda verdict, pair: decided(verdict, *pair), st.sampled_from(ResolutionVerdict), pairs),
    max_size=2,
    unique_by=lambda decision: decision.pair,
)


def settle(known: dict[str, Profile], ties: list[Tie], made: list[IdentityDecision]) -> dict[str, Identity]:
    every = [*ties, *(each for decision in made for each in by_decision(decision))]
    return settled(known, merged(every), Decisions(tuple(made)))


@given(profiles, st.lists(tellings, max_size=6), decisions, st.randoms(use_true_random=False))
def test_neither_order_nor_direction_matters(
    known: dict[str, Profile], ties: list[Tie], made: list[IdentityDecision], chance: random.Random
) -> None:
    found = settle(known, ties, made)
    shuffled = chance.sample(ties, len(ties))
    assert settle(dict(reversed(known.items())), shuffled, made[::-1]) == found
    for node, identity in found.items():
        assert node in identity.members
        for other, way in identity.ways(node).items():
            back = found[other].ways(other)[node]
            assert {each.pair for each in back} == {each.pair for each in way} or len(way) == len(back)


@given(profiles, st.lists(tellings, max_size=6))
def test_rules_never_join_what_excludes_each_other(known: dict[str, Profile], ties: list[Tie]) -> None:
    for identity in settle(known, ties, []).values():
        for one, other in combinations(identity.members, 2):
            assert not contradiction(known[one], known[other])
            assert not own_contradiction(known[one])


@given(profiles, st.lists(tellings, max_size=6), decisions)
def test_without_its_decisions_everything_is_as_it_was(
    known: dict[str, Profile], ties: list[Tie], made: list[IdentityDecision]
) -> None:
    before = settle(known, ties, [])
    settle(known, ties, made)
    assert settle(known, ties, []) == before


@given(profiles, st.lists(tellings, max_size=6), pairs)
def test_a_decision_wins_over_every_rule(
    known: dict[str, Profile], ties: list[Tie], pair: tuple[str, str]
) -> None:
    one, other = pair
    assert other in settle(known, ties, [decided(ResolutionVerdict.SAME, *pair)])[one].members
    apart = settle(known, ties, [decided(ResolutionVerdict.APART, *pair)])
    assert other not in apart[one].members
    assert all(each.pair != pair for each in apart[one].near)


def test_a_short_name_of_two_things_counts_within_its_documents_only() -> None:
    known = {node: Profile(node, {node}) for node in ("health", "heritage", "who")}
    ties = [said("health", "who", "d1", rule=ABBREVIATION), said("heritage", "who", "d2", rule=ABBREVIATION)]
    found = settle(known, ties, [])
    assert found["who"].doubts["who"] == "another name of health and of heritage"
    assert {other: way[0].within for other, way in found["who"].ways("who").items()} == {
        "health": frozenset(["d1"]),
        "heritage": frozenset(["d2"]),
    }
    assert set(found["health"].ways("health")) == {"who"}


def test_two_spellings_of_one_long_name_do_not_make_its_abbreviation_ambiguous() -> None:
    known = {node: Profile(node, {node}) for node in ("organisation", "organization", "who")}
    ties = [
        said("organisation", "who", "d1"),
        said("organization", "who", "d2"),
        named("organisation", "organization"),
    ]
    assert settle(known, ties, [])["who"].members == ("organisation", "organization", "who")


def test_two_birth_years_in_two_documents_make_a_name_ambiguous_and_in_one_they_do_not() -> None:
    smith = Profile("smith", {"smith"}, values={born("1900", "d1"), born("1950", "d2")})
    assert "1900 and 1950" in own_contradiction(smith)
    assert own_contradiction(Profile("smith", values={born("1900", "d1"), born("1950", "d1")})) == ""
    assert own_contradiction(Profile("smith", values={born("1900", "d1"), born("1900-05-03", "d2")})) == ""


def test_a_name_that_very_many_share_joins_none() -> None:
    nodes = [f"n{index}" for index in range(MOST_MEMBERS + 1)]
    known = {node: Profile(node, {node}) for node in nodes}
    ties = [named(nodes[0], node) for node in nodes[1:]]
    assert all(len(identity.members) == 1 for identity in settle(known, ties, []).values())
