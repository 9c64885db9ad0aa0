"""What a follow-up asks: "and when did she die?" after a question about Marie Curie asks when Marie Curie died.

A pronoun stands for the name of the turn before that agrees with it in gender and kind; what is no whole question ("And
Pierre Curie?", "What about 2021?") is the question before with that in the place of what is of its kind. What is not
safe is left as it was asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.language import wordnet
from provgraph.language.languages import language_of
from provgraph.reading.entity_types import gender_of_name, type_of_label, type_of_name, type_of_noun
from provgraph.reading.syntax import ParsedSentence, Parser, Token

LONGEST: Final = 300
"""Characters of a question that points back to others, and of those that it may point back to."""
REMEMBERED: Final = 5
"""Turns that a question may rest on."""
PERSON: Final = "Person"
_MALE, _FEMALE, _THING = "male", "female", "thing"
_PRONOUNS: Final = {
    **dict.fromkeys(("he", "him", "his"), _MALE),
    **dict.fromkeys(("she", "her", "hers"), _FEMALE),
    **dict.fromkeys(("it", "its"), _THING),
}
_POSSESSIVE: Final = frozenset({"his", "its", "hers"})
_OPENING: Final = re.compile(r"^(?:(?:and|but|so|ok(?:ay)?|then|also)\b[\s,]*)+", re.IGNORECASE)
_OTHER: Final = re.compile(
    r"^(?:and |but )?(?:(?:what|how) about |in |for |at )?(?P<other>[^?]{1,80}?)(?:\s*(?:then|instead))?[\s?]*$",
    re.IGNORECASE,
)
_BARE: Final = re.compile(
    r"(?:(?:and|but|so|ok(?:ay)?)\b[\s,]*)?(?P<word>when|where|why|how|who|by whom)(?: exactly| then)?\s*[?.!]*$",
    re.IGNORECASE,
)
_ADVERBIAL: Final = frozenset("when where why how".split())
"""What may stand in each other's place before a question."""
_JOINED: Final = re.compile(r"(?<!\s)\s*,\s*(?:and\s+)?|(?<!\s)\s+and\s+")
_AT: Final = frozenset("in on at near under".split())
_YEAR: Final = re.compile(r"\b(?:1[0-9]|20)\d\d\b")
_ASKING: Final = frozenset("who whom whose what which when where why how".split())


@dataclass(frozen=True)
class ConversationTurn:
    """A question as it was understood, and what it was answered in a few words, empty where nothing was."""

    question: str
    answer: str = ""


@dataclass(frozen=True)
class _Name:
    """A name in a turn; `gender` is empty where it is not known. `text[start:end]` of its sentence is the name."""

    text: str
    type: str
    gender: str
    start: int = -1
    end: int = -1

    def agrees(self, gender: str) -> bool:
        if gender == _THING:
            return self.type != PERSON or not self.gender  # a firm is easily taken for a person
        return self.type in (PERSON, "") and self.gender in ("", gender)


def understood(question: str, earlier: Sequence[ConversationTurn], parser: Parser) -> str:
    """The question with the names that it takes over from the `earlier` turns, the last of which is the latest.

    The question itself where it takes over nothing, and where what it takes over is not sure.
    """
    if not earlier or not question.strip() or language_of(question) not in ("", "en"):
        return question
    if bare := _BARE.match(question.strip()):
        return _asked_otherwise(bare["word"].lower(), earlier[-1], parser) or question
    parsed = _parsed(question, parser)
    pointing = [token for token in parsed.tokens if _points(token)]
    is_whole = _is_whole(parsed)
    if not pointing:
        return question if is_whole else _with_another(question, earlier[-1].question, parser) or question
    said = [_names_of(turn, parser) for turn in reversed(earlier)]
    here = list(_names(question, parsed))
    found = {token.index: _meant(token, said, here) for token in pointing}
    if not any(found.values()):
        return question
    named = _tidied(_replaced(question, parsed, found))
    return named if is_whole else f"What is {named}"


def in_context(question: str, turns: Sequence[ConversationTurn], parser: Parser) -> str:
    """What the last question of a conversation asks, where each before it may be a follow-up itself."""
    if len(question) > LONGEST:
        return question
    known: list[ConversationTurn] = []
    for turn in [
        conversation_turn for conversation_turn in turns if len(conversation_turn.question) <= LONGEST
    ][-REMEMBERED:]:
        known.append(ConversationTurn(understood(turn.question, known, parser), turn.answer))
    return understood(question, known, parser)


def _parsed(text: str, parser: Parser) -> ParsedSentence:
    return parser.parse(text, [(0, len(text))])[0]


def _points(token: Token) -> bool:
    return token.text.lower() in _PRONOUNS and token.relation != "expl"


def _is_whole(parsed: ParsedSentence) -> bool:
    """Whether it has a verb of its own or asks with a word for it, and more than a name or time beside that."""
    words = [token.text.lower() for token in parsed.tokens if token.pos != "PUNCT"]
    if any(token.pos in ("VERB", "AUX") for token in parsed.tokens):
        return True
    about = words[:2] in (["what", "about"], ["how", "about"])
    return not about and bool(_ASKING & set(words)) and len(words) > 1


def _names_of(turn: ConversationTurn, parser: Parser) -> list[_Name]:
    """The names of a turn: that of its answer, then those of its question."""
    answer = turn.answer.strip()
    names = list(_names(turn.question, _parsed(turn.question, parser)))
    if not answer or len(answer) > 80 or not answer[0].isupper():
        return names
    parsed = _parsed(answer, parser)
    kinds = [type_of_label(token.entity) for token in parsed.tokens if token.entity[2:]]
    whom = re.match(r"(?:and |but )?(?:by |to |with )?whom?\b", turn.question, re.IGNORECASE) is not None
    kind = (
        PERSON if whom and type_of_name(answer) in ("", PERSON) else next(iter(kinds), type_of_name(answer))
    )
    return [*_answered(answer, kind), *names]


def _answered(answer: str, kind: str) -> list[_Name]:
    """The name that an answer is; of several people those that "he" or "she" can tell from the others."""
    parts = _JOINED.split(answer)
    if kind != PERSON or len(parts) == 1:
        return [_Name(answer, kind, gender_of_name(answer))]
    genders = [gender_of_name(part) for part in parts]
    return [
        _Name(part, kind, gender)
        for part, gender in zip(parts, genders, strict=True)
        if genders.count(gender) == 1
    ]


def _names(text: str, parsed: ParsedSentence) -> Iterator[_Name]:
    """Runs of tokens that are a name by the parser's label, or as proper nouns."""
    run: list[Token] = []
    for token in (*parsed.tokens, None):
        inside = token is not None and _is_of_name(token, run)
        if token is not None and inside:
            run.append(token)
            continue
        while run and run[-1].pos != "PROPN" and not run[-1].entity[2:]:
            run.pop()
        if run:
            start, end = run[0].start, run[-1].end
            if place := _placed(run, parsed):
                yield _Name(text[place:end], "", "", place, end)
            name = text[start:end]
            kind = next((type_of_label(t.entity) for t in run if t.entity[2:]), "") or type_of_name(name)
            yield _Name(name, kind, gender_of_name(name), start, end)
        run = [token] if token is not None and _is_of_name(token, []) else []


def _placed(run: Sequence[Token], parsed: ParsedSentence) -> int | None:
    """Where the phrase begins of a thing that is told by the place it is at: "the lighthouse on Gannet Point"."""
    head = next((token for token in run if token.head >= 0 and parsed.tokens[token.head] not in run), None)
    above = parsed.tokens[head.head] if head is not None else None
    if head is None or above is None or above.pos != "NOUN" or type_of_noun(above.lemma) == PERSON:
        return None
    at = any(c.relation == "case" and c.text.lower() in _AT for c in parsed.children[head.index])
    opening = next((c for c in parsed.children[above.index] if c.text.lower() == "the"), None)
    return opening.start if at and opening is not None and above.index < head.index else None


def _is_of_name(token: Token, run: Sequence[Token]) -> bool:
    if token.entity[2:] in ("DATE", "NUMBER", "VALUE"):
        return False
    named = token.pos == "PROPN" or bool(token.entity[2:])
    return (named and token.text[:1].isupper()) or (
        bool(run) and (named or token.text in ("of", "de", "von", "&"))
    )


def _meant(token: Token, said: Sequence[Sequence[_Name]], here: Sequence[_Name]) -> str:
    """The name that a pronoun stands for: that of the latest turn which has one that agrees; empty where it is open,
    and where the question itself names `here` before it what it may stand for."""
    gender = _PRONOUNS[token.text.lower()]
    if any(name.agrees(gender) and name.end <= token.start for name in here):
        return ""
    known_here = {name.text for name in here}
    for names in said:
        agreeing = [name for name in names if name.agrees(gender) and name.text not in known_here]
        if gender != _THING:
            known = [name for name in agreeing if name.gender == gender]
            people = [name for name in agreeing if name.type == PERSON]
            agreeing = known or people or agreeing
        else:
            asked = [
                name for name in agreeing if name.start >= 0
            ]  # what was asked about, before what was answered
            agreeing = sorted(asked or agreeing, key=lambda name: name.type == PERSON)
        if agreeing:
            return agreeing[0].text
    return ""


def _replaced(question: str, parsed: ParsedSentence, meant: dict[int, str]) -> str:
    parts, at = [], 0
    for token in parsed.tokens:
        name = meant.get(token.index)
        if not name:
            continue
        owned = token.text.lower() in _POSSESSIVE or token.tag == "PRP$" or token.relation == "nmod:poss"
        parts += [question[at : token.start], name + ("'s" if owned else "")]
        at = token.end
    return "".join([*parts, question[at:]])


def _with_another(fragment: str, before: str, parser: Parser) -> str:
    """The question before with what the fragment names in the place of what is of its kind; empty where none is."""
    match = _OTHER.match(fragment.strip())
    if match is None or not before:
        return ""
    other = match["other"].strip()
    if _YEAR.fullmatch(other) and (year := _YEAR.search(before)):
        return before[: year.start()] + other + before[year.end() :]
    if other.split()[0].lower() in _ASKING:
        return ""
    parsed = _parsed(before, parser)
    if opened := _CASE.match(_OPENING.sub("", fragment.strip())):
        return _with_phrase(opened["case"], opened["rest"], before)
    if not other[:1].isupper():
        return _with_noun(other, before, parsed, parser)
    kind = type_of_name(other)
    names = list(_names(before, parsed))
    fitting = [name for name in names if name.type == kind or not kind or not name.type]
    chosen = fitting or (names if len(names) == 1 else [])
    if len(chosen) != 1:
        return ""
    return before[: chosen[0].start] + other + before[chosen[0].end :]


_CASE: Final = re.compile(
    r"(?P<case>for|in|on|at|from|to|after|before|during|with|without|by|of) (?P<rest>[^?]{1,80}?)\s*\?*$",
    re.IGNORECASE,
)


def _with_phrase(case: str, rest: str, before: str) -> str:
    """The question before with another phrase behind a preposition: in the place of its last with the same, or else at
    its end: "And for children?", "And in the second year?"."""
    bare = before.rstrip(" ?")
    own = re.search(rf"\b{re.escape(case)} (?:(?!\b{re.escape(case)} ).)+$", bare, re.IGNORECASE)
    if own is not None and own.start() == 0:
        return ""
    lead = bare[: own.start()].rstrip() if own is not None else bare
    return f"{lead} {case.lower()} {rest}?"


def _with_noun(other: str, before: str, parsed: ParsedSentence, parser: Parser) -> str:
    """The question before with another noun in the place of the one of its kind: "And a half plot?", "And children?";
    empty where none or several are."""
    head = next((token for token in _parsed(other, parser).tokens if token.head < 0), None)
    if head is None or head.pos not in ("NOUN", "PROPN"):
        return ""
    nouns = [
        token
        for token in parsed.tokens
        if token.pos == "NOUN"
        and not any(c.text.lower() in _ASKING | {"many", "much"} for c in parsed.children[token.index])
    ]
    kind = wordnet.fields(head.lemma.lower(), "n", 1)
    same = [token for token in nouns if token.lemma.lower() == head.lemma.lower()]
    alike = same or [t for t in nouns if kind and wordnet.fields(t.lemma.lower(), "n", 1) == kind]
    if len(alike) != 1:
        return ""
    first = alike[0].index
    while first and parsed.tokens[first - 1].pos in _BEFORE_A_NOUN:
        first -= 1
    return f"{before[: parsed.tokens[first].start]}{other}{before[alike[0].end :]}"


_BEFORE_A_NOUN: Final = ("DET", "ADJ", "NUM", "NOUN")


def _asked_otherwise(word: str, turn: ConversationTurn, parser: Parser) -> str:
    """The question before with another word that asks, "And when?" after "Who built it?"; empty where that cannot be
    put so."""
    before = turn.question.strip()
    parsed = _parsed(before, parser)
    first = parsed.tokens[0]
    opening, rest = first.text.lower(), before[first.end :].strip()
    if word in ("who", "by whom"):
        is_passive = any(token.relation in ("nsubj:pass", "aux:pass") for token in parsed.tokens)
        return f"By whom {rest}" if is_passive and opening in _ADVERBIAL else ""
    if opening == "how" and rest.split(maxsplit=1)[0].lower() not in _HELPING:
        return ""  # how many, how long
    if opening in _ADVERBIAL:
        return f"{word.capitalize()} {rest}" if opening != word else ""
    if first.pos == "AUX":
        return f"{word.capitalize()} {opening} {rest}"
    is_open = opening in ("who", "what") and word in ("when", "where")
    return _with_its_answer(word, turn.answer.strip(), parsed, before) if is_open else ""


def _with_its_answer(word: str, answer: str, parsed: ParsedSentence, before: str) -> str:
    """With what was answered in its place: "Who built the mill?" as "When did Ada build the mill?"."""
    first, second = parsed.tokens[:2]
    if not answer or len(answer) > _LONGEST_ANSWER or second.pos not in ("VERB", "AUX"):
        return ""
    rest = before[second.end :].rstrip(" ?")
    if first.relation == "nsubj" and second.pos == "VERB":
        return f"{word.capitalize()} did {answer} {second.lemma}{rest}?"
    if first.relation == "obj" and second.text.lower() in ("did", "does", "do"):
        return f"{word.capitalize()} {second.text.lower()}{rest} {answer}?"
    return ""


_LONGEST_ANSWER: Final = 80
_HELPING: Final = frozenset("is are was were did does do has have had can could will would may might".split())


def _tidied(question: str) -> str:
    """Without the word that joins it to what was said before, and with a capital."""
    bare = _OPENING.sub("", question.strip())
    return bare[:1].upper() + bare[1:]
