"""What to call a document: the first of its own names that a person would choose, else the name of its file.

A title page's words, a program's stand-in ("Microsoft Word - draft.doc"), a page's label ("Table of Contents") and the
number of a form are no titles. Knows nothing of formats: readers give what a file says, the best first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from provgraph.documents.readers.text import one_line, title_from_name

LONGEST: Final = 120
"""Characters: what is longer is a title page run together, or a sentence."""

_STAND_IN: Final = re.compile(
    r"""\W*(?:untitled|unknown|unspecified|anonymous|no\ title|title|document|presentation|slide|sheet|book|page|draft|
        scan|image|print|report) \W*\d*
      | (?:microsoft\ (?:word|powerpoint|excel|office)|powerpoint\ presentation|adobe\ \w+|latex|acrobat)\b.*
      | .*\.(?:docx?|pdf|tex|dvi|indd|qxd|ps|rtf|odt|pptx?|xlsx?|exe|pmd|fm|p65|html?|txt|md)
      | (?:file|https?)://.*
      | (?:table\ of\ )?contents | index | abstract | introduction | cover(?:\ page)? | front\ matter
      | page\ \d+(?:\ of\ \d+)?
      | (?:form|rev|revision|version|no|nr)\b\W*+(?=[\w./-]*\d)[\w./-]++(?:\s*\(.*\))?""",
    re.VERBOSE | re.IGNORECASE,
)
_LEAST_LETTERS: Final = 3


def title_of(said: Iterable[str], name: str) -> str:
    """The first of `said` that is a title, else the file name without its extension, its words parted by spaces."""
    return next((title for each in said if is_title(title := one_line(each))), "") or title_from_name(name)


def is_title(words: str) -> bool:
    """Whether a person would call a document so."""
    if not words or len(words) > LONGEST or _STAND_IN.fullmatch(words):
        return False
    letters = sum(map(str.isalpha, words))
    digits = sum(map(str.isdigit, words))
    return letters >= _LEAST_LETTERS and letters > digits and 2 * letters >= len(words.replace(" ", ""))
