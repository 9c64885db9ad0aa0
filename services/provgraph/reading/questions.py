"""What a question asks: the same propositions as a statement's, with open arguments in place of what is not known.

"Who founded the company that made Red Sand?" is read as two propositions that share a variable:

    company ?x | founded-by | who ?answer          Red Sand | producer | company ?x

`QuestionReading.answer` is the open argument that is asked; its `variable` is "?answer". Other open arguments are
bridges: what the documents must tell before the answer can be found.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from provgraph.reading.phrases import Phrases
from provgraph.reading.propositions import Argument, Proposition, Span
from provgraph.reading.question_trees import as_statement
from provgraph.reading.relations import vocabulary
from provgraph.reading.sentence_reading import SentenceReader
from provgraph.reading.syntax import ParsedSentence, Parser, Token
from provgraph.reading.values import Value

QuestionKind = Literal[
    "who", "what", "when", "where", "why", "how", "how-many", "how-much", "yes-no", "which-of", "list",
    "superlative", "difference", "sum", "definition", "span",
]  # fmt: skip
ANSWER: Final = "?answer"

_COMMAND: Final = re.compile(
    r"\s*(?:please\s+)?(?:list|name|give(?:\s+me)?|tell\s+me|find|show(?:\s+me)?|identify|enumerate)\s+(?:all\s+(?:of\s+)?)?",
    re.IGNORECASE,
)
_DIRECTIONS: Final[dict[str, tuple[str, Literal["least", "most"]]]] = {
    "first": ("date", "least"), "earlier": ("date", "least"), "earliest": ("date", "least"),
    "before": ("date", "least"),
    "later": ("date", "most"), "latest": ("date", "most"), "last": ("date", "most"), "recently": ("date", "most"),
    "older": ("born-on-date", "least"), "oldest": ("born-on-date", "least"), "elder": ("born-on-date", "least"),
    "younger": ("born-on-date", "most"), "youngest": ("born-on-date", "most"),
    "larger": ("area", "most"), "largest": ("area", "most"), "bigger": ("area", "most"), "biggest": ("area", "most"),
    "smaller": ("area", "least"), "smallest": ("area", "least"), "taller": ("height", "most"),
    "tallest": ("height", "most"), "higher": ("height", "most"), "highest": ("height", "most"),
    "lower": ("height", "least"), "lowest": ("height", "least"), "longer": ("length", "most"),
    "longest": ("length", "most"), "shorter": ("length", "least"), "shortest": ("length", "least"),
    "heavier": ("weight", "most"), "heaviest": ("weight", "most"), "lighter": ("weight", "least"),
    "deeper": ("depth", "most"), "deepest": ("depth", "most"), "wider": ("width", "most"), "widest": ("width", "most"),
    "more": ("number", "most"), "most": ("number", "most"), "fewer": ("number", "least"), "less": ("number", "least"),
    "fewest": ("number", "least"), "least": ("number", "least"), "populous": ("population", "most"),
    "expensive": ("cost", "most"), "cheapest": ("cost", "least"), "cheaper": ("cost", "least"),
}  # fmt: skip
_SUM: Final = re.compile(r"\b(?:in total|combined|altogether|sum of|total of|total number)\b", re.IGNORECASE)
_DIFFERENCE: Final = re.compile(
    r"\b(?:difference between|how (?:much|many(?: \w+)?) (?:more|less|fewer|older|younger|longer|shorter|taller|higher|"
    r"lower|larger|bigger|smaller|heavier|lighter|faster|wider|deeper)\b(?=.*\bthan\b)|"
    r"how (?:many (?:years|days|months)|long) (?:after|before|between|passed|elapsed)|"
    r"by how much\b(?=.*\b(?:than|between)\b))\b",
    re.IGNORECASE,
)
_MEASURES: Final = frozenset("old tall high long wide deep heavy big large far".split())
_KINDS: Final = frozenset({"is", "instance-of", "occupation", "position", "has-property"})
_AUXILIARIES: Final = frozenset(
    "am is are was were do does did has have had can could will would may might should must isn't aren't wasn't "
    "weren't don't doesn't didn't hasn't haven't hadn't".split()
)


@dataclass(frozen=True)
class QuestionComparison:
    """What the question compares by: a relation's id, or "date", "number"; `same` asks whether both are one."""

    relation: str
    direction: Literal["least", "most", "same"]
    word: Span


@dataclass(frozen=True)
class Constraint:
    """What narrows the answer: a time ("before 1990", the bound is in the value), a place, a number."""

    kind: Literal["time", "place", "number"]
    argument: Argument
    value: Value | None = None


@dataclass(frozen=True)
class QuestionReading:
    """What a question asks. `expected_type` is one of `ENTITY_TYPES`, "Date", "Number", "Reason", "Boolean" or empty.

    `names` are the named things of the question, `alternatives` those to choose from or compare, `counted` the lemma
    of what "how many" counts.
    """

    text: str
    kind: QuestionKind
    answer: Argument | None
    expected_type: str
    propositions: tuple[Proposition, ...]
    names: tuple[Argument, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    alternatives: tuple[Argument, ...] = ()
    comparison: QuestionComparison | None = None
    counted: str = ""

    @property
    def bridges(self) -> tuple[str, ...]:
        """The variables that must be known before the answer can be."""
        variables = (a.variable for p in self.propositions for a in (p.subject, p.object, *p.arguments) if a)
        return tuple(dict.fromkeys(v for v in variables if v and v != ANSWER))


def read_question(text: str, parser: Parser) -> QuestionReading:
    """What `text`, one question or command, asks; spans are characters of `text`. Never fails on odd input: what cannot
    be read has kind "span" and no propositions."""
    command = _COMMAND.match(text)
    start = command.end() if command else len(text) - len(text.lstrip())
    end = len(text.rstrip(" \n.") if command else text.rstrip())
    parsed = parser.parse(text, [(start, end)]) if text[start:end].strip() else []
    if not parsed or not parsed[0].tokens:
        return QuestionReading(text, "span", None, "", ())
    sentence = as_statement(parsed[0])
    reader = SentenceReader(sentence, text, vocabulary(), asking=True)
    return _Question(text, sentence, reader, bool(command)).reading()


class _Question:
    """One question being read."""

    def __init__(self, text: str, sentence: ParsedSentence, reader: SentenceReader, command: bool) -> None:
        self._text, self._sentence, self._reader, self._command = text, sentence, reader, command
        self._phrases: Phrases = reader.phrases
        self._said: tuple[Proposition, ...] = ()
        self._words = [token.text.lower() for token in sentence.tokens]

    def reading(self) -> QuestionReading:
        open_token = self._open_token()
        propositions = self._said = self._propositions(open_token)
        answer = self._phrases.argument(open_token, "other", named=False) if open_token is not None else None
        if answer is not None:
            answer = replace(answer, kind="open", variable=ANSWER)
        alternatives = self._alternatives()
        comparison = self._comparison(alternatives)
        kind = self._kind(open_token, alternatives, comparison, propositions)
        return QuestionReading(
            self._text, kind, answer, self._expected(kind, open_token), propositions, self._names(),
            self._constraints(), alternatives, comparison, self._counted(open_token),
        )  # fmt: skip

    # what is asked

    def _open_token(self) -> Token | None:
        """The phrase that asks; of a command its first phrase."""
        asking = [token for token in self._sentence.tokens if self._asks(token)]
        if asking:
            return asking[0]
        if self._command:
            root = next(iter(self._sentence.roots), None)
            return root if root is not None and root.pos == "NOUN" else None
        return None

    def _asks(self, token: Token) -> bool:
        if self._phrases.open_type(token) is None or token.relation in ("mark",):
            return False
        inside_noun = token.relation == "det" or (
            token.relation == "advmod" and token.text.lower() == "how" and self._has_degree(token)
        )
        return not inside_noun and not self._is_relative(token)

    def _has_degree(self, token: Token) -> bool:
        return token.head >= 0 and self._sentence.tokens[token.head].text.lower() in ("many", "much")

    def _is_relative(self, token: Token) -> bool:
        """ "that", "who" of a relative clause ask nothing."""
        above = token
        while above.head >= 0:
            if above.relation.startswith("acl") and token.index > above.head:
                return True
            above = self._sentence.tokens[above.head]
        return False

    # propositions

    def _propositions(self, open_token: Token | None) -> tuple[Proposition, ...]:
        propositions = self._reader.propositions()
        described = {
            role.head for proposition in propositions for role in proposition.arguments if role.role == "role"
        }
        phrases = [
            p
            for p in self._reader.described_phrases()
            if not {p.subject.head, p.object and p.object.head} & described
        ]
        read = [replace(proposition, modality="asked") for proposition in [*propositions, *phrases]]
        variables = self._variables(read, open_token)
        results = {}
        for proposition in read:
            subject, target = _joined(proposition.subject, variables), _joined(proposition.object, variables)
            assert subject is not None
            joined = replace(proposition, subject=subject, object=target)
            if target is None or subject.head != target.head:
                results[joined.relation, subject.head, target.head if target else None] = joined
        return tuple(results.values())

    def _variables(self, read: Sequence[Proposition], open_token: Token | None) -> dict[int, str]:
        """By the start of a phrase's head: what is asked, and descriptions of which more than one thing is said."""
        variables = {open_token.start: ANSWER} if open_token is not None else {}
        heads = Counter(
            argument.head.start
            for p in read
            for argument in (p.subject, p.object if p.relation not in _KINDS else None)
            if argument is not None and argument.kind == "concept"
        )
        derived = [p for p in read if p.derived and p.relation not in _KINDS]
        described = {
            argument.head.start for p in derived for argument in (p.subject, p.object) if argument is not None
        }
        for start, count in heads.items():
            if (count > 1 or start in described) and start not in variables:
                variables[start] = f"?x{len(variables)}"
        return variables

    def _names(self) -> tuple[Argument, ...]:
        heads = [
            t
            for t in self._sentence.tokens
            if self._phrases.is_name(t) and t.relation not in ("compound", "flat", "amod")
        ]
        arguments = [self._phrases.argument(token, "other") for token in heads]
        outer: list[Argument] = []
        for argument in arguments:
            inside = any(
                o.span.start <= argument.span.start and argument.span.end <= o.span.end for o in outer
            )
            if argument.kind == "entity" and not inside:
                outer.append(argument)
        return tuple(outer)

    def _constraints(self) -> tuple[Constraint, ...]:
        results = []
        for value in self._phrases.values:
            token = next((t for t in self._sentence.tokens if value.start <= t.start < value.end), None)
            if token is not None:
                argument = self._phrases.argument(token, "other")
                kind: Literal["time", "number"] = "time" if type(value.value).__name__ == "Date" else "number"
                results.append(Constraint(kind, argument, value.value))
        return tuple(results)

    def _alternatives(self) -> tuple[Argument, ...]:
        """ "A or B", and the two that a comparison names with "and"."""
        for token in self._sentence.tokens:
            if token.relation == "cc" and token.text.lower() == "or":
                return self._around(token)
        both = "both" in self._words or "same" in self._words or "between" in self._words
        for token in self._sentence.tokens if both else ():
            if token.relation == "cc" and token.text.lower() == "and":
                return self._around(token)
        return ()

    def _around(self, conjunction: Token) -> tuple[Argument, ...]:
        last = self._sentence.tokens[conjunction.head]
        first = self._sentence.tokens[last.head] if last.relation == "conj" and last.head >= 0 else None
        if first is None:
            return ()
        arguments = [self._phrases.argument(conjunct, "other") for conjunct in self._phrases.conjuncts(first)]
        names = [argument for argument in arguments if argument.kind == "entity"]
        return tuple(names if len(names) > 1 else arguments)

    def _comparison(self, alternatives: Sequence[Argument]) -> QuestionComparison | None:
        for token in self._sentence.tokens:
            word = token.text.lower()
            span = self._phrases.span(token, token)
            if word == "same" and alternatives:
                return QuestionComparison(
                    self._sentence.tokens[token.head].lemma.lower() if token.head >= 0 else "", "same", span
                )
            comparing = (
                len(alternatives) > 1 or token.tag in ("JJS", "RBS", "JJR", "RBR") or word.endswith("est")
            )
            if word in _DIRECTIONS and comparing:
                relation, direction = _DIRECTIONS[word]
                return QuestionComparison(
                    self._dated(token) if relation == "date" else relation, direction, span
                )
        return None

    def _dated(self, token: Token) -> str:
        """Of "released first" the relation to the date that the verb speaks of; "date" where it has none."""
        above = self._sentence.tokens[token.head] if token.head >= 0 else token
        dated = [t.relation for t in vocabulary().find("verb", above.lemma.lower()) if t.object == ("@time",)]
        return dated[0] if dated else "date"

    # kind

    def _kind(
        self, token: Token | None, alternatives: Sequence[Argument], comparison: QuestionComparison | None,
        propositions: Sequence[Proposition],
    ) -> QuestionKind:  # fmt: skip
        if _DIFFERENCE.search(self._text):
            return "difference"
        if _SUM.search(self._text):
            return "sum"
        if token is None:
            return self._without_open(alternatives)
        if alternatives and (comparison.direction != "same" if comparison else self._is_choice(alternatives)):
            return "which-of"
        if self._is_definition(token, propositions):
            return "definition"
        if comparison and token.text.lower() not in ("when", "where", "how"):
            return "superlative"
        return self._by_word(token)

    def _is_choice(self, alternatives: Sequence[Argument]) -> bool:
        """ "Which singer is Welsh, A or B?": the last words are names, joined with "or"."""
        named = [argument for argument in alternatives if argument.is_named]
        last = self._text.rstrip(" ?").endswith(named[-1].text) if named else False
        return last and len(named) > 1 and "or" in self._words

    def _without_open(self, alternatives: Sequence[Argument]) -> QuestionKind:
        if self._words[0] in _AUXILIARIES:
            between = alternatives and "or" in self._words
            return "which-of" if between else "yes-no"
        return "list" if self._command else "span"

    def _by_word(self, token: Token) -> QuestionKind:
        if self._command:
            return "list" if token.tag in ("NNS", "NNPS") else "what"
        asked = self._phrases.open_type(token)
        if asked == "Number":
            return "how-much" if "much" in self._words else "how-many"
        if asked in ("Date", "Reason", "Manner"):
            measured = token.head >= 0 and self._sentence.tokens[token.head].text.lower() in _MEASURES
            return {"Date": "when", "Reason": "why"}.get(asked, "how-much" if measured else "how")  # type: ignore[return-value]
        if token.text.lower() == "where":
            return "where"
        if token.tag in ("NNS", "NNPS"):
            return "list"
        return "who" if token.text.lower() in ("who", "whom", "whose") else "what"

    def _is_definition(self, token: Token, propositions: Sequence[Proposition]) -> bool:
        """ "What is X?", "Who was Ada Novak?": nothing but "be" is said of it."""
        if token.text.lower() not in ("who", "what") or "be" not in {
            t.lemma.lower() for t in self._sentence.tokens
        }:
            return False
        return (
            all(p.relation in ("is", "instance-of", "occupation") for p in propositions)
            and len(self._words) <= 8
            and not any(t.tag in ("JJS", "RBS") for t in self._sentence.tokens)
        )

    def _expected(self, kind: QuestionKind, token: Token | None) -> str:
        if kind == "yes-no":
            return "Boolean"
        if kind in ("how-many", "how-much", "difference", "sum"):
            return "Number"
        if token is None:
            return ""
        return self._phrases.open_type(token) or self._phrases.type_of(token) or self._described_type()

    def _described_type(self) -> str:
        """Of "What is the largest city" Place."""
        for proposition in self._said:
            if (
                proposition.relation in _KINDS
                and proposition.object is not None
                and proposition.subject.variable == ANSWER
            ):
                return proposition.object.entity_type
            for argument, types in ((proposition.subject, 0), (proposition.object, 1)):
                if argument is not None and argument.variable == ANSWER and proposition.canonical:
                    relation = vocabulary()[proposition.relation]
                    named = (relation.range if types else relation.domain) - {"-", "Group", "Concept"}
                    if len(named) == 1:
                        return next(iter(named))
        return ""

    def _counted(self, token: Token | None) -> str:
        counts = token is not None and self._phrases.open_type(token) == "Number"
        return token.lemma.lower() if token is not None and counts else ""


def _joined(argument: Argument | None, variables: dict[int, str]) -> Argument | None:
    if argument is None or argument.head.start not in variables:
        return argument
    return replace(argument, kind="open", variable=variables[argument.head.start])
