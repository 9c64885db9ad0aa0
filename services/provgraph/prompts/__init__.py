"""What language models are told: Markdown files that a person can read, and replace by files of the same name.

A prompt is known by a hash of its text, which becomes part of the name of all that is made with it: whoever changes
a prompt gets new results beside the old ones.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from provgraph.errors import InvalidInput

_PACKAGED: Final = Path(__file__).parent
_SECTION: Final = re.compile(r"^# (System|User)[ \t]*$", re.MULTILINE)
_PLACE: Final = re.compile(r"\{\{ *(\w+) *\}\}")
_HASH_HEX: Final = 12


@dataclass(frozen=True)
class Prompt:
    """A prompt of two parts; `{{word}}` in either is a place for a value. `hash` is of the file's text."""

    name: str
    system: str
    user: str
    hash: str

    def filled(self, values: Mapping[str, str]) -> tuple[str, str]:
        """System and user text. Values are put in once and never read for places themselves."""

        def fill(part: str) -> str:
            return _PLACE.sub(lambda place: values[place[1]], part)

        return fill(self.system), fill(self.user)


def read_prompt(name: str, places: frozenset[str], folder: Path | None = None) -> Prompt:
    """The prompt `name`, from `folder` where that holds it, else as it is shipped.

    Raises `InvalidInput` for a replacement that cannot be read, lacks a section, or has places other than `places`;
    every place must be used.
    """
    own = folder / f"{name}.md" if folder else None
    if folder and not folder.is_dir():
        raise InvalidInput(f"There is no folder of prompts {folder}. Check PROVGRAPH_PROMPTS.")
    path = own if own and own.exists() else _PACKAGED / f"{name}.md"
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"The prompt {path} cannot be read ({error}). Save it as UTF-8 text.") from error
    parts = _SECTION.split(text)
    sections = dict(zip(parts[1::2], (part.strip() for part in parts[2::2]), strict=True))
    if not sections.get("System") or not sections.get("User"):
        raise InvalidInput(
            f"The prompt {path} lacks a part. Give it '# System' and '# User', each with text."
        )
    used = set(_PLACE.findall(text))
    if used != places:
        needed = ", ".join(f"{{{{{place}}}}}" for place in sorted(places))
        raise InvalidInput(
            f"The prompt {path} lacks placeholders that it needs, or has others. Use exactly {needed}."
        )
    return Prompt(
        name, sections["System"], sections["User"], hashlib.sha256(text.encode()).hexdigest()[:_HASH_HEX]
    )


def shown_prompts(folder: Path | None = None) -> dict[str, str]:
    """The text of every prompt by its name, as it is used: from `folder` where that holds it, else as shipped."""
    return {
        path.stem: (folder / path.name if folder and (folder / path.name).exists() else path).read_text(
            "utf-8"
        )
        for path in sorted(_PACKAGED.glob("*.md"))
    }
