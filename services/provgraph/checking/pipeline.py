"""`provgraph check`: one async generator of typed events over everything stored for a collection.

Shapes and spans are checked unit by unit, on what has not passed before; the rules over whole graphs are fast
and always run. Knows nothing of HTTP, and changes nothing in the store.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from anyio import to_thread

from provgraph.attestation.chain import ChainCheck, Trust, checked_chain
from provgraph.checking.library import describe, hashed_contents, span_findings, spans_of_pages
from provgraph.checking.rules import GraphRule, Rule, finding, graph_rules
from provgraph.checking.units import (
    SOURCE_LINKS,
    TRACE_LINKS,
    CheckUnit,
    UnitLinks,
    source_units,
    trace_units,
    types_beyond,
    unit_quads,
)
from provgraph.documents.library import Library
from provgraph.errors import NotFound
from provgraph.ports.quad_store import QuadStore
from provgraph.provenance.trace import SessionOutcome
from provgraph.rdf.graphs import collection_graphs
from provgraph.rdf.iris import collection_iri
from provgraph.rdf.terms import Literal, NamedNode, Quad
from provgraph.rdf.vocabulary import PROV, TG
from provgraph.wire.service import CheckedSignatures, CheckFinding, CheckProgress, CheckSummary

if TYPE_CHECKING:
    from provgraph.checking.shapes import Violation
import json
from collections.abc import Iterable

from provgraph.rdf.iris import digest
from provgraph.rdf.ontology_files import ontology_text


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


CheckEvent = CheckProgress | CheckFinding | CheckSummary

UNITS_PER_BATCH: Final = 10
TOLD_PER_RULE: Final = 100


@dataclass(frozen=True)
class CheckScope:
    """`everything` also checks what has passed before; with `trust` the signed records of the whole store are checked
    too, and with `extract_again` extractors by rules read all documents once more."""

    everything: bool = False
    trust: Trust | None = None
    extract_again: bool = False


Extracted = tuple[int, Sequence[CheckFinding]]
"""Of one document: how many subgraphs were made once more, and which of them are not as they are stored."""


@dataclass(frozen=True)
class Checker:
    """`explain_collection` is where the traces are kept, and their answers' texts; `again` extracts a collection once
    more."""

    store: QuadStore
    library: Library
    explain_collection: str
    again: Callable[[str], AsyncGenerator[Extracted]] | None = None

    async def check(
        self, collection: str, everything: bool = False, scope: CheckScope | None = None
    ) -> AsyncGenerator[CheckEvent]:
        """Progress and findings as they come, a `CheckSummary` last. At most 100 findings of a rule are told."""
        run = _Run(replace(self, store=self.store.of(collection)), collection)
        steps = await run.plan(scope or CheckScope(everything))
        for done, step in enumerate(steps, 1):
            async for check_finding in step.findings():
                if run.tells(check_finding.rule):
                    yield check_finding
            yield CheckProgress(doing=step.doing, done=done, total=len(steps))
        await run.keep_passed()
        yield run.summary()


@dataclass(frozen=True)
class _GraphStep:
    """A rule over whole graphs."""

    store: QuadStore
    rule: GraphRule

    @property
    def doing(self) -> str:
        return self.rule.doing

    async def findings(self) -> AsyncIterator[CheckFinding]:
        for row in await self.store.select(f"{self.rule.query} LIMIT {TOLD_PER_RULE + 1}"):
            names = {name: _readable(term) for name, term in row.items()}
            yield finding(self.rule.rule, names["subject"], self.rule.sentence.format_map(names))


@dataclass(frozen=True)
class _UnitStep:
    """A batch of pages or sessions; those without a finding are added to `passed`."""

    checker: Checker
    collection: str
    graph: NamedNode
    links: UnitLinks
    units: Sequence[CheckUnit]
    passed: list[CheckUnit]

    @property
    def doing(self) -> str:
        return "traces" if self.links is TRACE_LINKS else "documents"

    async def findings(self) -> AsyncIterator[CheckFinding]:
        roots = [unit.root for unit in self.units]
        quads = await unit_quads(self.checker.store, self.graph, roots, self.links)
        beyond = await types_beyond(self.checker.store, self.graph, quads)
        broken = False
        for violation in await to_thread.run_sync(_violations, quads, beyond):
            broken = True
            yield finding(Rule.SHAPE, violation.subject, f"Breaks {violation.shape}: {violation.reason}.")
        async for check_finding in self._span_findings(quads):
            broken = True
            yield check_finding
        async for check_finding in self._answer_findings(quads):
            broken = True
            yield check_finding
        async for check_finding in self._content_findings(quads):
            broken = True
            yield check_finding
        if not broken:
            self.passed.extend(self.units)

    async def _span_findings(self, quads: Sequence[Quad]) -> AsyncIterator[CheckFinding]:
        described = describe(quads)
        for page, nodes in spans_of_pages(quads).items():
            try:
                text = await self.checker.library.text(self.collection, page)
            except NotFound:
                yield finding(Rule.TEXT, page.value, "The library does not hold the text of the page.")
            else:
                for check_finding in span_findings(nodes, described, page, text):
                    yield check_finding

    async def _answer_findings(self, quads: Sequence[Quad]) -> AsyncIterator[CheckFinding]:
        for text in _completed_answers(quads):
            try:
                await self.checker.library.content(self.checker.explain_collection, text)
            except NotFound:
                yield finding(Rule.TEXT, text.value, "The library does not hold the text of the answer.")

    async def _content_findings(self, quads: Sequence[Quad]) -> AsyncIterator[CheckFinding]:
        for hashed in hashed_contents(quads):
            part = self.checker.explain_collection if hashed.is_answer else self.collection
            for check_finding in hashed.findings(await self._held(part, hashed.names)):
                yield check_finding

    async def _held(self, part: str, names: Sequence[NamedNode]) -> bytes | None:
        for name in names:
            with suppress(NotFound):
                return await self.checker.library.content(part, name)
        return None


def _violations(quads: Sequence[Quad], beyond: Sequence[Quad]) -> list[Violation]:
    """For a thread of its own: what it imports, pyshacl and rdflib, takes seconds on a slow machine."""
    from provgraph.checking.shapes import shape_violations

    return shape_violations(quads, beyond)


@dataclass(frozen=True)
class _SignatureStep:
    """All records of the store, and all statements against them."""

    store: QuadStore
    check: ChainCheck
    doing: str = "signatures"

    async def findings(self) -> AsyncIterator[CheckFinding]:
        async for flaw in checked_chain(self.store, self.check):
            yield finding(Rule.SIGNED, flaw.subject, flaw.sentence)

    def outcome(self) -> CheckedSignatures:
        check = self.check
        return CheckedSignatures(
            records=check.records,
            head=check.head.digest if check.head else "",
            keys=list(check.keys),
            began=check.began,
            found=check.found,
        )


@dataclass
class _ExtractionStep:
    """All documents of the collection."""

    documents: AsyncGenerator[Extracted]
    compared: int = 0
    doing: str = "extraction"

    async def findings(self) -> AsyncIterator[CheckFinding]:
        async for compared, findings in self.documents:
            self.compared += compared
            for check_finding in findings:
                yield check_finding


_Step = _GraphStep | _UnitStep | _SignatureStep | _ExtractionStep


@dataclass
class _Run:
    """One check: what it will look at, and what it has told."""

    checker: Checker
    collection: str
    marks: frozenset[str] = frozenset()
    known: list[CheckUnit] = field(default_factory=list)
    passed: list[CheckUnit] = field(default_factory=list)
    told: Counter[str] = field(default_factory=Counter)
    due: int = 0
    signatures: _SignatureStep | None = None

    extraction: _ExtractionStep | None = None

    async def plan(self, scope: CheckScope) -> list[_Step]:
        graphs = collection_graphs(self.collection, self.checker.explain_collection)
        store = self.checker.store
        if not scope.everything:
            self.marks = await PassedUnits(self.checker.library, self.collection).marks()
        sources = await source_units(store, graphs.source)
        traces = await trace_units(store, graphs.retrieval, collection_iri(self.collection))
        if scope.trust is not None:
            self.signatures = _SignatureStep(store, ChainCheck(scope.trust))
        if scope.extract_again and self.checker.again:
            self.extraction = _ExtractionStep(self.checker.again(self.collection))
        return [
            *([self.signatures] if self.signatures else []),
            *(_GraphStep(store, rule) for rule in graph_rules(graphs)),
            *self._unit_steps(graphs.source, SOURCE_LINKS, sources),
            *self._unit_steps(graphs.retrieval, TRACE_LINKS, traces),
            *([self.extraction] if self.extraction else []),
        ]

    def _unit_steps(self, graph: NamedNode, links: UnitLinks, units: Sequence[CheckUnit]) -> Iterator[_Step]:
        due = [unit for unit in units if mark(unit) not in self.marks]
        self.known += [unit for unit in units if mark(unit) in self.marks]
        self.due += len(due)
        for start in range(0, len(due), UNITS_PER_BATCH):
            batch = due[start : start + UNITS_PER_BATCH]
            yield _UnitStep(self.checker, self.collection, graph, links, batch, self.passed)

    def tells(self, rule: str) -> bool:
        """Whether one more finding of this rule is told; counts it either way."""
        self.told[rule] += 1
        return self.told[rule] <= TOLD_PER_RULE

    async def keep_passed(self) -> None:
        await PassedUnits(self.checker.library, self.collection).keep([*self.known, *self.passed])

    def summary(self) -> CheckSummary:
        findings = sum(min(count, TOLD_PER_RULE) for count in self.told.values())
        return CheckSummary(
            collection=self.collection,
            passed=not findings,
            units=self.due,
            unchanged=len(self.known),
            findings=findings,
            truncated=[rule for rule, count in self.told.items() if count > TOLD_PER_RULE],
            signatures=self.signatures.outcome() if self.signatures else None,
            extracted=self.extraction.compared if self.extraction else None,
        )


def _completed_answers(quads: Sequence[Quad]) -> Iterator[NamedNode]:
    """The texts of answers, among these quads, whose session says that it told one, and that were not redacted."""
    told = {Literal(outcome.value) for outcome in (SessionOutcome.ANSWERED, SessionOutcome.REFUSED)}
    sessions = {quad.subject for quad in quads if quad.predicate == TG.outcome and quad.object in told}
    steps = {
        quad.subject for quad in quads if quad.predicate == PROV.was_generated_by and quad.object in sessions
    }
    steps -= {quad.subject for quad in quads if quad.predicate == TG.redacted_in}
    for quad in quads:
        if quad.predicate == TG.document and quad.subject in steps and isinstance(quad.object, NamedNode):
            yield quad.object


def _readable(term: object) -> str:
    return term.value if isinstance(term, NamedNode) else str(term)
