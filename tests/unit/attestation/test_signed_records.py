"""Whatever is changed in a recorded store without its key is found, and what is changed through it is not."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyoxigraph import Literal, NamedNode, Quad, Store, Triple

from provgraph.adapters.oxigraph_store import OxigraphQuadStore
from provgraph.adapters.recorded_store import RecordedStore
from provgraph.adapters.signing_key import InstallationKey
from provgraph.attestation.chain import ChainCheck, Flaw, Trust, checked_chain, places, ranges_of
from provgraph.attestation.records import Head, RecordedChange, RecordKind, Signing
from provgraph.errors import InvalidInput, Unavailable
from provgraph.ports.quad_store import QuadPattern, StoreChange, WriteUnit
from provgraph.provenance.records import RECORDS, record_iri
from provgraph.rdf.graphs import knowledge_graph, source_graph
from provgraph.rdf.vocabulary import TG

KNOWLEDGE, SOURCE = knowledge_graph(), source_graph()


def said(number: int, graph: NamedNode = SOURCE) -> Quad:
    subject = NamedNode(f"https://example.org/{number}")
    fact = Triple(subject, NamedNode("https://example.org/says"), Literal(f"something, {number} times\n\tü"))
    return Quad(subject, TG.contains, fact, graph)


def recorded(inner: OxigraphQuadStore, folder: Path, given: str = "") -> RecordedStore:
    return RecordedStore(inner, Signing(InstallationKey(folder / "signing-key", given)))


@pytest_asyncio.fixture
async def inner(tmp_path: Path) -> AsyncIterator[OxigraphQuadStore]:
    made = OxigraphQuadStore()
    store = recorded(made, tmp_path)
    await store.add([said(1), said(2)])
    await store.add_absent([WriteUnit(said(3), (said(4), said(5))), WriteUnit(said(1), (said(6),))])
    await store.remove([said(2)])
    await store.transact(lambda _: StoreChange(None, [said(4)], [said(7), said(8, KNOWLEDGE)]))
    yield made


async def flaws(store: OxigraphQuadStore, trust: Trust | None = None) -> list[Flaw]:
    return [flaw async for flaw in checked_chain(store, ChainCheck(trust or Trust()))]


async def first(store: OxigraphQuadStore) -> str:
    return (await flaws(store))[0].subject


async def replaced(store: OxigraphQuadStore, quad: Quad, other: Quad) -> None:
    await store.remove([quad])
    await store.add([other])


async def stored(store: OxigraphQuadStore, number: int) -> dict[str, Quad]:
    (found,) = await store.match([QuadPattern(record_iri(number), graph=RECORDS)])
    return {quad.predicate.value.rpartition("/")[2]: quad for quad in found}


async def test_what_is_written_through_it_is_sound(inner: OxigraphQuadStore) -> None:
    assert await flaws(inner) == []
    numbers = await inner.match([QuadPattern(None, TG.record_statement, None, RECORDS)])
    assert len(numbers[0]) == 5  # the key, and one for each of four writes


async def test_writes_of_nothing_and_of_bookkeeping_have_no_record(tmp_path: Path) -> None:
    made = OxigraphQuadStore()
    store = recorded(made, tmp_path)
    await store.add([])
    await store.add([said(1, NamedNode("urn:graph:clearing"))])
    assert NamedNode("urn:graph:records") not in await made.graph_names()
    assert not (tmp_path / "signing-key").exists()


async def test_a_statement_that_nobody_signed_is_named(inner: OxigraphQuadStore) -> None:
    await inner.add([said(99)])
    (flaw,) = await flaws(inner)
    assert "no record added it" in flaw.sentence
    assert "something, 99 times" in flaw.subject


async def test_a_statement_that_is_gone_names_the_record_that_added_it(inner: OxigraphQuadStore) -> None:
    await inner.remove([said(5)])
    (flaw,) = await flaws(inner)
    assert flaw.subject == record_iri(2).value


async def test_the_first_record_that_was_removed_is_named(inner: OxigraphQuadStore) -> None:
    await inner.remove(list((await stored(inner, 2)).values()))
    found = await flaws(inner)
    assert found[0].subject == record_iri(3).value
    assert "removed, from number 2 on" in found[0].sentence


async def test_a_record_that_was_altered_is_named(inner: OxigraphQuadStore) -> None:
    quad = (await stored(inner, 2))["recordStatement"]
    text = quad.object.value.replace('"kind":"written"', '"kind":"begun"')  # type: ignore[union-attr]
    await replaced(inner, quad, Quad(quad.subject, quad.predicate, Literal(text), RECORDS))
    found = await flaws(inner)
    assert found[0].subject == record_iri(2).value
    assert "signature" in found[0].sentence


async def test_records_that_were_exchanged_are_named(inner: OxigraphQuadStore) -> None:
    one, two = await stored(inner, 2), await stored(inner, 3)
    await inner.remove([*one.values(), *two.values()])
    for quads, number in ((one, 3), (two, 2)):
        await inner.add([Quad(record_iri(number), q.predicate, q.object, RECORDS) for q in quads.values()])
    found = await flaws(inner)
    assert found[0].subject == record_iri(2).value
    assert "reordered" in found[0].sentence


async def test_a_record_of_another_key_is_named(inner: OxigraphQuadStore, tmp_path: Path) -> None:
    (tmp_path / "signing-key").unlink()
    await recorded(inner, tmp_path).add([said(50)])
    (flaw,) = await flaws(inner)
    assert flaw.subject == record_iri(5).value
    assert "another key signs" in flaw.sentence
    check = ChainCheck(Trust())
    assert [flaw async for flaw in checked_chain(inner, check)] != []
    assert await flaws(inner, Trust(frozenset(check.keys))) == []


async def test_records_that_were_taken_back_are_noticed_by_who_knows_the_last(
    inner: OxigraphQuadStore,
) -> None:
    check = ChainCheck(Trust())
    assert [flaw async for flaw in checked_chain(inner, check)] == []
    assert check.head is not None
    await inner.remove([*(await stored(inner, 4)).values(), said(7), said(8, KNOWLEDGE)])
    await inner.add([said(4)])
    assert await flaws(inner) == []  # the chain alone cannot tell
    (flaw,) = await flaws(inner, Trust(head=check.head.digest))
    assert check.head.digest in flaw.sentence


async def test_a_chain_goes_on_where_it_ended(inner: OxigraphQuadStore, tmp_path: Path) -> None:
    again = recorded(inner, tmp_path)
    await again.add([said(20)])
    await again.add([said(21)])
    assert await flaws(inner) == []
    assert await stored(inner, 6)


async def test_a_transaction_that_fails_leaves_no_gap(inner: OxigraphQuadStore, tmp_path: Path) -> None:
    store = recorded(inner, tmp_path)
    await store.add([said(20)])

    store._head = Head(17, "", "")  # of a record whose transaction failed
    await store.add([said(21)])
    assert await flaws(inner) == []


async def test_a_store_from_before_begins_its_chain_and_says_what_it_found(tmp_path: Path) -> None:
    made = OxigraphQuadStore()
    await made.add([said(1), said(2, KNOWLEDGE)])
    await recorded(made, tmp_path).add([said(3)])
    check = ChainCheck(Trust())
    assert [flaw async for flaw in checked_chain(made, check)] == []
    assert check.found == 2
    await made.remove([said(2, KNOWLEDGE)])
    assert len(await flaws(made)) == 1


async def test_a_beginning_that_a_crash_broke_off_is_done_again(tmp_path: Path) -> None:
    made = OxigraphQuadStore()
    await made.add([said(1), said(2, KNOWLEDGE)])
    await recorded(made, tmp_path)._sign(RecordKind.FOUND, RecordedChange.of([said(1)]))
    await recorded(made, tmp_path).add([said(3)])
    assert await flaws(made) == []


async def test_a_cleared_collection_leaves_a_sound_chain(inner: OxigraphQuadStore, tmp_path: Path) -> None:
    store = recorded(inner, tmp_path)
    await store.clear([KNOWLEDGE, SOURCE])
    assert await flaws(inner) == []
    await inner.add([said(7)])
    assert len(await flaws(inner)) == 1


async def test_what_was_erased_leaves_nothing_by_which_it_could_be_guessed(
    inner: OxigraphQuadStore, tmp_path: Path
) -> None:
    store = recorded(inner, tmp_path)
    before = (await stored(inner, 1))["recordEntries"]
    await store.remove([said(1)])
    await store.rewrite()
    assert await flaws(inner) == []
    assert (await stored(inner, 1))["recordEntries"] != before
    await store.add([said(1)])
    await store.rewrite()
    assert await flaws(inner) == []
    await inner.remove([said(3)])
    assert len(await flaws(inner)) == 1


async def test_an_entry_is_not_struck_without_a_record_of_it(inner: OxigraphQuadStore) -> None:
    """Who strikes the entries of what they removed would hide it."""
    import base64

    from provgraph.attestation.records import ENTRY_BYTES, struck

    quad = (await stored(inner, 1))["recordEntries"]
    entries = base64.b64decode(quad.object.value)  # type: ignore[union-attr]
    hidden = base64.b64encode(struck(entries[:ENTRY_BYTES]) + entries[ENTRY_BYTES:]).decode()
    await replaced(inner, quad, Quad(quad.subject, quad.predicate, Literal(hidden), RECORDS))
    await inner.remove([said(1)])
    found = await flaws(inner)
    assert found[0].subject == record_iri(1).value


def changed_text(text: str, random_: random.Random) -> str:
    if not text:
        return "x"
    place = random_.randrange(len(text))
    return text[:place] + random_.choice([c for c in "abcXYZ019" if c != text[place]]) + text[place + 1 :]


def one_change(store: Store, random_: random.Random) -> str:
    """One quad altered, removed or added, of what is stored or of its records."""
    quads = sorted(store, key=str)
    quad = random_.choice(quads)
    act = random_.choice(["alter", "remove", "add", "move"])
    if act in ("alter", "remove", "move"):
        store.remove(quad)
    if act == "alter":
        term = quad.object
        if isinstance(term, Literal):
            term = Literal(changed_text(term.value, random_))
        else:
            term = NamedNode("https://example.org/altered")
        store.add(Quad(quad.subject, quad.predicate, term, quad.graph_name))
    elif act == "add":
        store.add(Quad(NamedNode("https://example.org/forged"), quad.predicate, quad.object, quad.graph_name))
    elif act == "move":
        graph = KNOWLEDGE if quad.graph_name != KNOWLEDGE else SOURCE
        store.add(Quad(quad.subject, quad.predicate, quad.object, graph))
    return f"{act} {quad}"


def changes_found(folder: Path, seed: int, count: int) -> None:
    async def tried() -> None:
        made = OxigraphQuadStore()
        store = recorded(made, folder)
        for number in range(0, 60, 6):
            await store.add([said(number + more) for more in range(6)])
        await store.remove([said(7), said(22)])
        true = list(made._store)
        for number in range(count):
            made._store.clear()
            made._store.extend(true)
            did = one_change(made._store, random.Random(seed * 100_003 + number))
            if set(made._store) != set(true):
                assert await flaws(made), did

    asyncio.run(tried())


@settings(max_examples=3, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10**6))
def test_any_one_change_is_found(tmp_path: Path, seed: int) -> None:
    changes_found(tmp_path, seed, 20)


@pytest.mark.slow
def test_a_thousand_changes_are_found(tmp_path: Path) -> None:
    changes_found(tmp_path, 7, 1000)


def test_the_key_is_of_its_owner_alone_and_stays(tmp_path: Path) -> None:
    key = InstallationKey(tmp_path / "signing-key")
    assert key.public_key == InstallationKey(tmp_path / "signing-key").public_key
    assert (tmp_path / "signing-key").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda folder: InstallationKey(folder / "signing-key", "not a key"), InvalidInput),
        (lambda folder: InstallationKey(folder / "no" / "such" / "signing-key"), Unavailable),
        (lambda folder: InstallationKey(_damaged(folder)), Unavailable),
    ],
)
def test_a_key_that_cannot_be_used_is_told(
    tmp_path: Path, make: Callable[[Path], InstallationKey], error: type[Exception]
) -> None:
    with pytest.raises(error):
        make(tmp_path).sign(b"")


def _damaged(folder: Path) -> Path:
    (folder / "signing-key").write_bytes(os.urandom(16))
    return folder / "signing-key"


@given(st.sets(st.integers(0, 60)))
def test_ranges_and_back(numbers: set[int]) -> None:
    assert set(places(ranges_of(numbers))) == numbers
