"""Computes the parser's table of lemmas: `python training/lemmas.py --to services/provgraph/reading/parser/lemmas.txt`.

Every inflected form that LemmInflect's dictionary (MIT; from the NIH's SPECIALIST Lexicon) knows, and that the parser's
rules would lead to another word. Of forms with several lemmas the one stays that LemmInflect ranks first.
"""

from __future__ import annotations

import argparse
import csv
import gzip
from pathlib import Path

import lemminflect

from provgraph.reading.parser.lemmas import by_rule

KINDS = {
    "NNS": ("noun", "NOUN"), "VBZ": ("s", "VERB"), "VBD": ("ed", "VERB"), "VBN": ("ed", "VERB"), "VBG": ("ing", "VERB"),
    "JJR": ("er", "ADJ"), "JJS": ("est", "ADJ"), "RBR": ("er", "ADV"), "RBS": ("est", "ADV"),
}  # fmt: skip
SAID = {
    "more": "much", "most": "much", "less": "little", "least": "little", "better": "good", "best": "good",
    "worse": "bad", "worst": "bad", "data": "data", "media": "media", "born": "bear", "people": "people",
}  # fmt: skip


def missed() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    resource = Path(lemminflect.__file__).parent / "resources" / "infl_lu.csv.gz"
    with gzip.open(resource, "rt", encoding="utf-8", newline="") as file:
        lemmas = sorted({row[0] for row in csv.reader(file) if row and row[0].isalpha() and row[0].islower()})
    for lemma in lemmas:
        for tag, forms in lemminflect.getAllInflections(lemma).items():
            kind, pos = KINDS.get(tag, ("", ""))
            for form in forms if kind else ():
                if form not in found.get(kind, {}) and form != lemma:
                    best = lemminflect.getLemma(form, pos, lemmatize_oov=False) or (lemma,)
                    found.setdefault(kind, {})[form] = SAID.get(form, best[0])
    return {
        kind: {
            form: lemma for form, lemma in forms.items() if by_rule(form, kind) != lemma and form.isalpha()
        }
        for kind, forms in found.items()
    }


def entry(form: str, lemma: str) -> str:
    shared = next(
        (i for i, (a, b) in enumerate(zip(form, lemma, strict=False)) if a != b), min(len(form), len(lemma))
    )
    cut = len(form) - shared
    return f"{form}:{cut}{lemma[shared:]}" if 0 < cut <= 9 and shared else f"{form}:{lemma}"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--to", type=Path, required=True)
    options = arguments.parse_args()
    with options.to.open("w", encoding="utf-8") as file:
        for kind, forms in missed().items():
            entries = sorted(entry(form, lemma) for form, lemma in forms.items())
            for start in range(0, len(entries), 12):
                print(kind, *entries[start : start + 12], file=file)


if __name__ == "__main__":
    main()
