"""Who a part in a contract is: the name that a text defines it by, as in "Orme Estates Ltd (the Landlord)"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from provgraph.derivation.evidence import Finder, ReadPassage, support_at
from provgraph.derivation.result import Derived, Step
from provgraph.language.terms import FUNCTION_WORDS, terms
from provgraph.reading.propositions import Span

_ASKED: Final = re.compile(
    r"^(?:who|what company|which (?:company|firm|party)) (?:is|are|acts as|was) the (?P<part>[\w-]+(?: [\w-]+)?)"
    r"(?: (?:of|under|in|to|for) (?P<rest>.{1,300}?))?[\s?]*$",
    re.IGNORECASE,
)
_QUOTES: Final = "\"“”'‘’"
_WORD: Final = r"(?:[A-Z][\w&.'’-]*|&|of|de|van|von|der|plc|and|the)"
_FORMS: Final = r"(?:Inc|Ltd|LLC|LP|LLP|Corp|S\.A|N\.V|B\.V)\.?"
_ASIDE: Final = (
    r"(?:, (?=(?:a|an|the|having|whose|with|of|registered|incorporated|organi[sz]ed|acting|established|being|"
    r"represented)\b)[^()]{0,120}?)?"
)
_DEFINED: Final = re.compile(
    rf"(?<![\w&.'’-])(?!The |This )(?P<name>[A-Z][\w&.'’-]*(?: {_WORD}){{0,7}}(?:, {_FORMS})?){_ASIDE},? "
    rf"\(\s*(?:hereinafter |together |each )?(?:referred to as |called )?(?:the |an? )?"
    rf"[{_QUOTES}]?(?:the )?(?P<part>[A-Z][\w -]{{1,40}}?)[{_QUOTES}]?(?: or [^()]{{1,40}})?\s*\)"
)
_CONFIDENCE: Final = 0.9


async def defined_party(text: str, finder: Finder) -> Derived | None:
    """The name of the one who has a part; None where no text found defines it, or two do with different names."""
    asked = _ASKED.match(text.strip())
    if asked is None:
        return None
    wanted, rest = asked["part"].casefold(), set(terms(asked["rest"] or "")) - FUNCTION_WORDS
    passages = [
        read_passage for read_passage in await finder.passages(text) if _speaks_of(read_passage, rest)
    ]
    names = list(_names(passages, wanted))
    if not names or len({span.text for _, span in names}) > 1:
        return None
    passage, name = names[0]
    support = support_at(passage, name)
    step = Step("look up", name.text, f"The document calls {name.text} the {asked['part']}.", (support,))
    return Derived(name.text, "entity", (step,), _CONFIDENCE)


def _speaks_of(passage: ReadPassage, words: set[str]) -> bool:
    return words <= set(terms(f"{passage.title} {passage.text}"))


def _names(passages: Sequence[ReadPassage], part: str) -> Iterator[tuple[ReadPassage, Span]]:
    for passage in passages:
        for match in _DEFINED.finditer(passage.text):
            if match["part"].casefold() == part:
                start, end = match.span("name")
                yield passage, Span(start, end, match["name"])
