"""Whether quoted sentences can be an answer at all: they hold a value of the kind that is asked for, and a word that
speaks of the relation. What cannot answer is not shown as an answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from provgraph.derivation.cues import pattern_cues
from provgraph.derivation.events_asked import has_only_changed, main_verbs
from provgraph.derivation.plan import Pattern, plan
from provgraph.derivation.things_asked import is_of_other_owner
from provgraph.derivation.times_asked import may_be_of, years_asked
from provgraph.language import wordnet
from provgraph.language.sentences import sentence_spans
from provgraph.language.terms import FUNCTION_WORDS, terms
from provgraph.reading.questions import ANSWER, read_question
from provgraph.reading.syntax import ParsedSentence, Parser, Token
from provgraph.reading.value_reading import find_values
from provgraph.reading.values import Date, Quantity

_FEWEST_LETTERS: Final = 4
LOOSE: Final = frozenset({"is", "has", "has-property", "instance-of", "located-in", "part-of", "nationality"})
"""Relations that sentences say without a word of their own."""


def can_answer(question: str, sentences: Sequence[str], parser: Parser) -> bool:
    """False where no sentence can be the answer; True also where nothing tells."""
    read = read_question(question, parser)
    planned = plan(read)
    expected = planned.types.get(ANSWER, "")
    valued = [sentence for sentence in sentences if _has_value(sentence, expected)]
    asking = [
        pattern
        for pattern in planned.patterns
        if ANSWER in pattern.variables and pattern.proposition.canonical
    ]
    if not valued or len(asking) != 1 or asking[0].relation in LOOSE:
        return bool(valued)
    return any(_speaks_of(each, asking[0], parser) for each in valued)


_NAMED: Final = {
    "Person": ("PERSON", "ORGANIZATION", "GROUP"),
    "Organization": ("ORGANIZATION", "GROUP", "PERSON"),
    "Place": ("PLACE", "ORGANIZATION"),
}


def may_tell(question: str, sentence: str, title: str, parser: Parser) -> bool:
    """False for words that only stand over a text or begin it, where they have nothing of the kind that is asked for,
    for a sentence whose part in the question is all said by the title over it, and for one of another year."""
    if not all(year in title or may_be_of(year, sentence) for year in years_asked(question)):
        return False
    read = read_question(question, parser)
    expected = plan(read).types.get(ANSWER, "")
    parsed = parser.parse(sentence, list(sentence_spans(sentence)))
    if any(
        _is_of_another(each, asked)
        for asked in parser.parse(question, [(0, len(question))])
        for each in parsed
    ):
        return False
    if _has_verb(parsed):
        return not _says_only_the_title(question, sentence, title)
    if expected in ("", "Date", "Number"):
        asked = set(terms(question)) - FUNCTION_WORDS - set(terms(title))
        return bool(expected) and _has_value(sentence, expected) and not asked.isdisjoint(terms(sentence))
    known = set(terms(question))
    return any(
        token.entity[2:] in _NAMED.get(expected, ()) and known.isdisjoint(terms(token.text))
        for parsed_sentence in parsed
        for token in parsed_sentence.tokens
    )


def _is_of_another(sentence: ParsedSentence, question: ParsedSentence) -> bool:
    """Whether a sentence tells of another event than a question asks about, or of another thing of the name: of what
    was built, where it is asked what was rebuilt; of the deposit of something else."""
    return (
        has_only_changed(sentence, main_verbs(question))
        or is_of_other_owner(sentence, question)
        or (question.tokens[0].text.casefold() in _WHO and _is_of_nobody(sentence, question))
    )


_WHO: Final = frozenset(("who", "whom"))
_BEINGS: Final = frozenset(("noun.person", "noun.group"))


def _is_of_nobody(sentence: ParsedSentence, question: ParsedSentence) -> bool:
    """Whether a sentence has nobody that the question has not: no name, person, group or pronoun."""
    asked = {token.lemma.casefold() for token in question.tokens}
    return not any(
        token.pos in ("PROPN", "PRON")
        or (token.pos == "NOUN" and not _BEINGS.isdisjoint(wordnet.fields(token.lemma.casefold(), "n", 1)))
        for token in sentence.tokens
        if token.lemma.casefold() not in asked
    )


def is_of_unknown(question: str, sentence: str, passages: Sequence[str], parser: Parser) -> bool:
    """Whether a sentence has a noun that the question tells more closely by another, which nothing that was retrieved
    has: a deposit, where it is asked for that for a wheelchair."""
    said, everywhere = set(terms(sentence)), {term for text in passages for term in terms(text)}
    return any(
        not said.isdisjoint(terms(parsed.tokens[token.head].text))
        and everywhere.isdisjoint(terms(token.text))
        for parsed in parser.parse(question, [(0, len(question))])
        for token in parsed.tokens
        if token.relation.startswith("nmod") and token.pos == "NOUN" and token.head >= 0
        if parsed.tokens[token.head].pos == "NOUN"
    )


def _has_verb(parsed: Sequence[ParsedSentence]) -> bool:
    """Whether anything is said of anything; "May" and "March" behind a day are no verbs."""
    return any(
        token.pos in ("VERB", "AUX") and not _is_month(sentence, token)
        for sentence in parsed
        for token in sentence.tokens
    )


def _is_month(sentence: ParsedSentence, token: Token) -> bool:
    beside = [
        sentence.tokens[at] for at in (token.index - 1, token.index + 1) if 0 <= at < len(sentence.tokens)
    ]
    return token.text in ("May", "March") and any(token.text[:1].isdigit() for token in beside)


def _says_only_the_title(question: str, sentence: str, title: str) -> bool:
    """Whether a sentence has no word of the question beside those of the title, though the question has more."""
    asked, above = set(terms(question)) - FUNCTION_WORDS, set(terms(title))
    open_words = {word for word in asked - above if word.isalpha()}
    met = asked & set(terms(sentence))
    return bool(met) and len(open_words) > 1 and met <= above


def says_all(question: str, text: str) -> bool:
    """Whether a text has every word that a question is about, in whatever form."""
    return set(terms(question)) - FUNCTION_WORDS <= set(terms(text))


def _has_value(sentence: str, expected: str) -> bool:
    if expected not in ("Date", "Number"):
        return True
    wanted = Date if expected == "Date" else Quantity | Date
    return any(isinstance(value.value, wanted) for value in find_values(sentence))


def _speaks_of(sentence: str, pattern: Pattern, parser: Parser) -> bool:
    """By a word that says the relation, or one that begins as a word of the question does: spellings differ."""
    cues = pattern_cues(pattern.proposition)
    starts = tuple(cue[:_FEWEST_LETTERS] for cue in cues if len(cue) > _FEWEST_LETTERS)
    for parsed in parser.parse(sentence, list(sentence_spans(sentence))):
        for token in parsed.tokens:
            word = token.text.casefold()
            if token.lemma.casefold() in cues or word in cues or (starts and word.startswith(starts)):
                return True
    return False
