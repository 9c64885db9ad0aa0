"""What the sentences of a piece state, by rules: whole clauses in the text's words, with conditions and numbers.

A clause of a sentence is one statement, its object with all that belongs to it: "the Goods within 30 days". Its subject
is whom the reading of the passage resolves it to, where it is a pronoun. A condition is never left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from provgraph.extraction.by_reading.clause_extractor import clauses_of
from provgraph.extraction.by_reading.extractor import parsed_sentences
from provgraph.extraction.by_reading.typed_names import TypedNames, stored
from provgraph.extraction.by_reading.worded_clauses import CONDITIONS, WordedClause
from provgraph.extraction.facts import Entity, Fact, Passage, Value
from provgraph.extraction.labels import clean_label
from provgraph.extraction.stored_values import stored_value
from provgraph.language.terms import FUNCTION_WORDS, content_terms
from provgraph.reading.parser import BuiltInParser
from provgraph.reading.propositions import Proposition, Resolution
from provgraph.reading.reader import read_parsed
from provgraph.reading.relations import vocabulary
from provgraph.reading.syntax import ParsedSentence
from provgraph.reading.value_reading import find_values
from provgraph.reading.values import Ordinal

MOST_WORDS: Final = 1_000
"""Characters of a sentence above which no statement is sought in it: no sentence is as long."""

LEAST_MISSING: Final = 0.2
"""The share of a sentence's content words that its statements may leave out."""

_PRONOUN: Final = re.compile(
    r"(?:it|he|she|they|this|that|these|those|which|who|there|i|one|such|each|both)\Z", re.I
)
_COUNTED: Final = re.compile(r"\s([a-z]{3,}s?)\b")
_WITHIN_A_NAME: Final = re.compile(r"[\w–—/-]\Z")
_GOES_ON: Final = re.compile(r"[–—/-]?\w")
_ADVERB: Final = re.compile(r"\b(?:is|are|was|were|be)\b.*ly\Z")
_BARE: Final = re.compile(r"[\d.,]+\Z")
_NUMBERS_A_NAME: Final = re.compile(r"[A-Z]\w{1,60}\s\Z")
_NO_VERB: Final = re.compile(r"\w+ing\Z|to\s")
"""A participle or an infinitive alone, of which no question can be made."""
_LIMIT: Final = re.compile(
    r"\b(?:not|never|no|nor|neither|none|nobody|nothing|unless|except|only|if|without|until)\b|n['’]t\b", re.I
)
"""Words that deny, except or limit: a statement without one of them says something else than its sentence."""
_ASKS_NOTHING: Final = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|will|shall|must|may|can|not)\Z", re.I
)
"""What ends a relation whose object, one word, is no answer: "What must the notice be?" "Given."."""
_STOP: Final = ".;:!? \t"


@dataclass(frozen=True)
class PairStatement:
    """Subject, relation and all of the object; `parts` are smaller facts, `numbers` those that the sentence names.

    `whole` is the sentence, where the statement leaves out too much of it; `base` the infinitive of a verb that stands
    alone ("owe" of "owes"), where it is known.
    """

    subject: Entity
    relation: str
    object: str
    confidence: float
    parts: tuple[Fact, ...] = ()
    numbers: tuple[str, ...] = ()
    whole: str = ""
    base: str = ""


class StatementReader:
    """Reads the sentences of one passage, which is read as a whole first, so that pronouns are resolved."""

    def __init__(self, passage: Passage) -> None:
        self.title = passage.title
        self._parser = BuiltInParser()
        (sentences,) = parsed_sentences([passage], self._parser)
        propositions = read_parsed(passage.text, sentences, passage.title).propositions
        self._names = TypedNames(propositions)
        self._resolutions = [
            proposition.subject.resolution
            for proposition in propositions
            if proposition.subject.resolution is not None
        ]

    def read(self, words: str, span: tuple[int, int], least: float = LEAST_MISSING) -> list[PairStatement]:
        """The statements of the sentence that stands at `span` of the passage; none where the rules see none. Where
        they leave out more than the share `least` of its words, one statement has the sentence whole."""
        start, end = span
        resolutions = [
            resolution for resolution in self._resolutions if start <= resolution.written.start < end
        ]
        return self._read(
            words, {resolution.written.text.casefold(): resolution for resolution in resolutions}, least
        )

    def read_alone(self, words: str, least: float = LEAST_MISSING) -> list[PairStatement]:
        """The same of a sentence that does not stand so in the passage."""
        return self._read(words, {}, least)

    def _read(self, words: str, resolutions: dict[str, Resolution], least: float) -> list[PairStatement]:
        said = _sentence(words)
        if not said:
            return []
        (parsed,) = self._parser.parse(said, [(0, len(said))])
        propositions = read_parsed(said, [parsed], self.title).propositions
        numbers = tuple(dict.fromkeys(numbers_in(said)))
        statements: list[PairStatement] = []
        for clause in clauses_of(parsed, said):
            subject = self._subject(clause, resolutions)
            if subject is None or _is_within_another(said, clause) or _NO_VERB.match(clause.relation):
                continue
            if not _is_of_sentence(parsed, clause):
                continue
            if _ADVERB.search(clause.relation):
                continue
            if not clause.opening and " " not in clause.object and _ASKS_NOTHING.search(clause.relation):
                continue
            own = [
                proposition
                for proposition in propositions
                if proposition.subject.head.start == clause.subject_at
            ]
            parts = tuple(part for proposition in own if (part := _part(subject, proposition)))
            statements.append(
                PairStatement(
                    subject,
                    clause.relation,
                    _with_opening(clause),
                    clause.certainty,
                    parts,
                    numbers,
                    base=_base(parsed, clause.relation),
                )
            )
        return _completed(statements, said, least) or _completed(_by_form(said, numbers), said, least)

    def _subject(self, clause: WordedClause, resolutions: dict[str, Resolution]) -> Entity | None:
        """The subject under its clean name, or whom its pronoun means; None for a pronoun that may mean anybody."""
        resolution = resolutions.get(clause.subject.casefold())
        label = clean_label(resolution.stands_for if resolution else clause.subject)
        if not label or (resolution is None and _PRONOUN.match(label)):
            return None
        return Entity(label, stored(self._names.type_of(label)))


def _part(subject: Entity, proposition: Proposition) -> Fact | None:
    """A smaller fact of a statement: its verb and its object alone."""
    target = proposition.object
    if target is None or target.kind == "pronoun" or proposition.relation == "has-property":
        return None
    if proposition.canonical:
        relation = vocabulary()[proposition.relation].label
    else:
        relation = f"{proposition.predicate.text} {proposition.relation.partition(' ')[2]}".strip()
    value = stored_value(target.value, target.text) if target.value else Entity(clean_label(target.label))
    return Fact(subject, relation, value, proposition.certainty, 0, 0)


def _with_opening(clause: WordedClause) -> str:
    """The object, with the condition or the phrase that stands before the subject said after it."""
    words = clause.opening
    if not words or not clause.object:
        return clause.object or words
    first = words.split(maxsplit=1)[0].casefold()
    comma = "," if first in CONDITIONS else ""
    return f"{clause.object}{comma} {words[0].lower()}{words[1:]}"


def _sentence(words: str) -> str:
    """The words as one sentence; empty where there are none, or too many for one."""
    said = " ".join(words.split()).rstrip(_STOP)
    return f"{said[0].upper()}{said[1:]}." if said and len(said) <= MOST_WORDS else ""


def _is_of_sentence(parsed: ParsedSentence, clause: WordedClause) -> bool:
    """Whether a clause is the sentence's own, or beside it; not one that describes a word of it, or its condition."""
    subject = next((token for token in parsed.tokens if token.start == clause.subject_at), None)
    if subject is None or subject.head < 0:
        return True
    verb = parsed.tokens[subject.head]
    while verb.head >= 0 and verb.relation in ("conj", "parataxis"):
        verb = parsed.tokens[verb.head]
    return verb.head < 0


def _base(parsed: ParsedSentence, relation: str) -> str:
    """The infinitive of a relation's verb in the present tense; empty where it has another form, or helping words."""
    first = relation.partition(" ")[0]
    verb = next((token for token in parsed.tokens if token.text == first), None)
    return verb.lemma if verb is not None and verb.pos == "VERB" and verb.tag in ("VBZ", "VBP") else ""


_BY_FORM: Final = re.compile(
    r"(?P<opening>(?:If|Where|When|Unless|On|Upon|Before|After|In|For|Subject to|Except)\b[^,]{3,200}),\s+(?P<after>.+)"
    r"|(?P<all>.+)",
    re.S,
)
_MODAL: Final = re.compile(
    r"(?P<subject>[^,;:]{2,80}?)\s+(?P<relation>(?:(?:shall|must|may|will|can"
    r"|should)(?: not| only| also)* \w+|is|are))\s+"
    r"(?P<object>.+)",
    re.S,
)
_FORM_CERTAINTY: Final = 0.6


def _by_form(sentence: str, numbers: tuple[str, ...]) -> list[PairStatement]:
    """The statement of a sentence that the parser could not read, by what stands before and behind "shall" or "is"."""
    cut = _BY_FORM.match(sentence)
    opening = (cut["opening"] if cut else "") or ""
    match = _MODAL.match(((cut["after"] or cut["all"]) if cut else sentence).rstrip(_STOP))
    label = clean_label(match["subject"]) if match else ""
    if match is None or not label or _PRONOUN.match(label):
        return []
    words = f"{match['object']}, {opening[0].lower()}{opening[1:]}" if opening else match["object"]
    return [PairStatement(Entity(label), match["relation"], words, _FORM_CERTAINTY, (), numbers)]


_HELPED: Final = re.compile(
    r"(?:shall|must|may|can|could|will|would|should|might|is|are|was|were|has|have|had|does|do|did|cannot|means?)\b",
    re.I,
)
"""How a relation begins whose subject surely is the sentence's: "listed in" may describe a noun."""


def _completed(statements: list[PairStatement], sentence: str, least: float) -> list[PairStatement]:
    """The statements, each with the whole sentence where it says too little of it, or leaves out that something is
    denied or excepted."""
    told = ((statement, _lacks(statement, sentence, least)) for statement in statements)
    return [
        replace(each, whole=sentence) if lacks else each
        for each, lacks in told
        if not lacks or each.base or _HELPED.match(each.relation)
    ]


def _lacks(statement: PairStatement, sentence: str, least: float) -> bool:
    told = f"{statement.subject.label} {statement.relation} {statement.object}"
    said = content_terms(told)
    wanted = content_terms(sentence)
    missing = [term for term in wanted if term not in said]
    limits = {limit.group().casefold() for limit in _LIMIT.finditer(sentence)}
    return len(missing) > least * len(wanted) or not limits <= {
        limit.group().casefold() for limit in _LIMIT.finditer(told)
    }


def is_number(thing: Entity | Value) -> bool:
    return isinstance(thing, Value) and thing.kind != "text"


def numbers_in(sentence: str) -> Iterator[str]:
    """Numbers, quantities and dates, as the sentence spells them, each with the word that is counted; what only numbers
    a name ("Schedule 1") is none."""
    for value in find_values(sentence):
        said = " ".join(sentence[value.start : value.end].split())
        if isinstance(value.value, Ordinal) or not any(map(str.isdigit, said)):
            continue
        if said.isdigit() and _NUMBERS_A_NAME.search(sentence[: value.start]):
            continue
        if _WITHIN_A_NAME.search(sentence[: value.start]) or _GOES_ON.match(sentence[value.end :]):
            continue
        counted = _COUNTED.match(sentence[value.end :]) if _BARE.match(said) else None
        yield f"{said} {counted[1]}" if counted and counted[1] not in FUNCTION_WORDS else said


def _is_within_another(sentence: str, clause: WordedClause) -> bool:
    """Whether a clause only describes a noun of another: "the fittings listed in Schedule 1"."""
    whole = f"{clause.subject} {clause.relation} {clause.object}"
    return (
        whole in sentence
        and not sentence.startswith(whole)
        and (f" means {whole}" in sentence or f" is {whole}" in sentence)
    )
