"""A pattern filled without a proposition that says it: a sentence that names what is known, has a word for the
relation, and near both something of the type that is asked for.

It finds what the reader of sentences did not put into a proposition. Such a match is weaker than one by roles, and its
score says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Final

from provgraph.derivation.candidates import AnswerCandidate, SentenceView
from provgraph.derivation.cues import pattern_cues
from provgraph.derivation.evidence import ReadPassage
from provgraph.derivation.fitting import KINSHIP, fits
from provgraph.derivation.matching import PREPOSITIONS, type_factor
from provgraph.derivation.names import holds, likeness
from provgraph.derivation.plan import Pattern
from provgraph.reading.propositions import Argument
from provgraph.reading.relations import vocabulary
from provgraph.reading.syntax import ParsedSentence

_MOST: Final = 0.7
"""What a match without roles is worth at best."""
LEAST: Final = 0.3
_NEAR: Final = 3
_FAR: Final = 6
"""How many steps of the tree a candidate may be from the word that says the relation; nearer for kinship."""


@dataclass(frozen=True)
class Hint:
    """A candidate, and why it may fill the pattern."""

    candidate: AnswerCandidate
    score: float


def hints(
    pattern: Pattern,
    bindings: Mapping[str, Argument],
    types: Mapping[str, str],
    views: Sequence[SentenceView],
    otherwise: Sequence[str] = (),
    counted: str = "",
) -> list[Hint]:
    """The candidates that may fill the open term of a pattern, best first; `otherwise` are the names that its sentence
    has to speak of where the pattern has none; it must also have what the pattern knows without a name ("bridge")."""
    unknown = next(iter(pattern.variables - set(bindings)), "")
    expected = types.get(unknown, "") or _range_of(pattern, unknown)
    known = [
        bindings[t.variable] if t.variable else t.argument
        for t in pattern.terms
        if (t.variable in bindings) or (not t.variable and t.is_named)
    ]
    names = [argument.label for argument in known if argument.value is None] or list(otherwise)
    if not names:
        return []
    best: dict[str, Hint] = {}
    cues = pattern_cues(pattern.proposition) or ({counted} if counted else frozenset())
    is_named = any(argument.value is None for argument in known)
    things = [] if is_named else [_head_of(t.argument) for t in pattern.terms if not t.variable]
    for view in views:
        if not view.lemmas.issuperset(things):
            continue
        for hint in _of_sentence(view, names, cues, pattern, expected, unknown):
            label = hint.candidate.label.casefold()
            if label not in best or best[label].score < hint.score:
                best[label] = hint
    return sorted(best.values(), key=lambda hint: -hint.score)


def _preposition_of(pattern: Pattern, unknown: str) -> str:
    """The preposition of a relation in the text's own words, before what is asked for: "die of"."""
    last = pattern.relation.rpartition(" ")[2]
    is_object = pattern.object is not None and pattern.object.variable == unknown
    return last if is_object and not pattern.proposition.canonical and last in PREPOSITIONS else ""


def _case_of(view: SentenceView, candidate: AnswerCandidate) -> str:
    children = view.sentence.children[candidate.head]
    return next((child.text.casefold() for child in children if child.relation == "case"), "")


def _head_of(argument: Argument) -> str:
    return (argument.lemma or argument.label).casefold().split()[-1]


def _range_of(pattern: Pattern, variable: str) -> str:
    """The type that the relation asks for at the open end."""
    known = vocabulary()
    if pattern.relation not in known:
        return ""
    relation = known[pattern.relation]
    types = relation.domain if pattern.subject.variable == variable else relation.range
    plain = types - {"-", "Group", "Concept", "Role"}
    return next(iter(plain)) if len(plain) == 1 else ""


def _of_sentence(
    view: SentenceView, names: Sequence[str], cues: Set[str], pattern: Pattern, expected: str, unknown: str
) -> Iterator[Hint]:
    anchored = min(anchor(view, name) for name in names)
    if anchored <= 0:
        return
    places = [
        t.index for t in view.sentence.tokens if t.lemma.casefold() in cues or t.text.casefold() in cues
    ]
    if not places:
        return
    relation = pattern.relation if pattern.object is not None and pattern.object.variable == unknown else ""
    preposition = _preposition_of(pattern, unknown)
    typed = [
        each
        for each in _typed(view, names, expected, relation)
        if not preposition or _case_of(view, each[0]) in (preposition, "")
    ]
    distances = [min(view.distance(each.head, place) for place in places) for each, _ in typed]
    nearest = min(distances, default=0)
    farthest = _NEAR if relation in KINSHIP else _FAR
    away = min(
        (view.distance(head, place) for name in names for head in view.heads_of(name) for place in places),
        default=1,
    )
    for (candidate, fit), near in zip(typed, distances, strict=True):
        if (
            near > nearest + 1
            or near > farthest
            or (relation in _DESCENT and _is_parent(view, candidate, places))
        ):
            continue
        score = _MOST * anchored * fit / (1 + 0.15 * max(near - 1, 0)) / (1 + 0.08 * max(away - 1, 0))
        if score >= LEAST:
            yield Hint(candidate, score)


_DESCENT: Final = frozenset({"child", "son", "daughter", "grandchild"})


def _is_parent(view: SentenceView, candidate: AnswerCandidate, places: Sequence[int]) -> bool:
    """Whether a sentence has "son of" before a name: who stands there is the parent."""
    tokens = view.sentence.tokens
    of = [i for i in places if i + 1 < len(tokens) and tokens[i + 1].text.casefold() == "of"]
    return any(candidate.head > index for index in of)


def _typed(
    view: SentenceView, names: Sequence[str], expected: str, relation: str
) -> Iterator[tuple[AnswerCandidate, float]]:
    """The candidates of a sentence that can be meant, and how well their type fits."""
    for candidate in view.candidates:
        if any(likeness(candidate.label, name) >= 0.45 for name in names):
            continue
        if candidate.resolved and relation in KINSHIP:  # "he had been a student of her mother"
            continue
        argument = candidate.argument()
        fit = type_factor(expected, argument)
        if fit > 0.3 and (not relation or fits(relation, argument)):
            yield candidate, fit


def anchor(view: SentenceView, name: str) -> float:
    """How surely a sentence speaks of what is named: it says the name, means it, or stands under it as title."""
    if holds(view.text, name):
        return 1.0
    if any(likeness(name, other) >= 0.85 for other in view.resolved):
        return 0.95
    if likeness(name, view.passage.title) >= 0.85:
        return 0.8
    if any(0.55 < likeness(name, c.label) < 0.85 for c in view.candidates) and holds(view.passage.text, name):
        return 0.8
    return 0.0


class Views:
    """The sentences of passages, each made ready once."""

    def __init__(self) -> None:
        self._made: dict[tuple[str, int], SentenceView] = {}

    def of(self, passages: Sequence[ReadPassage]) -> list[SentenceView]:
        return [self.sentence(passage, sentence) for passage in passages for sentence in passage.parsed]

    def sentence(self, passage: ReadPassage, sentence: ParsedSentence) -> SentenceView:
        key = passage.key, sentence.start
        if key not in self._made:
            self._made[key] = SentenceView(passage, sentence)
        return self._made[key]
