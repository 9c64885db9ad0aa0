"""One sentence as the other modules read it: tokens, their tags, and its chunks."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from provgraph.extraction.model_free.chunks import PhraseChunk, chunk
from provgraph.extraction.model_free.tagging import tag
from provgraph.extraction.model_free.tokens import Atom, TextToken, tokenize
from provgraph.extraction.model_free.values import value_atoms


@dataclass(frozen=True, slots=True)
class Phrase:
    """Tokens `start` to `end` of a sentence, as the name of something; `head` ends its first noun phrase."""

    start: int
    end: int
    head: int


@dataclass(frozen=True)
class Sentence:
    """`kinds[i]` is the kind of `chunks[i]`; two full stops follow, so that looking ahead needs no check."""

    text: str
    start: int
    end: int
    tokens: list[TextToken]
    tags: str
    chunks: list[PhraseChunk]
    kinds: list[str] = field(default_factory=list)

    def words(self, start: int, end: int) -> str:
        """The passage's own characters from token `start` to before token `end`."""
        return self.text[self.tokens[start].start : self.tokens[end - 1].end]

    def is_date(self, phrase: Phrase) -> bool:
        """Whether the phrase is a date and nothing else."""
        return phrase.end - phrase.start == 1 and self.tags[phrase.start] == "Y"


_QUOTED = re.compile(
    r"[\"“]\s?([A-Z][^\"“”\n.,;:!?]{1,50}?)\s?[\"”]|``\s?([A-Z][^\"“”`\n.,;:!?]{1,50}?)\s?''"
)
_DOUBLE_NAME = re.compile(r"(?<!\w)[A-Z]\w{1,20} [&-] [A-Z]\w{1,20}(?!\w)")
_TITLED_NAME = re.compile(
    r"(?<![\w.])[A-Z]\w{1,20} (?:Against|Of|On|In|With|For|From|Over|Under|Into|To|At|By|And) (?:the|The|a|an) "
    r"[A-Z]\w{1,20}(?: [A-Z]\w{1,20})*"
    r"|(?<!\w)(?:Trinidad and Tobago|Bosnia and Herzegovina|Antigua and Barbuda|S[ãa]o Tomé and Príncipe"
    r"|(?:Saint|St\.) (?:Kitts and Nevis|Vincent and the Grenadines)|Turks and Caicos Islands"
    r"|Newfoundland and Labrador|Tyne and Wear|Heard and McDonald Islands)(?!\w)"
)
_LEGAL_FORM = re.compile(r", (?:Inc|Ltd|LLC|Corp|Co|plc|Jr|Sr)\b\.?")
_COMPOUND = re.compile(
    r"(?<![\w-])[^\W_]{2,20} - (?:(?:and|of|the|to) - )?"
    r"(?!(?:the|an?|and|or|but|who|which|it|he|she|they|in|of|to|is|was)\b)"
    r"[a-z]{2,20}(?: - [a-z]{2,20})*(?![\w-])"
)


_ACRONYM = re.compile(r"\s?\(([A-Z]{2,8})\)")
_CAPITALISED = re.compile(r"[A-Z][\w'-]*")


def _long_names(text: str, start: int, end: int) -> list[Atom]:
    """National Aeronautics and Space Administration (NASA): a name that its abbreviation shows to be one."""
    names = []
    for match in _ACRONYM.finditer(text, start, end):
        before = list(_CAPITALISED.finditer(text, max(start, match.start() - 100), match.start()))
        first = before[-len(match[1])] if len(before) >= len(match[1]) else None
        if first and " and " in text[first.start() : match.start()]:
            initials = "".join(word.group()[0] for word in before[-len(match[1]) :])
            if initials == match[1]:
                names.append(Atom(first.start(), match.start(), "P"))
    return names


def _atoms(text: str, start: int, end: int, name: str) -> list[Atom]:
    """Dates and quantities, quoted titles, and compounds whose hyphen stands between spaces; none overlap."""
    found = value_atoms(text, start, end)
    found += _long_names(text, start, end)
    if " " in name and (place := text.find(name, start, end)) >= 0:
        found.append(Atom(place, place + len(name), "P"))
    found += [Atom(m.start(), m.end(), "P") for m in _DOUBLE_NAME.finditer(text, start, end)]
    found += [Atom(m.start(), m.end(), "P") for m in _TITLED_NAME.finditer(text, start, end)]
    found += [Atom(m.start(), m.end(), "P") for m in _LEGAL_FORM.finditer(text, start, end)]
    found += [Atom(m.start(), m.end(), "P") for m in _QUOTED.finditer(text, start, end)]
    found += [Atom(m.start(), m.end(), "") for m in _COMPOUND.finditer(text, start, end)]
    apart: list[Atom] = []
    for atom in sorted(found, key=lambda atom: (atom.start, -atom.end)):
        if not apart or atom.start >= apart[-1].end:
            apart.append(atom)
    return apart


def read_sentence(text: str, start: int, end: int, name: str = "") -> Sentence:
    """Tag and chunk `text[start:end]`; where `name` occurs, it is one word."""
    tokens = tokenize(text, start, end, _atoms(text, start, end, name))
    tags = tag(tokens)
    chunks = chunk(tags)
    return Sentence(text, start, end, tokens, tags, chunks, [c.kind for c in chunks] + [".", ".", "."])
