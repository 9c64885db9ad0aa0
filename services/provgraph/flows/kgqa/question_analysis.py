"""A question as the graph is searched for it: its words and their weights, its names, its clauses, what it wants."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rapidfuzz import process
from rapidfuzz.distance import OSA

from provgraph.flows.kgqa.graph import EdgeGroup, PairGraph
from provgraph.language.concepts import concepts
from provgraph.language.terms import FUNCTION_WORDS, content_terms, fold, words

MOST_EDITS: Final = 3
LETTERS_OF_AN_EDIT: Final = 4
"""A name may differ in one letter of each four, and in three at most."""

IN_TITLE: Final = 0.5
MISSPELT: Final = 0.9
"""What a word of the question counts where only a heading above the clause has it, and where it is spelt otherwise."""

CLAUSE_WEIGHT: Final = 2 / 3
LONGEST_NAME: Final = 6
SHORTEST_MISTYPED: Final = 3
_NUMBER: Final = r"\d{1,3}(?:\.\d{1,3})*(?:\s?\((?:[A-Za-z]{1,5}|\d{1,3})\))*"
_ITEM: Final = r"\((?:[A-Za-z]{1,5}|\d{1,3})\)(?:\s?\((?:[A-Za-z]{1,5}|\d{1,3})\))*"
_CLAUSE: Final = re.compile(
    rf"(?:\b(?P<word>clauses?|sections?|articles?|paragraphs?|sec\.|art\.)|§)\s*(?P<named>{_NUMBER}|{_ITEM}|[IVXLC]{{1,7}}\b)"
    rf"|(?<![\w.,])(?P<bare>{_NUMBER})(?![\w%]|[.,]\d)",
    re.IGNORECASE,
)
_ABOUT_CLAUSES: Final = frozenset(
    "clause section article paragraph say state provid about contain set requir mean read cover regul concern".split()
)
_KINDS: Final = (
    (re.compile(r"\bwho(?:m|se)?\b", re.I), "person"),
    (re.compile(r"\bwhere\b", re.I), "place"),
    (
        re.compile(
            r"\b(?:when|how (?:many|much|long|soon|often|late|old|far)|what (?:year|date|percentage|number|amount))\b",
            re.I,
        ),
        "number",
    ),
    (re.compile(r"\bwhich (?:clause|section|article|paragraph)\b", re.I), "clause"),
)


@dataclass(frozen=True)
class AnalysedTerm:
    """A word of the question; `forms` are the graph's words that it is met by, `known` none if there are none."""

    text: str
    weight: float
    forms: frozenset[str]
    share: float

    @property
    def known(self) -> bool:
        return bool(self.forms)


@dataclass(frozen=True)
class AnalysedQuestion:
    """`clauses` are those that the question names, as they are cited; `kind` the type of what it asks for, if told."""

    text: str
    concepts: tuple[str, ...]
    terms: tuple[AnalysedTerm, ...]
    clauses: tuple[str, ...] = ()
    kind: str = ""

    @property
    def open_text(self) -> str:
        """The question without the clauses that it names."""
        return " ".join(_CLAUSE.sub(" ", self.text).split()) if self.clauses else self.text

    @property
    def is_mistyped(self) -> bool:
        """Whether the graph has a word of the question only as it is spelt otherwise."""
        return any(term.known and term.share < 1 for term in self.terms)

    @property
    def known_share(self) -> float:
        """The share of the question's weight that the graph knows."""
        return self._with_clauses(sum(term.weight for term in self.terms if term.known))

    @property
    def parts(self) -> int:
        """How many things are asked for: words, and the clauses that are named."""
        return len(self.terms) + bool(self.clauses)

    def _with_clauses(self, share: float) -> float:
        """A clause that is named weighs as much as two thirds of the question: only what is in it is considered."""
        return CLAUSE_WEIGHT + (1 - CLAUSE_WEIGHT) * share if self.clauses else share

    @property
    def only_clauses(self) -> bool:
        """Whether all that is asked is what a clause says."""
        return bool(self.clauses) and not self.terms

    def shares(self, group: EdgeGroup) -> dict[str, float]:
        """How much of each word (0…1) a group of edges meets, by its labels, or by the headings above it."""
        shares: dict[str, float] = {}
        for term in self.terms:
            if not term.forms.isdisjoint(group.terms):
                shares[term.text] = term.share
            elif not term.forms.isdisjoint(group.title_terms):
                shares[term.text] = IN_TITLE * term.share
        return shares

    def coverage(self, shares: Mapping[str, float]) -> float:
        """The share of the question's weight that is met by what is in the clauses that it names, if it names any."""
        return self._with_clauses(sum(term.weight * shares.get(term.text, 0.0) for term in self.terms))

    def names(self) -> list[str]:
        """The question's words in runs, and its concepts: what names are sought by."""
        spelt = words(self.text)
        runs = (
            " ".join(spelt[start : start + length])
            for length in range(LONGEST_NAME, 0, -1)
            for start in range(len(spelt) - length + 1)
        )
        return list(dict.fromkeys((*self.concepts, *runs)))


def analysed(question: str, graph: PairGraph) -> AnalysedQuestion:
    """The question as this graph can meet it. A word weighs its inverse document frequency over groups of edges; one
    that the graph has only spelt otherwise counts a little less, one that it has not at all as the rarest."""
    clauses = tuple(dict.fromkeys(_clauses(question, graph)))
    rest = _CLAUSE.sub(" ", question) if clauses else question
    content = content_terms(rest)
    if clauses:
        content = {term: word for term, word in content.items() if term not in _ABOUT_CLAUSES}
    forms = {term: _forms(term, graph) for term in content}
    content = {term: word for term, word in content.items() if forms[term][0] or not _is_function_word(word)}
    weights = {term: _weight(forms[term][0], graph) for term in content}
    whole = sum(weights.values())
    terms = tuple(AnalysedTerm(word, weights[term] / whole, *forms[term]) for term, word in content.items())
    return AnalysedQuestion(question, concepts(question), terms, clauses, _kind(question))


def _clauses(question: str, graph: PairGraph) -> Iterator[str]:
    for match in _CLAUSE.finditer(question):
        number = re.sub(r"\s", "", match["named"] or match["bare"])
        if number.startswith("("):
            yield from _ending(number, graph) or [number]
        elif match["named"] or (number in graph.clauses and not number.isdigit()):
            yield number


def _ending(number: str, graph: PairGraph) -> list[str]:
    """The clauses that end in this number: (p)(3) of 39.13(p)(3)."""
    return sorted(clause for clause in graph.clauses if clause[clause.find("(") :] == number)


def _forms(term: str, graph: PairGraph) -> tuple[frozenset[str], float]:
    """The words of the graph that a word of the question may be, and what they count."""
    if term in graph.frequencies:
        return frozenset((term,)), 1.0
    allowed = edits_of(term)
    if not allowed or any(map(str.isdigit, term)):
        return frozenset(), 0.0
    near = process.extract(term, list(graph.frequencies), scorer=OSA.distance, score_cutoff=allowed, limit=8)
    least = min((distance for _, distance, _ in near), default=0)
    return frozenset(word for word, distance, _ in near if distance == least), MISSPELT


def _is_function_word(word: str) -> bool:
    """Whether a word that the graph does not have is one that says nothing by itself, mistyped: "teh", "withn"."""
    return len(word) >= SHORTEST_MISTYPED and any(
        OSA.distance(fold(word), function_word, score_cutoff=1) <= 1 for function_word in FUNCTION_WORDS
    )


def edits_of(name: str) -> int:
    """How many letters may differ in a name so long."""
    return min(MOST_EDITS, len(name) // LETTERS_OF_AN_EDIT)


def _weight(forms: frozenset[str], graph: PairGraph) -> float:
    frequency = max((graph.frequencies[form] for form in forms), default=0)
    return math.log(1 + (len(graph.groups) + 1) / (frequency + 1))


def _kind(question: str) -> str:
    return next((kind for pattern, kind in _KINDS if pattern.search(question)), "")


def is_below(clause: str, named: Sequence[str]) -> bool:
    """Whether a clause is one of those named, or a part of one."""
    return any(clause == each or clause.startswith((f"{each}.", f"{each}(")) for each in named)
