"""MuSiQue and HotpotQA as the benchmarks of retrieval and answers read them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from provgraph.assembly import Assembly, assemble
from provgraph.ingestion.planning import SourceFile
from provgraph.settings import Settings

DATASETS = ("musique", "hotpotqa")


@dataclass(frozen=True)
class Passage:
    id: str
    title: str
    text: str


@dataclass(frozen=True)
class Asked:
    """A question with its answer's spellings and the ids of the passages that hold the evidence."""

    text: str
    answers: tuple[str, ...]
    gold: frozenset[str]


@dataclass(frozen=True)
class Dataset:
    name: str
    passages: tuple[Passage, ...]
    questions: tuple[Asked, ...]


def read_dataset(name: str, folder: Path) -> Dataset:
    """`folder` holds `{name}_train.json` and `{name}_train_corpus.json`, as HippoRAG's repository has them."""
    corpus = json.loads((folder / f"{name}_train_corpus.json").read_text("utf-8"))
    if isinstance(corpus, dict):
        corpus = [{"title": title, "text": "".join(sentences)} for title, sentences in corpus.items()]
    passages = tuple(
        Passage(f"{name}/{number}", record["title"], record["text"]) for number, record in enumerate(corpus)
    )
    questions = json.loads((folder / f"{name}_train.json").read_text("utf-8"))
    by_content = {(passage.title, passage.text): passage.id for passage in passages}
    by_title = {passage.title: passage.id for passage in passages}
    return Dataset(name, passages, tuple(_asked(record, by_content, by_title) for record in questions))


def _asked(record: dict, by_content: dict[tuple[str, str], str], by_title: dict[str, str]) -> Asked:
    if "paragraphs" in record:
        gold = {
            by_content[paragraph["title"], paragraph["paragraph_text"]]
            for paragraph in record["paragraphs"]
            if paragraph["is_supporting"]
        }
    else:
        gold = {by_title[title] for title, _ in record["supporting_facts"]}
    return Asked(record["question"], (record["answer"], *record.get("answer_aliases", ())), frozenset(gold))


def as_jsonl(passages: tuple[Passage, ...], titled: bool = True) -> bytes:
    records = (
        {"id": passage.id, "text": passage.text} | ({"title": passage.title} if titled else {})
        for passage in passages
    )
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()


def passage_id(document_iri: str) -> str:
    """The id of a passage in its document's IRI."""
    return document_iri.removeprefix("urn:trustgraph:doc:").replace("%2F", "/")


@asynccontextmanager
async def collection(
    files: list[SourceFile], folder: Path, settings: Settings | None = None
) -> AsyncIterator[Assembly]:
    """A folder with the files ingested by the real pipeline; what is there already stays."""
    assembly = assemble(settings or Settings(), folder)
    try:
        async for _ in assembly.ingestion.ingest(files, "default"):
            pass
        yield assembly
    finally:
        await assembly.indexes.retriever.close()
        await assembly.store.close()
