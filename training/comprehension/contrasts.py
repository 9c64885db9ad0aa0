"""For each supported claim a false one that differs in one word, beside the same text (contrast sets: Gardner et al.
2020): `python training/comprehension/contrasts.py --examples examples.json --to contrasts.json`.

What is changed: a number or year, a name for another of the text, a word for its opposite or for one that is like it, a
"not", the two sides of a verb. A claim and its false copy stand next to each other.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from examples import NOT_SUPPORTED, REFUTED, SUPPORTED, denied, digits_changed, shares
from lemminflect import getInflection, getLemma

from provgraph.language import wordnet

NAME = re.compile(r"\b[A-Z][\w’'-]+(?:(?: (?:of|the|de|von|van))? [A-Z][\w’'-]+)*")
WORD = re.compile(r"[a-z]+")
COUNTS = "one two three four five six seven eight nine ten twelve".split()
OTHERS = {
    one: other
    for pair in (
        "before after", "more less", "most fewest", "first last", "first second", "north south", "east west",
        "northern southern", "eastern western", "all some", "always never", "many few", "above below", "over under",
        "increase decrease", "increased decreased", "larger smaller", "largest smallest", "higher lower",
        "highest lowest",
        "older younger", "oldest youngest", "earlier later", "early late", "won lost", "win lose", "began ended",
        "begin end", "started stopped", "mother father", "son daughter", "brother sister", "husband wife", "king queen",
        "teacher student", "bought sold", "male female", "men women", "north-east south-west", "rise fall", "rose fell",
        "minimum maximum", "daily weekly", "monthly yearly", "million billion", "hundred thousand", "century decade",
        "only also", "founded dissolved", "born buried", "accepted rejected", "allowed forbidden", "inside outside",
    )
    for one, other in (pair.split(), reversed(pair.split()))
}  # fmt: skip
Change = Callable[[str, str], tuple[str | None, int]]


def another_number(claim: str, text: str) -> tuple[str | None, int]:
    words = [m for m in re.finditer(r"\b[a-z]+\b", claim) if m.group() in COUNTS]
    if words:
        match = random.choice(words)
        other = random.choice([each for each in COUNTS if each != match.group()])
        return claim[: match.start()] + other + claim[match.end() :], REFUTED
    numbers = [n for n in re.findall(r"\b\d[\d,.]*\b", text) if n not in claim]
    match = re.search(r"\b\d[\d,.]*\d\b|\b\d\b", claim)
    if match and numbers and random.random() < 0.4:
        alike = [n for n in numbers if len(n.rstrip(".,")) == len(match.group())]
        if alike:
            return claim[: match.start()] + random.choice(alike).rstrip(".,") + claim[match.end() :], REFUTED
    return digits_changed(claim), REFUTED


def another_name(claim: str, text: str) -> tuple[str | None, int]:
    own = [m for m in NAME.finditer(claim) if m.start() > 0 or " " in m.group() or text.count(m.group()) > 0]
    others = list(
        {m.group() for m in NAME.finditer(text) if m.start() > 1 and text[m.start() - 2] not in ".!?"}
    )
    if not own:
        return None, REFUTED
    match = random.choice(own)
    fit = [n for n in others if not shares(n, claim) and (" " in n) == (" " in match.group())]
    if not fit:
        return None, REFUTED
    return claim[: match.start()] + random.choice(fit) + claim[match.end() :], NOT_SUPPORTED


def opposite(claim: str, text: str) -> tuple[str | None, int]:
    for match in random.sample(found := list(WORD.finditer(claim)), len(found)):
        word = match.group()
        other = OTHERS.get(word)
        if other is None and len(word) > 3:
            others = sorted(w for w in wordnet.opposites(word, "a") if w.isalpha() and w not in text)
            other = random.choice(others) if others else None
        if other is None and len(word) > 3 and word.endswith("ed"):
            other = _verb(word)
        if other is not None:
            return claim[: match.start()] + other + claim[match.end() :], REFUTED
    return None, REFUTED


def _verb(word: str) -> str | None:
    lemmas = getLemma(word, "VERB")
    others = sorted(wordnet.opposites(lemmas[0], "v")) if lemmas else []
    forms = getInflection(random.choice(others), "VBD") if others else ()
    return forms[0] if forms else None


def negated(claim: str, text: str) -> tuple[str | None, int]:  # noqa: ARG001
    return denied(claim), REFUTED


def sides_exchanged(claim: str, text: str) -> tuple[str | None, int]:  # noqa: ARG001
    names = list(NAME.finditer(claim))
    if len(names) < 2:
        return None, REFUTED
    one, other = names[0], names[-1]
    between = claim[one.end() : other.start()]
    if re.fullmatch(r"[\s,]*(?:and|or|&)?[\s,]*", between):
        return None, REFUTED
    return claim[: one.start()] + other.group() + between + one.group() + claim[other.end() :], NOT_SUPPORTED


CHANGES: Sequence[tuple[Change, float]] = (
    (another_number, 3), (another_name, 3), (opposite, 3), (negated, 1), (sides_exchanged, 1),
)  # fmt: skip


def contrast(row: dict[str, Any]) -> dict[str, Any] | None:
    changes, weights = zip(*CHANGES, strict=True)
    for change in random.choices(changes, weights, k=4):
        claim, label = change(row["claim"], row["text"])
        if claim and claim != row["claim"]:
            return {**row, "claim": claim, "label": label, "kind": f"contrast, {change.__name__}"}
    return None


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    arguments.add_argument("--examples", type=Path, nargs="+", required=True)
    arguments.add_argument("--to", type=Path, required=True)
    options = arguments.parse_args()
    random.seed(3)
    claims: list[dict[str, Any]] = []
    for path in options.examples:
        for row in json.loads(path.read_text("utf-8"))["claims"]:
            other = contrast(row) if row["label"] == SUPPORTED else None
            if other is not None:
                claims += (row, other)
    options.to.write_text(json.dumps({"claims": claims}), "utf-8")
    print(len(claims))


if __name__ == "__main__":
    main()
