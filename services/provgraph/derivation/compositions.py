"""Relations that are made of others: an aunt is a parent's sister, a brother-in-law a spouse's brother or a sister's
husband. Each is a list of ways, each way a chain of relations from the one who is asked about; with it goes the gender
of the one at the end, where the word tells it.
"""

from __future__ import annotations

import re
from typing import Final

from provgraph.language import wordnet

Chain = tuple[str, ...]

_PARENTS: Final = ("father", "mother", "parent")
COMPOSED: Final[dict[str, tuple[Chain, ...]]] = {
    "paternal grandfather": (("father", "father"),),
    "paternal grandmother": (("father", "mother"),),
    "maternal grandfather": (("mother", "father"),),
    "maternal grandmother": (("mother", "mother"),),
    "grandfather": (("father", "father"), ("mother", "father"), ("parent", "father")),
    "grandmother": (("father", "mother"), ("mother", "mother"), ("parent", "mother")),
    "great-grandfather": tuple((one, other, "father") for one in _PARENTS[:2] for other in _PARENTS[:2]),
    "great-grandmother": tuple((one, other, "mother") for one in _PARENTS[:2] for other in _PARENTS[:2]),
    "uncle": (("father", "brother"), ("mother", "brother"), ("parent", "brother")),
    "aunt": (("father", "sister"), ("mother", "sister"), ("parent", "sister")),
    "grandson": (("child", "son"),), "granddaughter": (("child", "daughter"),), "grandchild": (("child", "child"),),
    "nephew": (("sibling", "son"),), "niece": (("sibling", "daughter"),),
    "father-in-law": (("spouse", "father"),), "mother-in-law": (("spouse", "mother"),),
    "parent-in-law": (("spouse", "parent"),), "child-in-law": (("child", "spouse"),),
    "brother-in-law": (("spouse", "brother"), ("sister", "husband"), ("sibling", "husband")),
    "sister-in-law": (("spouse", "sister"), ("brother", "wife"), ("sibling", "wife")),
    "sibling-in-law": (("spouse", "sibling"), ("sibling", "spouse")),
    "son-in-law": (("daughter", "husband"), ("child", "husband")),
    "daughter-in-law": (("son", "wife"), ("child", "wife")),
    "stepfather": (("mother", "husband"),), "stepmother": (("father", "wife"),),
    "cousin": (("parent", "sibling", "child"),),
}  # fmt: skip
_WORDS: Final = re.compile(
    r"\b("
    + "|".join(
        sorted(
            (re.escape(each).replace(r"\ ", r"\s+").replace(r"\-", r"[-\s]") for each in COMPOSED),
            key=len,
            reverse=True,
        )
    )
    + r")\b",
    re.IGNORECASE,
)


def composed_relation(text: str) -> str:
    """The composed relation that a text names, the longest; empty where it names none."""
    match = _WORDS.search(text)
    if not match:
        return ""
    name = re.sub(r"\s+", " ", match.group(1).casefold())
    if name in COMPOSED:
        return name
    return name.replace(" in law", "-in-law").replace("great ", "great-").replace(" in-law", "-in-law")


def named_in_place(text: str, relation: str, name: str) -> str:
    """A question with a name instead of "the aunt of X" or "X's aunt"; empty where the phrase cannot be told."""
    word = re.escape(relation).replace(r"\ ", r"\s+").replace(r"\-", r"[-\s]")
    name_words = r"[A-Z][\w.'’-]*(?:\s+(?:of\s+|de\s+|von\s+|van\s+)?[A-Z][\w.-]*)*"
    described = rf"(?:(?:the\s+)?[a-z]+\s+)*{name_words}"
    for pattern in (
        rf"\bthe\s+{word}\s+of\s+{described}",
        rf"\b(?!W|D|I[sn]\b){name_words}['’]s?\s+{word}\b",
    ):
        replaced, number = re.subn(pattern, name, text, count=1)
        if number:
            return replaced
    return ""


def relative_asked(question: str) -> str:
    """The relative of somebody named for whom a question asks: "Who was Ada Novak's husband?"; empty where none is."""
    match = _WHOSE_RELATIVE.match(question)
    return match[1] if match is not None and wordnet.is_kind_of(match[1], "relative", "n") else ""


_WHOSE_RELATIVE: Final = re.compile(r"who (?:is|was) .{1,80}['’]s? (\w+)\W*$", re.IGNORECASE)
