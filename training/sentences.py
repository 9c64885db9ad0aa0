"""Gathers the plain sentences that the parser's teacher is asked about:
`python training/sentences.py --data DIR --to FILE`.

One JSON object a line: `source`, `document` (which document it is from, so that whole documents are held out) and
`text`. Only sources whose terms allow it are read; sets that are for measuring only are left to measuring.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pymupdf

from provgraph.language.sentences import sentence_spans

Sentence = tuple[str, str, str]
_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
_LISTED = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"")
_BIOMEDICAL_SHARE = 3
"""One abstract of so many: they are long, and all of one kind."""


def sentences(data: Path) -> Iterator[Sentence]:
    yield from _passages(data / "multihop")
    yield from _questions(data)
    yield from _claims(data / "verify")
    yield from _abstracts(data / "verify" / "scifact_corpus.csv")
    yield from _relations(data / "redocred" / "dev_revised.json")
    yield from _pdfs(data / "pdf")


def _split(source: str, document: str, text: str) -> Iterator[Sentence]:
    for start, end in sentence_spans(text):
        sentence = " ".join(text[start:end].split())
        if 8 <= len(sentence) <= 600 and sum(map(str.isalpha, sentence)) > len(sentence) / 2:
            yield source, document, sentence


def _passages(folder: Path) -> Iterator[Sentence]:
    for passage in json.loads((folder / "musique_train_corpus.json").read_text("utf-8")):
        yield from _split("musique", passage["title"], passage["text"])
    for title, parts in json.loads((folder / "hotpotqa_train_corpus.json").read_text("utf-8")).items():
        yield from _split("hotpotqa", title, "".join(parts))


def _questions(data: Path) -> Iterator[Sentence]:
    for name in ("musique_train", "hotpotqa_train"):
        for item in json.loads((data / "multihop" / f"{name}.json").read_text("utf-8")):
            yield "question", item["question"], item["question"]
            for step in item.get("question_decomposition", ()):
                if ">>" not in step["question"] and "#" not in step["question"]:
                    yield "question", item["question"], step["question"]
    for line in (data / "tables" / "questions.jsonl").read_text("utf-8").splitlines():
        question = json.loads(line)["question"]
        yield "question", question, question


def _claims(folder: Path) -> Iterator[Sentence]:
    for line in (folder / "fever_dev.jsonl").read_text("utf-8").splitlines():
        item = json.loads(line)
        yield "claim", item["claim"], item["claim"]
        if item["evidence_text"]:
            yield from _split("fever", item["evidence_text"][:40], _joined(item["evidence_text"].split()))
    with (folder / "scifact_claims_train.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield "claim", row["claim"], row["claim"]


def _abstracts(path: Path) -> Iterator[Sentence]:
    with path.open(encoding="utf-8", newline="") as file:
        for number, row in enumerate(csv.DictReader(file)):
            if number % _BIOMEDICAL_SHARE == 0:
                parts = [single or double for single, double in _LISTED.findall(row["abstract"])]
                for part in parts:
                    yield from _split("scifact", row["doc_id"], part)


def _relations(path: Path) -> Iterator[Sentence]:
    for item in json.loads(path.read_text("utf-8")):
        for words in item["sents"]:
            yield from _split("redocred", item["title"], _joined(words))


def _joined(words: list[str]) -> str:
    """Text again from words that somebody else's tokeniser has cut."""
    text = " ".join(_BRACKETS.get(word, word) for word in words)
    text = re.sub(r" ([,.;:?!)\]}%]|'s\b|n't\b|'re\b|'ve\b|'ll\b|'d\b)", r"\1", text)
    text = re.sub(r"([(\[{$£€]) ", r"\1", text)
    text = re.sub(r"(``|\") ?(.*?) ?(''|\")", r'"\2"', text)
    return re.sub(r"(\w) ([-–/]) (\w)", r"\1\2\3", text)


def _pdfs(folder: Path) -> Iterator[Sentence]:
    for path in sorted(folder.glob("*.pdf")):
        try:
            with pymupdf.open(path) as document:
                pages = [page.get_text() for page in document] if not document.needs_pass else []
        except (RuntimeError, ValueError):
            continue
        for number, page in enumerate(pages):
            yield from _split("pdf", f"{path.stem}-{number}", page)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, required=True)
    arguments.add_argument("--to", type=Path, required=True)
    options = arguments.parse_args()
    seen: set[str] = set()
    with options.to.open("w", encoding="utf-8") as file:
        for source, document, text in sentences(options.data):
            if text not in seen:
                seen.add(text)
                print(json.dumps({"source": source, "document": document, "text": text}), file=file)


if __name__ == "__main__":
    main()
