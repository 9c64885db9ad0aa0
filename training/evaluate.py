"""Measures the built-in parser against held-out silver: `python training/evaluate.py --silver FILE… [--errors 20]`.

Punctuation is counted for tags only. The teacher is no gold standard: about 90 % of its own labelled arcs are right.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter
from pathlib import Path

import silver

from provgraph.reading.parser import BuiltInParser
from provgraph.reading.syntax import ParsedSentence


def texts(paths: list[Path]) -> dict[tuple[str, ...], str]:
    """The words of each sentence → its text."""
    found = {}
    for path in paths:
        for line in path.read_text("utf-8").splitlines():
            item = json.loads(line)
            spaces = item.get("spaces") or [True] * len(item["words"])
            text = "".join(w + " " * s for w, s in zip(item["words"], spaces, strict=True)).strip()
            found[tuple(item["words"])] = text
    return found


def spans(entities: list[str]) -> set[tuple[int, int, str]]:
    found, start = set(), -1
    for place, label in enumerate([*entities, ""]):
        if start >= 0 and not label.startswith("I-"):
            found.add((start, place, entities[start][2:]))
            start = -1
        if label.startswith("B-") or (label.startswith("I-") and start < 0):
            start = place
    return found


def measured(pairs: list[tuple[silver.Sentence, ParsedSentence]]) -> str:
    count: Counter[str] = Counter()
    for gold, parsed in pairs:
        for place, token in enumerate(parsed.tokens):
            count["words"] += 1
            count["tag"] += token.tag == gold.tags[place]
            if gold.relations[place] != "punct":
                count["arcs"] += 1
                right = token.head == gold.heads[place]
                count["uas"] += right
                count["las"] += right and token.relation == gold.relations[place]
        said, true = spans([token.entity for token in parsed.tokens]), spans(list(gold.entities))
        count["said"] += len(said)
        count["true"] += len(true)
        count["both"] += len(said & true)
        count["root"] += all(t.head >= 0 or gold.heads[t.index] < 0 for t in parsed.tokens)
        count["whole"] += all(
            t.head == gold.heads[t.index] for t in parsed.tokens if gold.relations[t.index] != "punct"
        )
    share = {key: 100 * count[key] / count["words"] for key in ("tag",)}
    arcs = {key: 100 * count[key] / count["arcs"] for key in ("uas", "las")}
    f1 = 200 * count["both"] / max(count["said"] + count["true"], 1)
    whole, root = 100 * count["whole"] / len(pairs), 100 * count["root"] / len(pairs)
    return (
        f"{len(pairs)} sentences, {count['words']} words: tag {share['tag']:.2f} UAS {arcs['uas']:.2f} "
        f"LAS {arcs['las']:.2f} entity F1 {f1:.1f} root {root:.1f} whole tree {whole:.1f}"
    )


def errors(gold: silver.Sentence, parsed: ParsedSentence) -> list[str]:
    """The words of a sentence whose head the student takes to be another, each as a line to read."""

    def named(head: int) -> str:
        return gold.words[head] if head >= 0 else "*"

    return [
        f"{token.text}/{token.tag}: teacher {named(head)} {relation}, student {named(token.head)} {token.relation}"
        f" | {' '.join(gold.words)}"
        for token, head, relation in zip(parsed.tokens, gold.heads, gold.relations, strict=True)
        if token.head != head and relation != "punct"
    ]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--silver", type=Path, nargs="+", required=True)
    arguments.add_argument("--errors", type=int, default=0)
    options = arguments.parse_args()
    parser, plain = BuiltInParser(), texts(options.silver)
    held = [sentence for sentence in silver.read(options.silver) if sentence.held_out]
    groups: dict[str, list[tuple[silver.Sentence, ParsedSentence]]] = {}
    started = time.perf_counter()
    for sentence in held:
        text = plain[sentence.words]
        [parsed] = parser.parse(text, [(0, len(text))])
        if len(parsed.tokens) == len(sentence.words):
            groups.setdefault(sentence.source, []).append((sentence, parsed))
    print(f"{time.perf_counter() - started:.1f} s, one sentence at a time")
    for source, pairs in sorted(groups.items()):
        print(f"{source:9} {measured(pairs)}")
    print(
        "text     ",
        measured([p for s, pairs in groups.items() if s not in {"made", "question"} for p in pairs]),
    )
    wrong = [line for pairs in groups.values() for pair in pairs for line in errors(*pair)]
    for line in random.Random(1).sample(wrong, min(options.errors, len(wrong))):
        print(line)


if __name__ == "__main__":
    main()
