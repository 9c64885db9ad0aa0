"""What others wrote, sentence by sentence: each is a claim, with the sources that it cites, judged by given texts.

Citations are numbers in brackets ("[1]", "[2, 3]", "[^1]"), superscript numbers, or addresses, in the text or in notes
at its end ("[1]: https://…"). They are no part of the claim. Pronouns stand for what the answer names before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.language.sentences import sentence_spans
from provgraph.reading.syntax import Parser
from provgraph.verdicts.claims import Claim, why_no_claim
from provgraph.verdicts.judgement import EvidenceText, Judgement
from provgraph.verdicts.judging import Judge, judge_read
from provgraph.verdicts.texts import TextMeaning, text_meaning

_NUMBERS: Final = re.compile(r"\s*\[\^?(\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*)\](?!\()")
_RAISED: Final = re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_LINK: Final = re.compile(r"\[([^\[\]]+)\]\((https?://[^\s()]+)\)")
_ADDRESS: Final = re.compile(r"\s*\(?(https?://[^\s()\[\]<>]+[^\s()\[\]<>.,;:])\)?")
_NOTE: Final = re.compile(r"^\s*\[\^?(\d{1,3})\]:?\s+(\S.*)$", re.MULTILINE)
_DIGITS: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


@dataclass(frozen=True, slots=True)
class AnswerClaim:
    """A sentence of an answer, `answer[start:end]`, and what it cites: numbers, names or addresses as written."""

    text: str
    start: int
    end: int
    citations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """A claim with its verdict. `cited_alone` is the verdict by the sources that it cites, None where it cites none."""

    claim: AnswerClaim
    judgement: Judgement
    cited_alone: Judgement | None = None


def check_answer(answer: str, sources: Sequence[EvidenceText], parser: Parser) -> Iterator[CheckedClaim]:
    """The claims of an answer with their verdicts, each as soon as it is judged."""
    plain, claims = answer_claims(answer)
    spans = [(claim.start, claim.end) for claim in claims]
    whole = text_meaning(EvidenceText("", plain, sentences=spans), parser)
    judge = Judge(parser)
    texts = {source.id: judge.meaning(source) for source in sources}
    notes = dict(_NOTE.findall(answer))
    for number, claim in enumerate(claims):
        if reason := why_no_claim(claim.text):
            yield CheckedClaim(
                claim, Judgement("NOT ENOUGH INFO", 1.0, missing=reason, notes=("not a claim",))
            )
            continue
        one = Claim(plain, _sentence(whole, number))
        cited = [texts[s.id] for at, s in enumerate(sources, 1) if _is_cited(s, at, claim, notes)]
        by_all = judge_read(one, list(texts.values()))
        yield CheckedClaim(claim, by_all, judge_read(one, cited) if cited else None)


def answer_claims(answer: str) -> tuple[str, list[AnswerClaim]]:
    """The answer with blanks for its citations, offsets unchanged, and its sentences."""
    plain = _blanked(answer)
    claims = []
    for start, end in sentence_spans(plain):
        text = plain[start:end]
        inner = start + len(text) - len(text.lstrip())
        if text.strip():
            cited = _citations(answer[start : _reach(plain, end)])
            claims.append(AnswerClaim(" ".join(text.split()), inner, start + len(text.rstrip()), cited))
    return plain, claims


def _blanked(answer: str) -> str:
    plain = _NOTE.sub(lambda match: " " * len(match.group()), answer)
    plain = _LINK.sub(lambda m: f" {m[1]}".ljust(len(m.group())), plain)
    for pattern in (_NUMBERS, _ADDRESS, _RAISED):
        plain = pattern.sub(lambda match: " " * len(match.group()), plain)
    return plain


def _reach(plain: str, end: int) -> int:
    """Up to the next sentence: a citation may stand behind the full stop."""
    while end < len(plain) and plain[end].isspace():
        end += 1
    return end


def _citations(words: str) -> tuple[str, ...]:
    found = [number for match in _NUMBERS.finditer(words) for number in _spread(match[1])]
    found += [match.group().translate(_DIGITS) for match in _RAISED.finditer(words)]
    found += [match[2] for match in _LINK.finditer(words)]
    found += [match[1] for match in _ADDRESS.finditer(_LINK.sub("", words))]
    return tuple(dict.fromkeys(found))


def _spread(numbers: str) -> Iterator[str]:
    """ "2, 4–6" → 2, 4, 5, 6."""
    for part in re.split(r"\s*[,;]\s*", numbers):
        first, _, last = re.sub(r"\s*[–-]\s*", "-", part).partition("-")
        for number in range(int(first), min(int(last or first), int(first) + 50) + 1):
            yield str(number)


def _is_cited(source: EvidenceText, at: int, claim: AnswerClaim, notes: dict[str, str]) -> bool:
    names = {source.id, str(at), source.title} - {""}
    return any(name in names or _same_address(notes.get(name, name), source.id) for name in claim.citations)


def _same_address(words: str, source: str) -> bool:
    return source.startswith("http") and source.rstrip("/") in words


def _sentence(whole: TextMeaning, number: int) -> TextMeaning:
    """What one sentence of the answer says, with what its pronouns stand for."""
    meanings = [each for each in whole.meanings if each.number == number]
    statements = [each for each in whole.statements if each.sentence == number]
    return TextMeaning(whole.evidence, [whole.parsed[number]], meanings, statements)
