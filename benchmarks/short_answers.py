"""Short answers: are they right, how often is one given, and is what cannot be answered refused?

    python benchmarks/short_answers.py --data DIR --folder DIR                       # every set
    python benchmarks/short_answers.py --data DIR --folder DIR --set hotpotqa --show # one, read answer by answer

A set is a collection of documents and the questions that are put to it over HTTP, to a service of the folder's own.
`--data` holds multihop/, tables/ and pdf/ as the benchmarks of retrieval have them, and squad/dev-v1.1.json for the set
"articles"; the sets with documents of our own are in benchmarks/questions/. A short answer is right if it equals a gold
answer after the normalisation of SQuAD (Rajpurkar et al. 2016) or if the F1 of their words is at least 0.8; numbers and
dates are compared as values.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import socket
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx2

HERE = Path(__file__).parent / "questions"
PROGRAM = Path(sys.executable).parent / "provgraph"
RIGHT_F1 = 0.8


@dataclass(frozen=True)
class Asked:
    """`answers` are the spellings of the answer; none where the documents do not say it. `items` of a list must all
    be named, each by one of its spellings. `documents` narrows the question to some of them."""

    question: str
    answers: tuple[str, ...]
    items: tuple[tuple[str, ...], ...] = ()
    documents: tuple[str, ...] = ()
    kind: str = ""


@dataclass(frozen=True)
class QuestionSet:
    name: str
    files: tuple[Path, ...]
    questions: tuple[Asked, ...]
    foreign: tuple[str, ...] = field(default=())


@dataclass(frozen=True)
class Reply:
    asked: Asked
    short: str
    text: str
    outcome: str
    ms: float

    @property
    def right(self) -> bool:
        return bool(self.short) and is_right(self.short, self.asked)


# --- grading


def normalised(text: str) -> list[str]:
    """Lower case, without punctuation and articles, as SQuAD compares; numbers without separators."""
    plain = re.sub(r"(?<=\d),(?=\d{3})", "", text.casefold())
    words = re.sub(r"[^\w.%]+", " ", plain).split()
    words = [word.strip(".") for word in words]
    return [word for word in words if word and word not in ("a", "an", "the")]


def f1(one: Sequence[str], other: Sequence[str]) -> float:
    shared = sum((Counter(one) & Counter(other)).values())
    if not shared:
        return 0.0
    precision, recall = shared / len(one), shared / len(other)
    return 2 * precision * recall / (precision + recall)


def is_right(short: str, asked: Asked) -> bool:
    words = normalised(short)
    if asked.items:
        joined = f" {' '.join(words)} "
        return all(
            any(f" {' '.join(normalised(form))} " in joined for form in forms) for forms in asked.items
        )
    return any(
        words == normalised(answer) or f1(words, normalised(answer)) >= RIGHT_F1 for answer in asked.answers
    )


# --- sets


def _own(name: str, folder: str) -> QuestionSet:
    lines = (HERE / f"{name}.jsonl").read_text("utf-8").splitlines()
    files = tuple(sorted((HERE / folder).iterdir()))
    return QuestionSet(name, files, tuple(map(_asked, map(json.loads, filter(None, lines)))))


def _asked(record: dict) -> Asked:
    items = tuple((item,) if isinstance(item, str) else tuple(item) for item in record.get("items", ()))
    documents = (record["document"],) if "document" in record else ()
    return Asked(record["question"], tuple(record["answers"]), items, documents, record["kind"])


def _multihop(name: str, data: Path, folder: Path) -> QuestionSet:
    from multihop import as_jsonl, read_dataset

    dataset = read_dataset(name, data / "multihop")
    other = read_dataset("musique" if name == "hotpotqa" else "hotpotqa", data / "multihop")
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}.jsonl"
    file.write_bytes(as_jsonl(dataset.passages))
    questions = tuple(Asked(each.text, each.answers) for each in dataset.questions)
    return QuestionSet(name, (file,), questions, tuple(each.text for each in other.questions))


def _tables(data: Path) -> QuestionSet:
    records = map(json.loads, (data / "tables/questions.jsonl").read_text("utf-8").splitlines())
    questions = tuple(
        Asked(
            record["question"],
            (", ".join(record["answer"]),),
            tuple((answer,) for answer in record["answer"]) if len(record["answer"]) > 1 else (),
            (record["table"],),
        )
        for record in records
    )
    return QuestionSet("tables", tuple(sorted((data / "tables/csv").iterdir())), questions)


def _pdfs(data: Path) -> QuestionSet:
    lines = (HERE / "pdf_questions.jsonl").read_text("utf-8").splitlines()
    questions = tuple(map(_asked, map(json.loads, filter(None, lines))))
    files = (*sorted((data / "pdf").iterdir()), *sorted((data / "finance/pdf").iterdir()))
    return QuestionSet("pdfs", files, questions)


def question_set(name: str, data: Path, folder: Path) -> QuestionSet:
    match name:
        case "musique" | "hotpotqa":
            return _multihop(name, data, folder)
        case "tables":
            return _tables(data)
        case "pdfs":
            return _pdfs(data)
        case "two_step":
            return _own(name, "documents_graph")
        case "paraphrased":
            return _own(name, "documents")
        case "multilingual":
            return _own(name, "documents_multilingual")
        case "articles":
            return _articles(data / "squad" / "dev-v1.1.json", folder)
    raise SystemExit(f"no set is named {name}")


SETS = ("hotpotqa", "musique", "two_step", "paraphrased", "multilingual", "tables", "pdfs")
ASKED_FOR = ("articles",)
"""Sets that are measured only where they are named, as their file is not among the others."""
OF_ARTICLES, ASKED_OF_THEM = 24, 150


def _articles(file: Path, folder: Path) -> QuestionSet:
    """Questions to the first articles of SQuAD's development file (Rajpurkar et al. 2016), each a document."""
    texts = folder / "articles-texts"
    texts.mkdir(parents=True, exist_ok=True)
    files, questions = [], []
    for article in json.loads(file.read_text("utf-8"))["data"][:OF_ARTICLES]:
        files.append(texts / f"{article['title'].replace('/', '_')}.txt")
        paragraphs = [each["context"] for each in article["paragraphs"]]
        files[-1].write_text("\n\n".join((article["title"].replace("_", " "), *paragraphs)) + "\n", "utf-8")
        questions += [
            Asked(each["question"].strip(), tuple({answer["text"] for answer in each["answers"]}))
            for paragraph in article["paragraphs"]
            for each in paragraph["qas"]
        ]
    random.Random(5).shuffle(questions)
    return QuestionSet("articles", tuple(files), tuple(questions[:ASKED_OF_THEM]))


# --- asking


@contextmanager
def served(folder: Path) -> Iterator[httpx2.Client]:
    with served_process(folder) as (client, _):
        yield client


@contextmanager
def served_process(folder: Path) -> Iterator[tuple[httpx2.Client, int]]:
    """A client of a service of the folder, and the number of its process."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [str(PROGRAM), "serve", "--data", str(folder), "--port", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        with httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=120) as client:
            for _ in range(600):
                try:
                    if client.get("/health").status_code == 200:
                        break
                except httpx2.HTTPError:
                    time.sleep(0.1)
            yield client, process.pid
    finally:
        process.terminate()
        process.wait(30)


def ask(client: httpx2.Client, asked: Asked, narrow: bool) -> Reply:
    body: dict = {"query": asked.question}
    if narrow and asked.documents:
        body["documents"] = list(asked.documents)
    started = time.perf_counter()
    response = client.post("/api/v1/graph-rag", json=body)
    ms = (time.perf_counter() - started) * 1000
    if response.status_code != 200:
        return Reply(asked, "", f"[{response.status_code}] {response.text[:200]}", "failed", ms)
    answer = response.json()
    short = answer.get("short_answer") or {}
    return Reply(asked, short.get("text", ""), answer["response"], answer["outcome"], ms)


def measure(questions: QuestionSet, folder: Path, narrow: bool, show: bool) -> dict[str, float]:
    """Percentages. `right` is of the answerable, `right of answered` of those with a short answer."""
    paths = [str(path) for path in questions.files]
    subprocess.run([str(PROGRAM), "ingest", "--data", str(folder), *paths], check=False, capture_output=True)
    with served(folder) as client:
        ask(client, Asked("Who is who?", ()), False)
        replies = [ask(client, asked, narrow) for asked in questions.questions]
        foreign = [ask(client, Asked(text, ()), False) for text in questions.foreign]
    answerable = [reply for reply in replies if reply.asked.answers]
    unanswerable = [reply for reply in replies if not reply.asked.answers] + foreign
    given = [reply for reply in answerable if reply.short]
    if show:
        _show(replies)
        _show(foreign)
    return {
        "right": _percent(sum(reply.right for reply in answerable), len(answerable)),
        "right of answered": _percent(sum(reply.right for reply in given), len(given)),
        "answered": _percent(len(given), len(answerable)),
        "in the text": _percent(sum(_in_text(reply) for reply in answerable), len(answerable)),
        "no short answer where none is": _percent(
            sum(not reply.short for reply in unanswerable), len(unanswerable)
        ),
        "refused where none is": _percent(
            sum(reply.outcome == "refused" for reply in unanswerable), len(unanswerable)
        ),
        "median ms": round(statistics.median(reply.ms for reply in replies), 1),
    }


def _in_text(reply: Reply) -> bool:
    text = f" {' '.join(normalised(reply.text))} "
    return reply.outcome == "answered" and any(
        f" {' '.join(normalised(answer))} " in text for answer in reply.asked.answers
    )


def _percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 1) if whole else 0.0


def _show(replies: Sequence[Reply]) -> None:
    for reply in replies:
        mark = "+" if reply.right else "-" if not reply.short else "!"
        print(f"{mark} {reply.asked.question}  [{' / '.join(reply.asked.answers)}]")
        print(f"    {reply.short or '–'}   ({reply.outcome}) {' '.join(reply.text.split())[:300]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument(
        "--data", type=Path, required=True, help="folder with multihop/, tables/, pdf/ and squad/"
    )
    parser.add_argument("--folder", type=Path, required=True, help="where the collections are kept")
    parser.add_argument(
        "--set",
        action="append",
        choices=(*SETS, *ASKED_FOR),
        dest="sets",
        help="one or more; all but articles by default",
    )
    parser.add_argument(
        "--narrow", action="store_true", help="name the document with each question that has one"
    )
    parser.add_argument("--show", action="store_true", help="every question with its answer")
    options = parser.parse_args()
    figures = {}
    for name in options.sets or SETS:
        questions = question_set(name, options.data, options.folder)
        figures[name] = measure(questions, options.folder / name, options.narrow, options.show)
        print(name, json.dumps(figures[name]), flush=True)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
