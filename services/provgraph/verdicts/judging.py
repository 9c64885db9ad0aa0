"""A claim and evidence in, a verdict out.

First the statements: where all are entailed, with every word that narrows them, it is SUPPORTS; where one is excluded
of the same thing, REFUTES. What they leave open is weighed by the words of the sentence that meets most of the claim:
how they hang together, what is unmet, what stands in its place. NOT ENOUGH INFO names the part that is missing.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from provgraph.reading.scope import Unscoped, scope_names, without_scope, words_of_text
from provgraph.reading.syntax import ParsedSentence, Parser
from provgraph.verdicts.aligning import Aligner
from provgraph.verdicts.alignment import Alignment, Part
from provgraph.verdicts.claim_clauses import clauses_of, judged_by_clauses
from provgraph.verdicts.claim_readings import readings
from provgraph.verdicts.claims import Claim, read_claim, spans_of, why_no_claim, why_no_statement
from provgraph.verdicts.clause_ties import hang_alike
from provgraph.verdicts.decision import LABELS, Weighed, weighed
from provgraph.verdicts.denials import ROLE, denial
from provgraph.verdicts.judgement import Element, EvidenceText, Judgement, Label, Place
from provgraph.verdicts.masking import bare_title, shared_names, titles_of
from provgraph.verdicts.narrowing import narrowing
from provgraph.verdicts.open_parts import leaves_open
from provgraph.verdicts.openings import is_of_other_times
from provgraph.verdicts.outcomes import Outcome
from provgraph.verdicts.restricting import is_but_for, is_of_some, is_over, only_outcome, takes_out
from provgraph.verdicts.shared_names import share_names, topics_for
from provgraph.verdicts.tables import sentence_place, table_of
from provgraph.verdicts.text_reading import text_meaning
from provgraph.verdicts.texts import TextMeaning
from provgraph.verdicts.things import Statement
from provgraph.verdicts.verbatim import said_verbatim
from provgraph.verdicts.wording import missing_words, role_name

BY_STATEMENTS: Final[Mapping[Label, float]] = {"SUPPORTS": 0.9, "REFUTES": 0.75}
"""The least confidence of a verdict that statements alone decide: of 490 on seven sets, 98 and 92 % were right."""

PARTLY_READ: Final = 0.85
"""The most of a REFUTES of a claim of which parts met no statement: of SciFact's surest such 10 of 16 were right."""
_MANY: Final = 2
UNMEANT: Final = 0.2
ANOTHER: Final = "The documents that say otherwise are about something else."
LEFT_OPEN: Final = "The text says so only perhaps, of one or another of several, or in another order."
EXCLUDED: Final = 0.55
"""The least chance of a REFUTES by statements: of 112 above it 100 were right, of 29 below 17."""


class Judge:
    """Judges claims; keeps what the last `keep` evidence texts say, as many claims are judged by one document.

    `step` is called before each text that is read, and before the claim is laid on them.
    """

    def __init__(self, parser: Parser, keep: int = 256, step: Callable[[], None] = lambda: None) -> None:
        self._parser = parser
        self._keep = keep
        self._step = step
        self._known: OrderedDict[tuple[str, str, str, tuple[str, ...]], TextMeaning] = OrderedDict()
        self._shared: list[TextMeaning] = []

    def judge(self, claim: str, evidence: Sequence[EvidenceText]) -> Judgement:
        """What the evidence says of the claim; linear in its length and in that of the evidence."""
        if reason := why_no_claim(claim):
            return Judgement("NOT ENOUGH INFO", 1.0, missing=reason, notes=("not a claim",))
        names = [title for text in evidence for title in (bare_title(text), *titles_of(text.text)) if title]
        shared = shared_names(claim, [text.text for text in evidence])
        read, quoted = read_claim(claim, self._parser, [*names, *shared]), (*titles_of(claim), *shared)
        if reason := why_no_statement(read):
            return Judgement("NOT ENOUGH INFO", 1.0, missing=reason, notes=("not a claim",))
        meanings = []
        for text in evidence:
            self._step()
            meanings.append(self.meaning(text, quoted))
        self._step()
        if list(map(id, meanings)) != list(map(id, self._shared)):  # many claims are judged by the same texts
            share_names(meanings)
            self._shared = meanings
        judgement = judge_read(read, meanings)
        if judgement.label == "NOT ENOUGH INFO" and (clauses := clauses_of(read.meaning.parsed, claim)):
            judgement = judged_by_clauses(judgement, clauses, lambda clause: self.judge(clause, evidence))
        if judgement.label != "SUPPORTS" and len(read.meaning.parsed) == 1 and any(t.head for t in evidence):
            judgement = self._of_documents_meant(judgement, read.meaning.parsed[0], claim, evidence)
        return judgement if judgement.label == "SUPPORTS" else said_verbatim(claim, evidence) or judgement

    def _of_documents_meant(
        self, whole: Judgement, sentence: ParsedSentence, claim: str, evidence: Sequence[EvidenceText]
    ) -> Judgement:
        """The judgement by documents whose head has what the claim names, of the claim without it: "the mayor of
        Halversund" by the minutes of that council. Those of another council refute nothing."""
        for head, title in {text.head: text.title for text in evidence if text.head}.items():
            unscoped = without_scope(sentence, claim, head, of_verbs=False, title=title)
            if unscoped.text != claim:
                judged = self.judge(unscoped.text, [text for text in evidence if text.head == head])
                if judged.label != "NOT ENOUGH INFO":
                    return replace(judged, elements=tuple(_moved(each, unscoped) for each in judged.elements))
        if whole.label == "REFUTES" and not _names_all(whole, scope_names(sentence), evidence):
            return replace(whole, label="NOT ENOUGH INFO", confidence=UNMEANT, deciding=(), missing=ANOTHER)
        return whole

    def meaning(self, evidence: EvidenceText, quoted: tuple[str, ...] = ()) -> TextMeaning:
        """What an evidence text says; `quoted` are titles of the claim that may stand in it."""
        key = (evidence.id, evidence.text, evidence.title, quoted)
        if key not in self._known:
            self._known[key] = text_meaning(evidence, self._parser, quoted)
            if len(self._known) > self._keep:
                self._known.popitem(last=False)
        return self._known[key]


def _names_all(whole: Judgement, names: frozenset[str], evidence: Sequence[EvidenceText]) -> bool:
    """Whether the document of a deciding sentence has all those names, or is a short one."""
    sources = {place.source for place in whole.deciding}
    for head in {text.head for text in evidence if text.id in sources}:
        said = [words_of_text(f"{text.title} {text.text}") for text in evidence if text.head == head]
        if not head or names <= head.union(*said):
            return True
    return not sources


def _moved(element: Element, unscoped: Unscoped) -> Element:
    start = unscoped.place(element.start)
    return replace(element, start=start, end=start + element.end - element.start)


def judge(claim: str, evidence: Sequence[EvidenceText], parser: Parser) -> Judgement:
    """One claim by texts that are read for it alone."""
    return Judge(parser).judge(claim, evidence)


def judge_read(claim: Claim, texts: Sequence[TextMeaning]) -> Judgement:
    """The same for a claim and texts that are read already."""
    by_text = [
        [best_of_group(group, Aligner(text, topics_for(text, claim, texts))) for group in claim.groups]
        for text in texts
    ]
    strict = _Judged(
        claim, [_best(found) for found in zip(*by_text, strict=True)] or _unaligned(claim)
    ).judgement()
    options = weigh(claim, texts, by_text)
    if not options:
        return strict
    if strict.label != "NOT ENOUGH INFO":
        likely = max(options, key=lambda option: option.chances[LABELS.index(strict.label)])
        if strict.label == "REFUTES" and likely.chances[1] < EXCLUDED:
            return _unsure(strict, likely)
        if strict.label == "SUPPORTS" and leaves_open(likely.reading):
            return replace(strict, label="NOT ENOUGH INFO", confidence=UNMEANT, missing=LEFT_OPEN)
        sure = max(likely.confidence(strict.label), BY_STATEMENTS[strict.label])
        return _not_surer(replace(strict, confidence=sure, features=likely.values), strict)
    best = max(options, key=lambda option: (option.label != "NOT ENOUGH INFO", option.decided))
    return _not_surer(_by_words(strict, best), strict)


def _not_surer(judgement: Judgement, strict: Judgement) -> Judgement:
    """The judgement, no REFUTES surer than `PARTLY_READ` where several parts of the claim were met by no statement."""
    unread = sum(element.relation == "not said" for element in strict.elements)
    if judgement.label != "REFUTES" or unread < _MANY:
        return judgement
    return replace(judgement, confidence=min(judgement.confidence, PARTLY_READ))


def weigh(claim: Claim, texts: Sequence[TextMeaning], by_text: Sequence[list[Alignment]]) -> list[Weighed]:
    """The claim laid on each text, with the chances of each verdict by it."""
    found = []
    for reading in readings(claim, texts):
        number = next(i for i, text in enumerate(texts) if text is reading.meaning)
        alone = _Judged(claim, by_text[number] or _unaligned(claim)).judgement()
        found.append(weighed(reading, alone.elements, alone.label))
    return found


def _unsure(strict: Judgement, likely: Weighed) -> Judgement:
    """A part is excluded, but by words that hardly speak of the same."""
    excluded = next(element for element in strict.elements if element.relation == "contradicted")
    said = f"“{excluded.evidence.text}”" if excluded.evidence is not None else "something else"
    missing = (
        f"The texts say {said} where the claim says “{excluded.text}”, but perhaps of another thing or time."
    )
    elements = tuple(
        replace(element, relation="not said", evidence=None)
        if element.relation == "contradicted"
        else element
        for element in strict.elements
    )
    sure = likely.confidence("NOT ENOUGH INFO")
    return Judgement("NOT ENOUGH INFO", sure, elements, strict.deciding, missing, (), likely.values)


def _by_words(strict: Judgement, weighed: Weighed) -> Judgement:
    """The verdict that the words allow where the statements leave it open."""
    label = weighed.label
    elements = table_of(label, weighed, strict.elements)
    missing = missing_words(elements, weighed.reading.narrowed_by) if label == "NOT ENOUGH INFO" else ""
    deciding = (sentence_place(weighed.reading),) if label != "NOT ENOUGH INFO" else strict.deciding
    sure = weighed.confidence(label)
    return Judgement(label, sure, tuple(elements), deciding, missing, (), weighed.values)


def _unaligned(claim: Claim) -> list[Alignment]:
    return [Alignment(group[0], ()) for group in claim.groups]


def best_of_group(group: Sequence[Statement], aligner: Aligner) -> Alignment:
    return _best([aligner.best(statement) for statement in group])


def _best(alignments: Sequence[Alignment]) -> Alignment:
    return max(alignments, key=lambda alignment: alignment.score)


@dataclass
class _Judged:
    """The best alignment of each clause of a claim."""

    claim: Claim
    groups: list[Alignment]

    def judgement(self) -> Judgement:
        elements = self._elements()
        label = self._label(elements)
        missing = missing_words(elements, self.narrowed) if label == "NOT ENOUGH INFO" else ""
        return Judgement(label, 0.5, tuple(elements), tuple(self._deciding(label)), missing)

    @cached_property
    def narrowed(self) -> str:
        """The words of the evidence that narrow what it says of the claim, empty where none does."""
        for group in self.groups:
            if group.said is not None and group.text is not None and (group.entailed or group.contradicted):
                words = narrowing(group.said, group.text.parsed[group.said.sentence], self.claim.lemmas)
                if words:
                    return group.text.evidence.text[words[0].start : words[-1].end]
        return ""

    def _label(self, elements: list[Element]) -> Label:
        if any(e.relation == "contradicted" and e.role in ("only", ROLE) for e in elements):
            return "REFUTES"
        against = [
            group
            for group in self.groups
            if group.contradicted and self._whole(group, elements) and not _is_taken_out(group, elements)
        ]
        if any(not self.narrowed or _is_opposed(alignment) for alignment in against):
            return "REFUTES"
        if self.narrowed:
            return "NOT ENOUGH INFO"
        met = bool(self.groups) and all(group.entailed for group in self.groups)
        left_out = any(
            is_of_some(group) or is_over(group) or is_of_other_times(group) or self._is_but_for(group)
            for group in self.groups
        )
        told = met and all(e.relation == "entailed" for e in elements) and not left_out
        if told and hang_alike(self.groups, self.claim.meaning.parsed):
            return "SUPPORTS"
        return "NOT ENOUGH INFO"

    def _is_but_for(self, group: Alignment) -> bool:
        return group.said is not None and is_but_for(self.claim.text, _sentence_place(group).text)

    def _whole(self, group: Alignment, elements: list[Element]) -> bool:
        """A denial is refuted only where all that narrows it is met."""
        return group.claimed.positive or not any(e.relation == "not said" for e in elements)

    def _deciding(self, label: Label) -> list[Place]:
        alignments = [g for g in self.groups if g.said and (label != "REFUTES" or g.contradicted)]
        alignments = alignments or [g for g in self.groups if g.said]
        places = [_sentence_place(alignment) for alignment in alignments]
        return list(dict.fromkeys(places))

    # the table

    def _elements(self) -> list[Element]:
        table: dict[tuple[int, int], Element] = {}
        for group in self.groups:
            for part in group.parts or _unmet(group):
                element = _element(part, group)
                known = table.get((element.start, element.end))
                if known is None or _rank(element) > _rank(known):
                    table[element.start, element.end] = element
        elements = list(table.values())
        elements += self._rest(elements)
        if only := self.claim.only:
            elements.append(only_outcome(self.groups, only))
        if denied := denial(self.claim, self.groups, elements):
            elements.append(denied)
        return sorted(elements, key=lambda element: (element.start, element.end))

    def _rest(self, elements: list[Element]) -> list[Element]:
        """The words of the claim that no statement took up."""
        spans = [*self._covered(), *((e.start, e.end) for e in elements)]
        covered = {at for start, end in spans for at in range(start, end)}
        told = {group.claimed.triggered_by for group in self.groups}  # "high", which the height says
        return [
            Element(t.text, t.start, t.end, "rest", "not said", None, "not read into any statement")
            for t in self.claim.content()
            if not covered.issuperset(range(t.start, t.end)) and t.text.lower() not in told
        ]

    def _covered(self) -> list[tuple[int, int]]:
        spans: list[tuple[int, int]] = []
        for group in self.groups:
            for part in group.parts:
                if part.thing is not None:
                    spans += [(span.start, span.end) for span in spans_of(part.thing)]
        return spans


def _is_taken_out(group: Alignment, elements: Sequence[Element]) -> bool:
    """Whether what is not said of the claim stands among what the text takes out of what it says."""
    left = [element.text for element in elements if element.relation == "not said"]
    return group.said is not None and any(takes_out(_sentence_place(group).text, words) for words in left)


def _is_opposed(group: Alignment) -> bool:
    """Whether the text says the opposite, if only at times: what is open on Thursdays is not closed."""
    return group.said is not None and group.claimed.positive == group.said.positive


def _unmet(group: Alignment) -> list[Part]:
    claimed = group.claimed
    parts = [Part("predicate", claimed.words, Outcome("not said"))]
    return parts + [
        Part(role, t.span, Outcome("not said"), t) for role, t in claimed.things() if role[0] != "~"
    ]


def _rank(element: Element) -> int:
    """Of a part that two clauses speak of, the clause that is not met is told."""
    return {"contradicted": 2, "not said": 1, "entailed": 0}[element.relation]


def _element(part: Part, group: Alignment) -> Element:
    relation = "not said" if part.outcome.finding == "different" else part.outcome.finding
    span = part.outcome.span
    place = None
    if span is not None and group.text is not None and relation != "not said":
        place = Place(group.text.evidence.id, span.start, span.end, span.text)
    return Element(
        part.span.text, part.span.start, part.span.end, role_name(part), relation, place, part.outcome.why
    )  # fmt: skip


def _sentence_place(group: Alignment) -> Place:
    assert group.said is not None
    assert group.text is not None
    sentence = group.text.parsed[group.said.sentence]
    evidence = group.text.evidence
    return Place(evidence.id, sentence.start, sentence.end, evidence.text[sentence.start : sentence.end])
