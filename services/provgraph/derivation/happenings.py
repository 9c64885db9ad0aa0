"""What happened to something: "What happened to the cup?" → "was stolen in 1964 and was never recovered".

The answer is what a sentence says was done to it, or became of it, from the verb to the end of the clause.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from anyio import to_thread

from provgraph.derivation.affinity import stems
from provgraph.derivation.clauses_asked import ReadClause, clauses_of, narrowing
from provgraph.derivation.evidence import Finder, ReadPassage, support_at
from provgraph.derivation.names import holds, words_of
from provgraph.derivation.result import Derived, Step
from provgraph.language import wordnet
from provgraph.language.polarity import denies
from provgraph.language.terms import FUNCTION_WORDS
from provgraph.reading.propositions import Span
from provgraph.reading.syntax import ParsedSentence, Parser, Token

_ASKS: Final = re.compile(
    r"\s*what (?:has |had )?(?:happened|became|become)s? (?:to|of|with) (?P<thing>.{1,200}?)"
    r"(?P<when> (?:in|on|after|during) .{1,100}?)?[\s?]*$",
    re.IGNORECASE,
)
_ASKS_OF_CASE: Final = re.compile(
    r"\s*what (?:happens|will happen|would happen|do (?:I|we|you) (?:do|have to do)|should (?:I|we|you) do) "
    r"(?:if|when|in case|once) (?P<case>.{1,200}?)[\s?]*$",
    re.IGNORECASE,
)
_IN_CASE: Final = (
    re.compile(
        r"(?:^|; |\. )(?:if|when|whenever|once|in case|where) (?P<case>[^,;]{1,200}), (?:then )?(?P<told>[^;]{1,400})",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?:^|; )(?P<told>[^;]{1,400}?),? (?:if|when|in case|once) (?P<case>[^,;]{1,200})$", re.IGNORECASE
    ),
)
"""What a sentence says of a case, and the case."""
_OF_CASE: Final = 0.6
"""The share of the words for a case that a sentence has to have in its own."""
_STANDING: Final = frozenset(("it", "they", "this"))
_SHORT_NOT: Final = re.compile(r"\b(?:do|does|did|is|are|ca|wo)n[’']t\b", re.IGNORECASE)
_LASTING: Final = frozenset(
    "be have stand show contain include call name know use hang house locate situate describe depict own keep mean "
    "cost consist belong see design found build make form write compose paint".split()
)
"""Verbs that tell what something is or how it came about, not what happened to it."""
_OF_FATES: Final = frozenset(
    "close burn sink die vanish disappear collapse fall drown crash retire leave move explode fail return survive end "
    "become merge resign emigrate".split()
)
"""Verbs without an object that tell what became of their subject."""
_CONFIDENCE: Final = 0.8


async def happening_told(text: str, parser: Parser, finder: Finder) -> Derived | None:
    """What a sentence says was done to what a question names, or became of it; None where none or several do."""
    case, match = _ASKS_OF_CASE.match(text), _ASKS.match(text)
    if case is not None:
        return await to_thread.run_sync(_told_of_case, case["case"], await finder.passages(text))
    if match is None:
        return None
    passages = await finder.passages(text)
    when = " ".join(re.findall(r"(?:1[5-9]|20)\d\d", match["when"] or ""))
    return await to_thread.run_sync(_told, match["thing"], when, parser, passages)


def _told(thing: str, when: str, parser: Parser, passages: Sequence[ReadPassage]) -> Derived | None:
    parsed = parser.parse(thing, [(0, len(thing))])
    noun = next((t for t in parsed[0].tokens if t.head < 0), None) if parsed else None
    if noun is None or noun.pos not in ("NOUN", "PROPN"):
        return None
    told = [
        read
        for read in clauses_of(passages)
        if _is_fate(read) and when in read.text(read.sentence.start, read.sentence.end)
        if any(_is_thing(thing, noun, parsed[0], each, read) for each in _undergoers(read))
    ]
    told = [read for read in told if not _is_done(read)] or told
    sentences = {read.text(read.sentence.start, read.sentence.end): read for read in reversed(told)}
    if len(sentences) != 1:
        return None
    (read,) = sentences.values()
    start, end = _span(read)
    support = read.support(start, end)
    step = Step("look up", support.words.text, f"It says what happened: {support.sentence.text}", (support,))
    return Derived(support.words.text, "span", (step,), _CONFIDENCE)


def _told_of_case(case: str, passages: Sequence[ReadPassage]) -> Derived | None:
    """What the one sentence says that has the words of a case behind "if" or "when"; None where none or several do."""
    asked = _words_of_case(case)
    told: dict[str, Derived] = {}
    for passage in passages:
        for parsed in passage.parsed:
            text = passage.text[parsed.start : parsed.end].rstrip(" .")
            for match in (m for pattern in _IN_CASE if (m := pattern.search(text))):
                said = stems(match["case"])
                if not _STANDING.isdisjoint(words_of(match["case"])):
                    said |= stems(text[: match.start("case")])
                met = sum(not stems(word).isdisjoint(said) for word in asked)
                if not asked or met < _OF_CASE * len(asked) or denies(case) != denies(match["case"]):
                    continue
                start = parsed.start + match.start("told")
                support = support_at(passage, Span(start, start + len(match["told"]), match["told"]))
                step = Step("look up", match["told"], f"It says what happens then: {text}.", (support,))
                told[match["told"]] = Derived(match["told"], "span", (step,), _CONFIDENCE)
    return next(iter(told.values())) if len(told) == 1 else None


def _words_of_case(case: str) -> list[str]:
    """The words that tell a case, without those that only shade it: "nearly"."""
    told = (word for word in words_of(_SHORT_NOT.sub("", case)) if word not in FUNCTION_WORDS)
    return [word for word in told if not (word.endswith("ly") and wordnet.known(word, "r"))]


def _is_fate(read: ReadClause) -> bool:
    clause, lemma = read.clause, read.clause.lemma.split()[0]
    if clause.complement is not None or clause.modality == "conditional" or lemma in _LASTING:
        return False
    return clause.tense == "past" and (clause.passive or lemma in _OF_FATES or bool(clause.roles.get("P")))


def _is_done(read: ReadClause) -> bool:
    """Whether somebody is said to have done it, so that the clause is about him."""
    return not read.clause.passive and read.clause.lemma.split()[0] not in _OF_FATES


def _undergoers(read: ReadClause) -> Sequence[Token]:
    roles = read.clause.roles
    own = roles.get("A", []) if read.clause.lemma.split()[0] in _OF_FATES else []
    return [*roles.get("P", []), *own]


def _is_thing(thing: str, noun: Token, asked: ParsedSentence, other: Token, read: ReadClause) -> bool:
    """Whether a word of a clause is what the question names: by its name, or as "the cup" where the sentences before
    have the name of one cup only."""
    last = words_of(other.text)[-1:]
    if other.lemma.casefold() != noun.lemma.casefold() and last != words_of(noun.text)[-1:]:
        return False
    wanted, said = narrowing(asked, noun), narrowing(read.sentence, other)
    counts = {c.lemma.casefold() for c in read.sentence.children[other.index] if c.relation == "nummod"}
    if wanted == said - counts:
        return True
    is_definite = any(c.text.casefold() in ("the", "this") for c in read.sentence.children[other.index])
    before = read.text(0, read.sentence.start)
    return not said and is_definite and noun.pos == "PROPN" and holds(before, thing)


def _span(read: ReadClause) -> tuple[int, int]:
    """From the first word of the verb to the end of what hangs on it, or of the sentence it is the main clause of; a
    semicolon ends it."""
    clause, sentence = read.clause, read.sentence
    if not _is_done(read):
        start = min(word.start for word in clause.words)
    else:
        start = sentence.tokens[sentence.edges(clause.head)[0]].start
    last = sentence.tokens[sentence.edges(clause.head)[1]]
    end = last.end
    text = read.text(start, end).partition(";")[0].rstrip(" .,;")
    return start, start + len(text)
