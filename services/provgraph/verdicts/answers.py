"""What others wrote, split into claims: each sentence with its exact place and the citations that belong to it.

Citations are numbers in brackets ("[1]", "[2, 3]", "[^1]"), superscript numbers, or addresses, in the text or in notes
at its end ("[1]: https://…", or lines below a heading such as "Sources"). They are no part of the claim, and neither
are the signs of a list or of emphasis.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from provgraph.language.sentences import sentence_spans
from provgraph.verdicts.claims import why_no_claim
from provgraph.verdicts.judgement import EvidenceText

_NUMBERS: Final = re.compile(r"\[\^?(\d{1,3}(?:\s*[,;–-]\s*\d{1,3}){0,40})\](?!\()")
_TAGGED: Final = re.compile(r"<sup>\s{0,3}\[?(\d{1,3})\]?\s{0,3}</sup>", re.IGNORECASE)
_TAG: Final = re.compile(
    r"</?(?:a|b|i|u|p|br|em|li|ol|ul|div|strong|span|sup|sub|code|h[1-6])\b[^<>]{0,500}>", re.IGNORECASE
)
_RAISED: Final = re.compile(
    r"(?<!\bm)(?<!\b[kcdm]m)(?<!\bft)(?<!\bin)(?<!\bmi)(?<!\b\d)(?<!\b10)[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}"
)
"""Numbers above the line that are no powers and no square metres."""
_LINK: Final = re.compile(r"\[([^\[\]]{1,500})\]\((https?://[^\s()]{1,2000})\)")
_ADDRESS: Final = re.compile(r"[(<]?(https?://[^\s()\[\]<>]{1,2000}[^\s()\[\]<>.,;:])[)>]?")
_NOTE: Final = re.compile(r"^[ \t]*\[\^?(\d{1,3})\](?:[ \t]*:)?[ \t]+(\S.*)$", re.MULTILINE)
_NOTES_BELOW: Final = re.compile(
    r"^[ \t#*_]*(?:references|sources|citations|bibliography|works cited|footnotes|notes|links)(?:[ \t]*:)?[ \t*_]*$",
    re.IGNORECASE | re.MULTILINE,
)
_NUMBERED: Final = re.compile(r"^[ \t]*[\[(]?\^?(\d{1,3})[\]).:]{1,2}[ \t]*(\S.*)$", re.MULTILINE)
_SIGNS: Final = re.compile(
    r"^[ \t]*(?:[-*•‣◦–—][ \t]+|#{1,6}[ \t]+|>[ \t]?|\(?\d{1,3}[.)][ \t]+)|\*\*|__|`", re.MULTILINE
)
_BEFORE_STOP: Final = re.compile(r" ([.,;:!?)])")
_DIGITS: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_HEADING: Final = re.compile(r"^[ \t]*#{1,6}[ \t]")
_MOST_NUMBERS: Final = 50
_SHORTEST_NAME: Final = 2


@dataclass(frozen=True, slots=True)
class AnswerClaim:
    """A sentence of an answer, `answer[start:end]`, and what it cites: numbers, names or addresses as written.

    `text` is the sentence without citations; `why_no_claim` says why it cannot be judged, empty where it can.
    """

    text: str
    start: int
    end: int
    citations: tuple[str, ...] = ()
    why_no_claim: str = ""


@dataclass(frozen=True, slots=True)
class SplitAnswer:
    """An answer and its claims. `plain` has blanks in the place of citations and signs, all else is where it was;
    `notes` are the words behind the numbers of its notes."""

    text: str
    plain: str
    claims: tuple[AnswerClaim, ...]
    notes: dict[str, str] = field(default_factory=dict)


def split_answer(answer: str) -> SplitAnswer:
    """The sentences of an answer that say something, each with its citations; linear in its length."""
    begins = _where_notes_begin(answer)
    notes = {**dict(_NUMBERED.findall(answer[begins:])), **dict(_NOTE.findall(answer))}
    plain = _blanked(answer[:begins]).ljust(len(answer))
    return SplitAnswer(answer, plain, tuple(_claims(answer[:begins], plain[:begins])), notes)


def _where_notes_begin(answer: str) -> int:
    """Below the last heading of notes, where only notes follow it."""
    for match in list(_NOTES_BELOW.finditer(answer))[:-4:-1]:
        below = [line for line in answer[match.end() :].split("\n") if line.strip()]
        noted = [line for line in below if _NUMBERED.match(line) or "http" in line or _SIGNS.match(line)]
        if below and len(noted) == len(below):
            return match.start()
    return len(answer)


def _claims(answer: str, plain: str) -> Iterator[AnswerClaim]:
    spans = sentence_spans(plain)
    for number, (start, end) in enumerate(spans):
        reach = spans[number + 1][0] if number + 1 < len(spans) else len(plain)
        text = _BEFORE_STOP.sub(r"\1", " ".join(plain[start:end].split()))
        heading = _HEADING.match(answer, answer.rfind("\n", 0, start) + 1)
        reason = "It is a heading." if heading else why_no_claim(text)
        yield AnswerClaim(text, start, end, _citations(answer[start:reach]), reason)


def _blanked(answer: str) -> str:
    plain = _NOTE.sub(_blanks, answer)
    plain = _LINK.sub(lambda match: f" {match[1]}".ljust(len(match.group())), plain)
    for pattern in (_TAGGED, _TAG, _NUMBERS, _ADDRESS, _RAISED, _SIGNS):
        plain = pattern.sub(_blanks, plain)
    return plain


def _blanks(match: re.Match[str]) -> str:
    """As many blanks; the ends of lines stay, since sentences end there."""
    return "".join("\n" if character == "\n" else " " for character in match.group())


def _citations(words: str) -> tuple[str, ...]:
    words = _NOTE.sub("", words)
    found = [number for match in _NUMBERS.finditer(words) for number in _spread(match[1])]
    found += [match[1] for match in _TAGGED.finditer(words) if match[1] not in found]
    found += [match.group().translate(_DIGITS) for match in _RAISED.finditer(words)]
    found += [match[2] for match in _LINK.finditer(words)]
    found += [match[1] for match in _ADDRESS.finditer(_LINK.sub("", words))]
    return tuple(dict.fromkeys(found))


def _spread(numbers: str) -> Iterator[str]:
    """ "2, 4–6" → 2, 4, 5, 6."""
    for part in re.split(r"(?<!\s)\s*[,;]\s*", numbers):
        first, _, last = re.sub(r"(?<!\s)\s*[–-]\s*", "-", part).partition("-")
        for number in range(int(first), min(int(last or first), int(first) + _MOST_NUMBERS) + 1):
            yield str(number)


def cited_sources(
    claim: AnswerClaim,
    notes: Mapping[str, str],
    sources: Sequence[Collection[str]],
    by_place: bool = True,
) -> tuple[int, ...]:
    """The indexes of the sources that a claim cites; each source is told by its names: id, title, address, file.

    A citation is one of these names; or a number whose note has one; or, `by_place`, a source's place among them.
    """
    found: dict[int, None] = {}
    for citation in claim.citations:
        named = [at for at, names in enumerate(sources) if any(_is_same(citation, name) for name in names)]
        if not named and (note := notes.get(citation, "").casefold()):
            named = [at for at, names in enumerate(sources) if any(_stands_in(name, note) for name in names)]
        if not named and by_place and citation.isdecimal() and 0 < int(citation) <= len(sources):
            named = [int(citation) - 1]
        found.update(dict.fromkeys(named))
    return tuple(found)


def names_of(source: EvidenceText) -> tuple[str, ...]:
    """The names by which a text may cite a source: of a file also without its folders."""
    file = "" if source.id.startswith("http") else source.id.rpartition("/")[2]
    return tuple(dict.fromkeys(name for name in (source.id, source.title, file) if name))


def _is_same(citation: str, name: str) -> bool:
    return citation.casefold().rstrip("/") == name.casefold().rstrip("/")


def _stands_in(name: str, note: str) -> bool:
    """Whether the words of a note, in lower case, have a name; numbers and letters are none."""
    name = name.casefold().rstrip("/")
    return (
        len(name) > _SHORTEST_NAME
        and name in note
        and bool(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", note))
    )
