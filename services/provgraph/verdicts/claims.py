"""A claim read for judging: its statements in groups, one group a clause, and whether it is a claim at all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from provgraph.language.sentences import sentence_spans
from provgraph.reading.propositions import Span
from provgraph.reading.syntax import ParsedSentence, Parser, Token
from provgraph.verdicts.judgement import EvidenceText
from provgraph.verdicts.statement_manner import says_only_duty
from provgraph.verdicts.text_reading import text_meaning
from provgraph.verdicts.texts import TextMeaning
from provgraph.verdicts.things import DERIVED, Statement, Thing

MAX_CHARACTERS: Final = 4_000
_ASKS: Final = re.compile(
    r"^\s*(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|can|could|will|would|has|have|had|"
    r"should|shall)\b.*\?\s*$",
    re.IGNORECASE | re.DOTALL,
)
_HELPING: Final = r"(?:is|are|was|were|do|does|did|can|could|will|would|has|have|had|should|shall)"
_ASKS_UNMARKED: Final = re.compile(
    rf"^\s*(?:(?:[Ww]ho|[Ww]hom|[Ww]hose|[Ww]hy|[Ww]hich)\s+[a-z]"
    rf"|(?:[Ww]hat|[Ww]hen|[Ww]here|[Hh]ow)\s+{_HELPING}\s"
    rf"|[Hh]ow\s+(?:many|much|long|old|far|often)\s"
    rf"|{_HELPING}\s+\w"
    rf"|{_HELPING.replace('(?:i', '(?i:i')}\s+(?:the|a|an|he|she|it|they|there|this|that|these|those|we|you)\s)"
)
"""A question that has no question mark."""
_OPINION: Final = re.compile(
    r"^\s*(?:personally,?\s+|in my (?:opinion|view),|"
    r"i(?:'d|’d| would| do)?\s+(?:think|believe|guess|suppose|hope|feel|say|like|love|prefer)\b)",
    re.IGNORECASE,
)
_QUALIFIER: Final = re.compile(
    r"(\w)(\s?\([^()]*\b(?:film|movie|song|album|single|series|band|show|singer|actor|actress|musician|novel|book|play|"
    r"game|franchise|miniseries|soundtrack|magazine|company|footballer|politician|TV|EP)\))"
)
"""What an encyclopedia adds to a title to tell it from others: "Roar (song)"."""
_LETTERS: Final = re.compile(r"[^\W\d_]")
_ENGLISH: Final = frozenset(
    "the a an of in on at to is are was were be been has have had by for with and or as that this it its he she they "
    "his her their not no from did does do will would can could may which who than more most only".split()
)
_FOREIGN: Final = frozenset(
    "der die das und ist ein eine nicht von mit den dem wurde le la les des une est et dans pour pas qui que du el los "
    "las una es fue con por para del il della è nel che di een het van zijn werd och att som är på jest nie się".split()
)
_PLAINLY_FOREIGN: Final = frozenset(
    "en été fut était sont ont avec dans pour une des les et wurde wurden werd und ist nicht eine mit für auf im zum "
    "het een zijn fue fueron por para una las los foi em uma não è stato della gli nel på och är som att jest nie "
    "się".split()
)
"""Words of other languages that stand in no English name."""
_SHARED: Final = frozenset("a an in on was as no do had die not".split())
_CONTENT: Final = frozenset(("NOUN", "PROPN", "VERB", "ADJ", "NUM", "ADV"))
_LIGHT: Final = frozenset(
    "be have do there also too then not n't never so very here well such case fact kind type sort way".split()
)
_SHORTEST: Final = 4
ONLY: Final = frozenset("only solely exclusively merely just".split())


@dataclass(frozen=True)
class Claim:
    """What a claim says. `groups` are its clauses, each with all its readings."""

    text: str
    meaning: TextMeaning

    def sentence_at(self, start: int) -> ParsedSentence:
        """The sentence that holds the character at that place of the claim."""
        return next(each for each in self.meaning.parsed if each.start <= start < each.end)

    @cached_property
    def groups(self) -> tuple[tuple[Statement, ...], ...]:
        table: dict[tuple[int, int], list[Statement]] = {}
        for statement in self.meaning.statements:
            if (
                not statement.lemma.startswith("rel:")
                and statement.clause > DERIVED
                and _says_something(statement)
            ):
                table.setdefault((statement.sentence, statement.clause), []).append(statement)
                if statement.lemma == "be" and (turned := _turned(statement)):
                    table[statement.sentence, statement.clause].append(turned)
                if statement.lemma == "be" and (inside := _inside(statement)):
                    table[statement.sentence, statement.clause].append(inside)
        bases: dict[int, list[list[Statement]]] = {}
        for (sentence, _), group in table.items():
            bases.setdefault(sentence, []).append(group)
        for statement in self.meaning.statements:
            for group in bases.get(statement.sentence, ()) if statement.lemma.startswith("rel:") else ():
                if _covers(statement, group[0]):
                    group.append(statement)
        return tuple(tuple(group) for group in table.values())

    @cached_property
    def topics(self) -> frozenset[str]:
        """The names in the place of a subject: what a text may speak of as "it" without naming it."""
        found: set[str] = set()
        for statement in self.meaning.statements:
            subjects = (
                statement.slots.get("A", []) if statement.agentless is False else statement.slots.get("P", [])
            )
            for thing in subjects:
                found.update(thing.names)
                for case, other in thing.restrictions:
                    found.update(other.names if case in ("", "of", "+") else ())
            if statement.lemma.startswith("rel:") or statement.slots.get("P"):
                for thing in statement.slots.get("P", []):
                    found.update(thing.names if thing.token.relation.startswith("nsubj") else [])
        return frozenset(found)

    @cached_property
    def only(self) -> Token | None:
        """The word that says that nothing else is so."""
        for meaning in self.meaning.meanings:
            for token in meaning.sentence.tokens:
                if token.text.lower() in ONLY and token.relation == "advmod":
                    return token
        return None

    @cached_property
    def lemmas(self) -> frozenset[str]:
        """Its words in lower case, as they stand and as lemmas."""
        tokens = [token for sentence in self.meaning.parsed for token in sentence.tokens]
        return frozenset(word.lower() for token in tokens for word in (token.text, token.lemma))

    def content(self) -> Iterator[Token]:
        """The words that must be met."""
        for sentence in self.meaning.parsed:
            for token in sentence.tokens:
                light = token.lemma.lower() in _LIGHT or token.relation in ("aux", "cop", "aux:pass")
                light = light or says_only_duty(token, sentence)
                if token.pos in _CONTENT and not light and token.text.lower() not in ONLY:
                    yield token


def _says_something(statement: Statement) -> bool:
    """ "There is a film …" says nothing that the rest does not."""
    roles = [role for role in statement.slots if not role.startswith("~")]
    return len(roles) > 1 and "A" in roles if statement.lemma == "be" else bool(roles)


def _covers(relation: Statement, base: Statement) -> bool:
    """Whether a relation speaks of all that a clause speaks of."""
    words = [relation.words, *(span for _, thing in relation.things() for span in spans_of(thing))]
    heads = [t.head for role, t in base.things() if not role.startswith("~")]
    needed = heads + ([base.words] if base.lemma != "be" else [])
    if "measure" in base.slots:  # "112 metres high" is all said by the height
        needed = [span for span in needed if span.text.lower() != relation.triggered_by]
    if not all(any(w.start <= n.start and n.end <= w.end for w in words) for n in needed):
        return False
    things = [span for role, thing in relation.things() if role != "C" for span in spans_of(thing)]
    narrowed = [m for _, thing in base.things() for m in thing.modifiers]
    return all(
        m.lemma.lower() in relation.triggered_by or any(s.start <= m.start and m.end <= s.end for s in things)
        for m in narrowed
    )


def spans_of(thing: Thing, depth: int = 0) -> Iterator[Span]:
    """The words of a thing with all that narrows it."""
    yield thing.span
    for token in thing.modifiers:
        yield Span(token.start, token.end, token.text)
    if depth < 4:
        for _, each in thing.restrictions:
            yield from spans_of(each, depth + 1)


def _inside(statement: Statement) -> Statement | None:
    """ "Chile is a part of South America" as "Chile is in South America"."""
    for complement in statement.slots.get("C", []):
        whole = next((each for case, each in complement.restrictions if case == "of" and each.names), None)
        if complement.lemma == "part" and whole is not None and not complement.modifiers:
            slots = {role: some for role, some in statement.slots.items() if role != "C"}
            start, end = statement.words.start, max(statement.words.end, complement.head.end)
            return replace(statement, slots={**slots, "@in": [whole]}, words=Span(start, end, "is part"))
    return None


def _turned(statement: Statement) -> Statement | None:
    """ "The director is Ada Novak" as "Ada Novak is the director"."""
    subjects, complements = statement.slots.get("A", []), statement.slots.get("C", [])
    if len(subjects) != 1 or len(complements) != 1 or complements[0].kind != "name":
        return None
    slots: dict[str, list[Thing]] = {**statement.slots, "A": complements, "C": subjects}
    return Statement(
        "be", statement.words, slots, statement.positive, statement.modality, statement.attributed, statement.sentence,
        statement.clause, statement.adverbs,
    )  # fmt: skip


def read_claim(text: str, parser: Parser, names: Sequence[str] = ()) -> Claim:
    """The claim as a text of its own; `names` are titles that may stand in it."""
    plain = _QUALIFIER.sub(lambda match: match[1] + " " * len(match[2]), text)
    return Claim(
        text, text_meaning(EvidenceText("", plain, sentences=list(sentence_spans(plain))), parser, names)
    )


def why_no_statement(claim: Claim) -> str:
    """Why a text that was read says nothing that is so or not, empty where it does."""
    tokens = [token for sentence in claim.meaning.parsed for token in sentence.tokens if token.pos != "PUNCT"]
    if len(tokens) < _SHORTEST and not any(token.pos in ("VERB", "AUX") for token in tokens):
        return "It is not a sentence."
    first = tokens[1] if len(tokens) > 1 and tokens[0].text.lower() == "please" else next(iter(tokens), None)
    children = claim.meaning.parsed[0].children[first.index] if first is not None else ()
    begs = claim.text.rstrip().endswith("!") or (bool(tokens) and tokens[0].text.lower() == "please")
    asks = begs and first is not None and first.tag == "VB" and first.head < 0  # advice may be attributed
    if asks and not any(c.relation.startswith(("nsubj", "aux", "cop")) for c in children):
        return "It asks for something to be done: a claim says that something is so."
    return ""


def why_no_claim(text: str) -> str:
    """Why the text is no claim that can be judged, empty where it is one."""
    words = re.findall(r"[^\W\d_]+", text)
    if not text.strip():
        return "It is empty."
    if not _LETTERS.search(text) or len(words) < 2:
        return "It is not a sentence."
    if _ASKS.match(text) or _ASKS_UNMARKED.match(text) or text.strip().endswith("?"):
        return "It is a question: a claim says that something is so."
    if _OPINION.match(text):
        return "It says what its writer thinks, which no document can show."
    if len(text) > MAX_CHARACTERS:
        return f"It is longer than {MAX_CHARACTERS:,} characters: check its sentences one by one."
    return (
        "It is not in English, the one language that claims are read in." if _is_foreign(words, text) else ""
    )


def _is_foreign(words: list[str], text: str) -> bool:
    lower = [word.casefold() for word in words]
    english, foreign = sum(w in _ENGLISH for w in lower), sum(w in _FOREIGN for w in lower)
    latin = sum(c.isascii() for c in text if c.isalpha())
    plainly = sum(w in _PLAINLY_FOREIGN for w in words)
    own = sum(w in _ENGLISH - _SHARED for w in lower)
    return (
        foreign > max(english, 1)
        or (plainly > own and len(words) > 2)
        or latin < 0.5 * sum(c.isalpha() for c in text)
    )
