"""What analysts' questions to long filings are answered, and whether a page that answers is cited.

    python benchmarks/filing_answers.py --data DIR --folder DIR [--questions FILE] [--show]

`--data` holds finance/: questions.jsonl (question, answer, document, gold pages counted from 0) and pdf/; `--questions`
is another file of the same form, in which `answer`, `doc` and `pages` may be missing. The filings are ingested into
`--folder` and asked over HTTP, all in one collection. Counted: answers that cite something, those where a gold page is
among the first three pages cited, short answers, and candidates of `retrieve` on a gold page. Whether an answer is
right a person tells: `--show` prints each with the gold answer.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
from short_answers import PROGRAM, served

PAGES = 3
CANDIDATES = 10
Page = tuple[str, int]


@dataclass(frozen=True)
class Answered:
    """A question with its reply; pages are (file without suffix, number from 0), as they are cited or ranked."""

    record: dict[str, Any]
    reply: dict[str, Any]
    cited: tuple[Page, ...]
    found: tuple[Page, ...]

    @property
    def gold(self) -> frozenset[Page]:
        return frozenset((self.record["doc"], page) for page in self.record.get("pages", ()))

    @property
    def short(self) -> str:
        return (self.reply.get("short_answer") or {}).get("text", "")

    @property
    def cites_gold(self) -> bool:
        return not self.gold.isdisjoint(self.cited[:PAGES])

    @property
    def finds_gold(self) -> bool:
        return not self.gold.isdisjoint(self.found)


def ask(client: httpx2.Client, record: dict[str, Any]) -> Answered:
    body = {"query": record["question"]}
    reply = client.post("/api/v1/graph-rag", json=body).json()
    found = client.post("/api/v1/retrieve", json={**body, "limit": CANDIDATES}).json()
    cited = [source for each in reply.get("citations", ()) for source in each["sources"]]
    return Answered(record, reply, _pages(cited), _pages(found.get("chunks", ())))


def _pages(sources: Sequence[dict[str, Any]]) -> tuple[Page, ...]:
    placed = ((Path(each["source"]).stem, each["page_number"] - 1) for each in sources if each["page_number"])
    return tuple(dict.fromkeys(placed))


def figures(answers: Sequence[Answered]) -> dict[str, int]:
    return {
        "questions": len(answers),
        "answered": sum(each.reply.get("outcome") == "answered" for each in answers),
        "cited": sum(bool(each.cited) for each in answers),
        "gold page cited": sum(each.cites_gold for each in answers),
        "short answers": sum(bool(each.short) for each in answers),
        "gold page among candidates": sum(each.finds_gold for each in answers),
    }


def show(each: Answered) -> None:
    mark = "+" if each.cites_gold else "-" if each.cited else " "
    found = "found" if each.finds_gold else "not found"
    print(f"{mark} {each.record['question']}  [{each.record.get('answer', '')}]")
    print(f"    {each.short or '–'}  ({each.reply.get('outcome')}; gold {sorted(each.gold)} {found})")
    print(f"    cited {each.cited[:6]}")
    print(f"    {' '.join(str(each.reply.get('response')).split())[:500]}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder that holds finance/")
    parser.add_argument("--folder", type=Path, required=True, help="where the collection is kept")
    parser.add_argument("--questions", type=Path, help="other questions; default: finance/questions.jsonl")
    parser.add_argument("--show", action="store_true", help="print every question with its answer")
    options = parser.parse_args()
    files = sorted((options.data / "finance" / "pdf").glob("*.pdf"))
    ingested = [str(PROGRAM), "ingest", "--data", str(options.folder), *map(str, files)]
    subprocess.run(ingested, check=False, capture_output=True)
    lines = (
        (options.questions or options.data / "finance" / "questions.jsonl").read_text("utf-8").splitlines()
    )
    with served(options.folder) as client:
        answers = [ask(client, json.loads(line)) for line in lines if line.strip()]
    for each in answers if options.show else ():
        show(each)
    print(json.dumps(figures(answers)))


if __name__ == "__main__":
    main()
