"""Verdicts on claims given evidence: are they right, is their confidence, and what would shortcuts reach?

    python benchmarks/verdicts.py --data DIR [--claims DIR] [--half looked-at|held-out]

`--data` holds verify/ (fever_dev.jsonl, scifact_*.csv, attribution_dev.jsonl), `--claims` a folder of sets written by
hand: contrast.jsonl, page_claims.jsonl with documents_claims/page.md, answers_to_check.jsonl. The rules were written by
looking at the even rows of each set; the odd ones are scored only. "fever" gives the five texts that BM25 finds among
all evidence texts, "fever, gold" the text that the claim was made from. SciFact: the cited abstracts; no claim of it
was looked at. Attribution: SUPPORTS is "attributable", all else is not. "written" are claims in other words about
documents written for training (`written_documents.py`; every other one of those kept from it was not looked at), each
true one with one made false by a change, and some that the document leaves open; they need no data. The weights of the
last decision are fitted by `fit_verdicts.py`, which says on which rows.
"""

from __future__ import annotations

import argparse
import ast
import csv
import json
import math
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from written_documents import written_documents

from provgraph.language.sentences import sentence_spans
from provgraph.language.terms import content_terms
from provgraph.reading.parser import BuiltInParser
from provgraph.reading.syntax import ParsedSentence
from provgraph.verdicts.judgement import EvidenceText, Judgement
from provgraph.verdicts.judging import Judge

SUPPORTS, REFUTES, UNKNOWN = LABELS = ("SUPPORTS", "REFUTES", "NOT ENOUGH INFO")
SCIFACT = {"SUPPORT": SUPPORTS, "CONTRADICT": REFUTES, "": UNKNOWN}
COMPANIES = {
    "PEPSICO": "PepsiCo",
    "BOEING": "Boeing",
    "AMERICANEXPRESS": "American Express",
    "CVSHEALTH": "CVS Health",
}
TOP, SURE = 5, 0.9


@dataclass(frozen=True)
class Case:
    """A claim with its label; `looked_at` says that the rules were written with it in view."""

    claim: str
    label: str
    evidence: tuple[EvidenceText, ...]
    looked_at: bool


class KeptParser:
    """A parser that parses each sentence once, by its text."""

    name, language = "kept", "en"

    def __init__(self) -> None:
        self._parser, self._known = BuiltInParser(), {}

    def parse(self, text: str, sentences: Sequence[tuple[int, int]]) -> list[ParsedSentence]:
        new = [(start, end) for start, end in sentences if text[start:end] not in self._known]
        for (start, end), parsed in zip(new, self._parser.parse(text, new), strict=True):
            self._known[text[start:end]] = _moved(parsed, -start)
        return [_moved(self._known[text[start:end]], start) for start, end in sentences]


def _moved(parsed: ParsedSentence, by: int) -> ParsedSentence:
    tokens = tuple(replace(token, start=token.start + by, end=token.end + by) for token in parsed.tokens)
    return ParsedSentence(tokens, parsed.start + by, parsed.end + by)


class Bm25:
    """Ranks texts for a claim (Robertson & Zaragoza 2009, k1 = 1.2, b = 0.75)."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._counts = [Counter(list(content_terms(text))) for text in texts]
        self._lengths = [sum(counts.values()) for counts in self._counts]
        self._mean = sum(self._lengths) / len(texts)
        self._postings: dict[str, list[int]] = defaultdict(list)
        for index, counts in enumerate(self._counts):
            for term in counts:
                self._postings[term].append(index)

    def top(self, query: str, most: int) -> list[int]:
        scores: Counter[int] = Counter()
        for term in set(content_terms(query)):
            found = self._postings.get(term, [])
            weight = math.log(1 + (len(self._counts) - len(found) + 0.5) / (len(found) + 0.5))
            for index in found:
                count = self._counts[index][term]
                norm = 1.2 * (0.25 + 0.75 * self._lengths[index] / self._mean)
                scores[index] += weight * count * 2.2 / (count + norm)
        return [index for index, _ in scores.most_common(most)]


def _lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def fever(folder: Path) -> Iterator[Case]:
    rows = _lines(folder / "fever_dev.jsonl")
    texts = sorted({row["evidence_text"] for row in rows if row["evidence_text"]})
    index = Bm25(texts)
    for at, row in enumerate(rows):
        found = tuple(EvidenceText(str(i), texts[i]) for i in index.top(row["claim"], TOP))
        yield Case(row["claim"], row["label"], found, at % 2 == 0)


def fever_gold(folder: Path) -> Iterator[Case]:
    rows = [row for row in _lines(folder / "fever_dev.jsonl") if row["evidence_text"]]
    for at, row in enumerate(rows):
        yield Case(row["claim"], row["label"], (EvidenceText("0", row["evidence_text"]),), at % 2 == 0)


def scifact(folder: Path) -> Iterator[Case]:
    with (folder / "scifact_corpus.csv").open(encoding="utf-8", newline="") as file:
        texts = {r["doc_id"]: (r["title"], " ".join(_strings(r["abstract"]))) for r in csv.DictReader(file)}
    seen = set()
    with (folder / "scifact_claims_train.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["id"] not in seen:
                seen.add(row["id"])
                ids = (
                    [row["evidence_doc_id"]]
                    if row["evidence_label"]
                    else re.findall(r"\d+", row["cited_doc_ids"])
                )
                found = tuple(EvidenceText(i, f"{texts[i][0]} {texts[i][1]}") for i in ids if i in texts)
                yield Case(row["claim"], SCIFACT[row["evidence_label"]], found, False)


def _strings(printed: str) -> list[str]:
    literals = re.findall(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", printed)
    return [str(ast.literal_eval(literal)) for literal in literals]


def attribution(folder: Path) -> Iterator[Case]:
    for at, row in enumerate(_lines(folder / "attribution_dev.jsonl")):
        claim = re.sub(r"\s*(?:\[\d+\])+", "", row["claim"])
        texts = tuple(EvidenceText(str(i), text) for i, text in enumerate(row["references"]))
        yield Case(claim, SUPPORTS if row["label"] == "attributable" else UNKNOWN, texts, at % 2 == 0)


def written(_: Path) -> Iterator[Case]:
    for at, row in enumerate(written_documents(held=True)):
        yield from written_claims(row, looked_at=at % 2 == 0)


def written_claims(row: dict[str, Any], looked_at: bool) -> Iterator[Case]:
    """The claims of one written document."""
    text = EvidenceText("0", row["text"], row["title"])
    for claims in row["claims"]:
        yield Case(claims["true"], SUPPORTS, (text,), looked_at)
        yield Case(claims["false"], REFUTES, (text,), looked_at)
    for claim in row["open"]:
        yield Case(claim, UNKNOWN, (text,), looked_at)


def contrast(folder: Path) -> Iterator[Case]:
    for row in _lines(folder / "contrast.jsonl"):
        text = EvidenceText("0", row["evidence"], _title(row["document"]))
        yield Case(row["claim"], row["label"], (text,), int(row["id"][1:3]) % 2 == 0)


def page(folder: Path) -> Iterator[Case]:
    text = (folder / "documents_claims" / "page.md").read_text(encoding="utf-8")
    title = text.partition("\n")[0].lstrip("# ")
    for at, row in enumerate(_lines(folder / "page_claims.jsonl")):
        yield Case(row["claim"], row["label"], (EvidenceText("page", text, title),), at % 2 == 0)


def answers(folder: Path) -> Iterator[Case]:
    for row in _lines(folder / "answers_to_check.jsonl"):
        texts = tuple(EvidenceText(each["id"], each["text"], _title(each["id"])) for each in row["sources"])
        for claim in row["claims"]:
            yield Case(claim["text"], claim["label"], texts, int(row["id"][1:3]) % 2 == 0)


def _title(document: str) -> str:
    """The title that the name of a hand-made case's document gives."""
    if "corpus.json" in document:
        return re.sub(r"^.*corpus\.json: ", "", document)
    return next((name for key, name in COMPANIES.items() if key in document), "")


# baselines


def overlap(case: Case) -> float:
    """The greatest share of the claim's terms in one sentence."""
    words = set(content_terms(case.claim))
    shares = [
        len(words & set(content_terms(text.text[start:end]))) / (len(words) or 1)
        for text in case.evidence
        for start, end in sentence_spans(text.text)
    ]
    return max(shares, default=0.0)


def by_overlap(cases: Sequence[Case]) -> list[str]:
    """SUPPORTS from a share on; the threshold that is best for these very cases."""
    shares = [overlap(case) for case in cases]
    options = [[SUPPORTS if share >= t / 20 else UNKNOWN for share in shares] for t in range(1, 21)]
    return max(options, key=lambda labels: accuracy(cases, labels))


def by_majority(cases: Sequence[Case]) -> list[str]:
    return [Counter(case.label for case in cases).most_common(1)[0][0]] * len(cases)


# figures


def accuracy(cases: Sequence[Case], labels: Sequence[str]) -> float:
    return sum(case.label == label for case, label in zip(cases, labels, strict=True)) / (len(cases) or 1)


def macro_f1(cases: Sequence[Case], labels: Sequence[str]) -> float:
    gold = [case.label for case in cases]
    return sum(_f1(gold, labels, each) for each in set(gold)) / (len(set(gold)) or 1)


def _f1(gold: Sequence[str], labels: Sequence[str], label: str) -> float:
    both = sum(a == b == label for a, b in zip(gold, labels, strict=True))
    either = sum(a == label for a in gold) + sum(b == label for b in labels)
    return 2 * both / either if either else 0.0


def false_supports(cases: Sequence[Case], labels: Sequence[str]) -> str:
    wrong = sum(
        case.label != SUPPORTS and label == SUPPORTS for case, label in zip(cases, labels, strict=True)
    )
    return f"{wrong} of {sum(case.label != SUPPORTS for case in cases)}"


def calibration_error(pairs: Sequence[tuple[float, bool]]) -> float:
    """Expected calibration error over ten bins (Naeini et al. 2015)."""
    bins: dict[int, list[tuple[float, bool]]] = defaultdict(list)
    for sure, right in pairs:
        bins[min(int(sure * 10), 9)].append((sure, right))
    gaps = [abs(sum(s for s, _ in some) - sum(r for _, r in some)) for some in bins.values()]
    return sum(gaps) / (len(pairs) or 1)


def table(name: str, cases: list[Case], judged: list[Judgement], seconds: float) -> dict:
    binary = name == "attribution"
    ours = [SUPPORTS if j.label == SUPPORTS else UNKNOWN if binary else j.label for j in judged]
    rows: dict[str, list[str]] = {"majority": by_majority(cases), "overlap": by_overlap(cases)}
    rows["this"] = ours
    for way, labels in rows.items():
        print(
            f"{name:12} {way:9} {accuracy(cases, labels):6.1%} {macro_f1(cases, labels):6.1%} "
            f"false SUPPORTS {false_supports(cases, labels)}"
        )
    right = [case.label == label for case, label in zip(cases, ours, strict=True)]
    pairs = [(j.confidence, ok) for j, ok in zip(judged, right, strict=True)]
    sure = [ok for confidence_, ok in pairs if confidence_ >= SURE]
    counts = Counter(f"{case.label[:3]}>{label[:3]}" for case, label in zip(cases, ours, strict=True))
    print(f"{'':12} {dict(sorted(counts.items()))}")
    print(
        f"{'':12} calibration error {calibration_error(pairs):.3f}; at {SURE} and more {len(sure)}, right "
        f"{sum(sure) / (len(sure) or 1):.1%}; {len(cases) / seconds:.0f} claims/s\n"
    )
    return {
        "set": name, "claims": len(cases), "accuracy": round(accuracy(cases, ours), 4),
        "macro_f1": round(macro_f1(cases, ours), 4), "false_supports": false_supports(cases, ours),
        "calibration_error": round(calibration_error(pairs), 4), "sure": len(sure), "sure_right": sum(sure),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--claims", type=Path)
    parser.add_argument("--half", choices=("looked-at", "held-out"), default="held-out")
    parser.add_argument("--only", nargs="*")
    options = parser.parse_args()
    verify = options.data / "verify"
    sets: dict[str, tuple[Callable[[Path], Iterator[Case]], Path]] = {
        "fever": (fever, verify), "fever, gold": (fever_gold, verify), "scifact": (scifact, verify),
        "attribution": (attribution, verify), "written": (written, verify),
    }  # fmt: skip
    if options.claims:
        sets |= {
            "contrast": (contrast, options.claims),
            "page": (page, options.claims),
            "answers": (answers, options.claims),
        }
    reader, lines = KeptParser(), []
    for name, (read, folder) in sets.items():
        if options.only and name not in options.only:
            continue
        cases = [case for case in read(folder) if case.looked_at == (options.half == "looked-at")]
        if not cases:
            continue
        judge = Judge(reader, keep=5_000)
        for case in cases:
            judge.judge(case.claim, case.evidence)
        started = time.perf_counter()
        judged = [judge.judge(case.claim, case.evidence) for case in cases]
        lines.append(table(name, cases, judged, time.perf_counter() - started))
    print(json.dumps(lines))


if __name__ == "__main__":
    main()
