"""A claim and evidence in, a verdict out.

SUPPORTS needs every statement of the claim, and every word that narrows it, entailed by evidence; REFUTES needs one
that the evidence excludes of the same thing. Everything else is NOT ENOUGH INFO, with the part that is missing.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from provgraph.reading.syntax import Parser
from provgraph.verdicts.aligning import Aligner, Alignment, Part
from provgraph.verdicts.claims import Claim, read_claim, spans_of, why_no_claim
from provgraph.verdicts.confidence import confidence
from provgraph.verdicts.denials import ROLE, denial
from provgraph.verdicts.judgement import Element, EvidenceText, Judgement, Label, Place
from provgraph.verdicts.masking import bare_title, shared_names, titles_of
from provgraph.verdicts.outcomes import UNNAMED, Outcome
from provgraph.verdicts.restricting import only_outcome
from provgraph.verdicts.texts import TextMeaning, text_meaning
from provgraph.verdicts.wording import missing_words, role_name


class Judge:
    """Judges claims; keeps what the last `keep` evidence texts say, as many claims are judged by one document."""

    def __init__(self, parser: Parser, keep: int = 256) -> None:
        self._parser = parser
        self._keep = keep
        self._known: OrderedDict[tuple[str, str, str, tuple[str, ...]], TextMeaning] = OrderedDict()

    def judge(self, claim: str, evidence: Sequence[EvidenceText]) -> Judgement:
        """What the evidence says of the claim; linear in its length and in that of the evidence."""
        if reason := why_no_claim(claim):
            return Judgement("NOT ENOUGH INFO", 1.0, missing=reason, notes=("not a claim",))
        names = [title for each in evidence for title in (bare_title(each), *titles_of(each.text)) if title]
        shared = shared_names(claim, [each.text for each in evidence])
        read, quoted = read_claim(claim, self._parser, [*names, *shared]), (*titles_of(claim), *shared)
        return judge_read(read, [self.meaning(each, quoted) for each in evidence])

    def meaning(self, evidence: EvidenceText, quoted: tuple[str, ...] = ()) -> TextMeaning:
        """What an evidence text says; `quoted` are titles of the claim that may stand in it."""
        key = (evidence.id, evidence.text, evidence.title, quoted)
        if key not in self._known:
            self._known[key] = text_meaning(evidence, self._parser, quoted)
            if len(self._known) > self._keep:
                self._known.popitem(last=False)
        return self._known[key]


def judge(claim: str, evidence: Sequence[EvidenceText], parser: Parser) -> Judgement:
    """One claim by texts that are read for it alone."""
    return Judge(parser).judge(claim, evidence)


def judge_read(claim: Claim, texts: Sequence[TextMeaning]) -> Judgement:
    """The same for a claim and texts that are read already."""
    aligners = [Aligner(text, claim.topics) for text in texts]
    groups = [_best_of_group(group, aligners) for group in claim.groups]
    judged = _Judged(claim, groups)
    return judged.judgement()


def _best_of_group(group: Iterable, aligners: Sequence[Aligner]) -> Alignment:  # type: ignore[type-arg]
    found = [aligner.best(statement) for statement in group for aligner in aligners]
    empty = Alignment(next(iter(group)), ())
    return max(found, key=lambda each: each.score, default=empty)


@dataclass
class _Judged:
    """The best alignment of each clause of a claim."""

    claim: Claim
    groups: list[Alignment]

    def judgement(self) -> Judgement:
        elements = self._elements()
        label = self._label(elements)
        features = self._features(label, elements)
        missing = missing_words(elements) if label == "NOT ENOUGH INFO" else ""
        return Judgement(
            label,
            confidence(label, features),
            tuple(elements),
            tuple(self._deciding(label)),
            missing,
            (),
            features,
        )

    def _label(self, elements: list[Element]) -> Label:
        if any(e.relation == "contradicted" and e.role in ("only", ROLE) for e in elements):
            return "REFUTES"
        if any(each.contradicted and self._whole(each, elements) for each in self.groups):
            return "REFUTES"
        met = bool(self.groups) and all(each.entailed for each in self.groups)
        if met and all(e.relation == "entailed" for e in elements):
            return "SUPPORTS"
        return "NOT ENOUGH INFO"

    def _whole(self, group: Alignment, elements: list[Element]) -> bool:
        """A denial is refuted only where all that narrows it is met."""
        return group.claimed.positive or not any(e.relation == "not said" for e in elements)

    def _deciding(self, label: Label) -> list[Place]:
        chosen = [g for g in self.groups if g.said and (label != "REFUTES" or g.contradicted)]
        chosen = chosen or [g for g in self.groups if g.said]
        places = [_sentence_place(each) for each in chosen]
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
        return sorted(elements, key=lambda each: (each.start, each.end))

    def _rest(self, elements: list[Element]) -> list[Element]:
        """The words of the claim that no statement took up."""
        spans = [*self._covered(), *((e.start, e.end) for e in elements)]
        covered = {at for start, end in spans for at in range(start, end)}
        return [
            Element(t.text, t.start, t.end, "rest", "not said", None, "not read into any statement")
            for t in self.claim.content()
            if not covered.issuperset(range(t.start, t.end))
        ]

    def _covered(self) -> list[tuple[int, int]]:
        spans: list[tuple[int, int]] = []
        for group in self.groups:
            for part in group.parts:
                if part.thing is not None:
                    spans += [(span.start, span.end) for span in spans_of(part.thing)]
        return spans

    def _unnamed(self, label: Label) -> bool:
        """Whether a text that decides does not name what it speaks of."""
        groups = [g for g in self.groups if label != "REFUTES" or g.contradicted]
        return any(part.outcome.why == UNNAMED for group in groups for part in group.parts)

    def _features(self, label: Label, elements: list[Element]) -> tuple[float, ...]:
        weight = 1.0
        for group in self.groups:
            weight *= group.weight if group.parts else 0.5
        met = sum(e.relation == "entailed" for e in elements) / (len(elements) or 1)
        unsaid = sum(e.relation == "not said" for e in elements)
        certain = min(
            (p.outcome.weight for g in self.groups for p in g.parts if p.outcome.finding == "contradicted"),
            default=1.0,
        )
        return (
            round(weight, 3),
            round(met, 3),
            float(len(elements)),
            float(len(self.groups)),
            float(unsaid),
            certain,
            float(self._unnamed(label)),
        )


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
