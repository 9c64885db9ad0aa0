"""The wordings in which each question is asked: as it stands, with noise (the same for the same seed), negated,
paraphrased; and texts made comparable: notes stripped, words normalised, and which words two texts share.
"""

from __future__ import annotations

import random
import re
import string
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.evaluation.questions import EvaluationQuestion
from provgraph.evaluation.replies import NEGATION, ORIGINAL, PARAPHRASE
from provgraph.language.sentences import sentence_spans
from provgraph.language.terms import fold

_AUXILIARY: Final = re.compile(
    r"(?<![\w'’])(?:is|was|are|were|will|would|can|could|should|must|may|might|does|did)(?![\w'’])"
)
_PERFECT: Final = re.compile(r"(?<![\w'’])(?:has|have|had)(?= (?:been|never|not|\w+(?:ed|en))(?!\w))")
_SHORT: Final = re.compile(
    r"(?<!\w)(is|was|are|were|would|could|should|must|might|does|did|has|have|had)n['’]t(?!\w)", re.IGNORECASE
)
_IRREGULAR: Final = (("wo", "will"), ("ca", "can"))
_DENIAL: Final = re.compile(
    r"(?<!\w)(is|was|are|were|will|would|can|could|should|must|may|might|has|have|had) (?:not|never) "
)
_DENIED: Final = re.compile(r"\A(?:it is not true that|it is false that) ", re.IGNORECASE)


def negation(claim: str) -> str:
    """A claim that is true where this one is false: a denial is taken back, else the first auxiliary verb is denied
    ("is" → "is not"), else the whole ("It is not true that …").

    >>> negation("Helmand Province is in Iraq.")
    'Helmand Province is not in Iraq.'
    >>> negation("Marie Curie discovered polonium.")
    'It is not true that Marie Curie discovered polonium.'
    """
    if said := _DENIED.match(claim):
        return claim[said.end()].upper() + claim[said.end() + 1 :]
    if match := _SHORT.search(claim):
        return claim[: match.start()] + match[1] + claim[match.end() :]
    for stem, verb in _IRREGULAR:
        if match := re.search(rf"(?<!\w){stem}n['’]t(?!\w)", claim):
            return claim[: match.start()] + verb + claim[match.end() :]
    if match := _DENIAL.search(claim):
        return f"{claim[: match.start()]}{match[1]} {claim[match.end() :]}"
    if match := _first(claim):
        return f"{claim[: match.end()]} not{claim[match.end() :]}"
    return f"It is not true that {claim}"


def _first(claim: str) -> re.Match[str] | None:
    """The first auxiliary verb, of those that are surely one."""
    matches = [match for match in (_AUXILIARY.search(claim), _PERFECT.search(claim)) if match]
    return min(matches, key=lambda match: match.start(), default=None)


Perturbation = Callable[[str, random.Random], str]

_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SHORTEST: Final = 4
_ONE_IN: Final = 5
_NEAR: Final = 3

_NEIGHBOURS: Final = {
    letter: near
    for line in (
        "q:wa w:qes e:wrd r:etf t:ryg y:tuh u:yij i:uok o:ipl p:ol a:qsz s:awdx d:sefc f:drgv g:fthb h:gyjn",
        "j:hukm k:jil l:kop z:asx x:zsdc c:xdfv v:cfgb b:vghn n:bhjm m:njk",
    )
    for letter, _, near in (pair.partition(":") for pair in line.split())
}

_SYNONYM_OF: Final = dict(
    pair.split("/")
    for pair in """
    film/movie movie/film author/writer writer/author wrote/authored actor/performer song/track track/song
    singer/vocalist founded/established established/founded founder/creator creator/founder created/made
    started/began began/started ended/finished located/situated situated/located company/firm city/town town/city
    country/nation nation/country large/big big/large largest/biggest biggest/largest famous/well-known
    released/issued published/issued discovered/found found/discovered built/constructed constructed/built
    killed/slain died/perished father/dad mother/mom spouse/partner child/kid children/kids job/occupation
    profession/occupation occupation/job team/squad award/prize prize/award received/got band/group leader/head
    war/conflict battle/fight university/college teacher/instructor doctor/physician physician/doctor
    lawyer/attorney house/home street/road car/automobile ship/vessel plane/aircraft newspaper/journal
    magazine/periodical show/programme series/show character/figure story/tale novel/book painter/artist
    scientist/researcher disease/illness medicine/drug effect/impact cause/reason increase/rise increases/raises
    decrease/decline decreases/lowers reduces/lowers wealthy/rich rich/wealthy begin/start start/begin
    purchase/buy buy/purchase bought/purchased
    """.split()
)


def typos(text: str, chance: random.Random) -> str:
    """One word in five, but at least one, mistyped: neighbouring letters swapped, a letter left out, doubled, or taken
    from the key beside (Belinkov and Bisk 2018, section 3). Words of under four letters are spared."""
    places = [match for match in _WORD.finditer(text) if len(match[0]) >= _SHORTEST]
    for match in sorted(
        chance.sample(places, min(len(places), max(1, len(places) // _ONE_IN))),
        key=lambda match: -match.start(),
    ):
        text = text[: match.start()] + _mistyped(match[0], chance) + text[match.end() :]
    return text


def synonyms(text: str, _chance: random.Random) -> str:
    """Every word of a small list replaced by another of its meaning; a text without such words stays as it is."""

    def other(match: re.Match[str]) -> str:
        word = match[0]
        replacement = _SYNONYM_OF.get(word.casefold(), word)
        return replacement.capitalize() if word[0].isupper() and replacement != word else replacement

    return _WORD.sub(other, text)


def word_order(text: str, chance: random.Random) -> str:
    """Words moved by at most three places (the noise of Lample et al. 2018, section 2.3, with k = 3); punctuation at
    the end stays there."""
    body = text.rstrip("?.! ")
    words = body.split()
    moved = sorted(range(len(words)), key=lambda place: place + chance.uniform(0, _NEAR + 1))
    return " ".join(words[place] for place in moved) + text[len(body) :]


PERTURBATIONS: Final[Mapping[str, Perturbation]] = {
    "typos": typos,
    "synonyms": synonyms,
    "word-order": word_order,
}


def perturbed(text: str, kind: str, seed: str) -> str:
    """A wording of one kind; `seed` names the text and the run. It may equal `text` where nothing could be changed."""
    return PERTURBATIONS[kind](text, random.Random(f"{seed} {kind}"))


def _mistyped(word: str, chance: random.Random) -> str:
    at = chance.randrange(1, len(word) - 1)
    match chance.randrange(4):
        case 0 if word[at] != word[at + 1]:
            return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        case 1:
            return word[:at] + word[at + 1 :]
        case 2:
            near = _NEIGHBOURS.get(word[at].casefold())
            return word[:at] + (chance.choice(near) if near else "") + word[at + 1 :]
        case _:
            return word[:at] + word[at] + word[at:]


@dataclass(frozen=True)
class QuestionWording:
    """A question as it is asked; `variant` says which wording of it this is."""

    question: EvaluationQuestion
    variant: str
    text: str


def wordings(
    question: EvaluationQuestion, perturbations: Sequence[str], consistency: bool, seed: int
) -> Iterator[QuestionWording]:
    """The original first; with `consistency` the paraphrases that the data set has, and the negation of a claim.

    A perturbation that changes nothing is not asked.
    """
    yield QuestionWording(question, ORIGINAL, question.text)
    for kind in perturbations:
        text = perturbed(question.text, kind, f"{seed} {question.id}")
        if text != question.text:
            yield QuestionWording(question, kind, text)
    if not consistency:
        return
    for number, text in enumerate(question.paraphrases, 1):
        yield QuestionWording(question, f"{PARAPHRASE} {number}", text)
    if question.label:
        yield QuestionWording(question, NEGATION, negation(question.text))


_MARK: Final = re.compile(r"(?<!\s)\s*\[\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*\]")
_NOTE_BEFORE: Final = re.compile(r"\A(?:\s*\[[^\]\d][^\]]{0,200}\]\s*)+")
_NOTE_LINE: Final = re.compile(
    r"^[^\S\n]*[(\[]?(?:note|notes|warning|caution)\s*:.*$", re.IGNORECASE | re.MULTILINE
)
_ARTICLE: Final = re.compile(r"\b(?:a|an|the)\b")
_PUNCTUATION: Final = re.compile(f"[{re.escape(string.punctuation)}“”‘’«»–—…]")
_DONT_KNOW: Final = re.compile(
    r"\A(?:no answer(?: was| is)?(?: found)?|not enough info(?:rmation)?|i (?:do not|dont) know|"
    r"(?:i am|im) not sure|(?:this |it |that )?(?:cannot|cant) be determined|unknown|unanswerable|"
    r"(?:documents|passages|context|text|evidence) (?:do|does) not (?:say|mention|contain|answer)\b.*)"
    r"(?: (?:as|because|since|from|based on|by)\b.*)?\Z"
)


def without_notes(text: str) -> str:
    """An answer without what a pipeline adds to it: marks of citations (`[2]`), remarks in brackets before it
    (`[Low grounding 0.12]`), and lines that begin with "Note:" or "Warning:"."""
    return _NOTE_LINE.sub("", _MARK.sub("", _NOTE_BEFORE.sub("", text))).strip()


def normalised(text: str) -> str:
    """In small letters and without accents, punctuation, articles and spare spaces (Rajpurkar et al. 2016, section
    6.1, and its official script)."""
    return " ".join(_ARTICLE.sub(" ", _PUNCTUATION.sub("", fold(text))).split())


def tokens(text: str) -> list[str]:
    return normalised(text).split()


def says_unknown(text: str) -> bool:
    """Whether an answer says nothing but that it does not know."""
    said = without_notes(text)
    sentences = [normalised(said[start:end]) for start, end in sentence_spans(said)]
    return all(_DONT_KNOW.match(sentence) for sentence in sentences if sentence)


def shared(one: list[str], other: list[str]) -> int:
    """How many tokens two texts have in common, each as often as both have it."""
    return (Counter(one) & Counter(other)).total()


def token_f1(one: str, other: str) -> float:
    """The harmonic mean of the shares of shared tokens, 0…1 (Rajpurkar et al. 2016, section 6.1)."""
    first, second = tokens(one), tokens(other)
    if not first or not second:
        return float(first == second)
    common = shared(first, second)
    return 2 * common / (len(first) + len(second))
