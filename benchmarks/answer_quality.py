"""Model-free answers: are real questions answered, from the right passages, and are the others refused?

    python benchmarks/answer_quality.py --data DIR --folder DIR     # --data holds multihop/; --folder is kept
    python benchmarks/answer_quality.py --data DIR --folder DIR --flow extractive

Three collections, ingested by the real pipeline: MuSiQue, HotpotQA, and the demo's documents. Each is asked its own
questions; each of the first two the other's questions, and all of them nonsense and general knowledge.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import time
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass
from pathlib import Path

from multihop import DATASETS, Asked, as_jsonl, collection, passage_id, read_dataset

import provgraph
from provgraph.assembly import Assembly
from provgraph.flows.document_rag import DocumentQuestion
from provgraph.flows.extractive.flow import ExtractiveQuestion
from provgraph.flows.graph_rag.flow import GraphQuestion
from provgraph.flows.runner.events import Event, Finished
from provgraph.ingestion.planning import SourceFile

NONSENSE = (
    "xyzzy frobnicate the quux?",
    "What does the wibbly glorf of Snarkabad discover?",
    "Who frobnicated Blorptown in the year of the zzyzx?",
    "asdf qwer zxcv",
    "When was Grombulous Quantznik born?",
    "How does a flumptious vorpal blade snicker?",
)
GENERAL = (
    "What is the capital of Australia?",
    "Who painted the Mona Lisa?",
    "How many legs does a spider have?",
    "What is the boiling point of water?",
    "Who won the football World Cup in 2014?",
    "What language is spoken in Brazil?",
    "How do I bake sourdough bread?",
    "Which planet is the largest in the solar system?",
    "Who wrote Pride and Prejudice?",
    "What is the tallest mountain on Earth?",
    "When did the Berlin Wall fall?",
    "What is the currency of Japan?",
    "Who founded Microsoft?",
    "What year did the Titanic sink?",
    "How far is the Moon from the Earth?",
    "Who is the president of France?",
    "What is photosynthesis?",
    "Which company makes the iPhone?",
    "What is the best recipe for lasagne?",
    "How does a transformer neural network work?",
)
DEMO = (
    ("Who discovered polonium?", "Curie"),
    ("What did Marie Curie discover?", "polonium"),
    ("When did James Chadwick discover the neutron?", "1932"),
    ("Who discovered the neutron?", "Chadwick"),
    ("When was Lise Meitner born?", "1878"),
    ("What is the half-life of polonium-210?", "138"),
    ("What is the half-life of radium-226?", "1,600"),
    ("Who discovered gamma rays?", "Villard"),
    ("Who discovered francium?", "Perey"),
    ("Who suggested the word isotope?", "Todd"),
    ("Where did Rutherford move in 1907?", "Manchester"),
    ("Who worked with Otto Hahn?", "Meitner"),
    ("Who proposed the nuclear model of the atom?", "Rutherford"),
    ("What did Becquerel discover?", "radi"),
    ("Who discoverd polonum?", "Curie"),
    ("Who was elected to the French Academy of Sciences?", "Perey"),
    ("Which Nobel Prize did Frederick Soddy receive?", "Chemistry"),
    ("Where was Frederick Soddy from?", "Eastbourne"),
    ("Who fled to Sweden?", "Meitner"),
    ("When was Ernest Rutherford born?", "1871"),
)


@dataclass(frozen=True)
class Told:
    """What came of one question."""

    asked: Asked
    answer: str
    cited: tuple[str, ...]
    edges: int
    ms: float

    @property
    def refused(self) -> bool:
        return not self.cited

    @property
    def holds_answer(self) -> bool:
        said = _plain(self.answer)
        return not self.refused and any(_plain(answer) in said for answer in self.asked.answers)


def answering(assembly: Assembly, flow: str, text: str) -> AsyncGenerator[Event]:
    """The events of one question, asked in one of the ways that there are."""
    match flow:
        case "extractive":
            return assembly.flows.extractive.answer(ExtractiveQuestion(text))
        case "document-rag":
            return assembly.flows.document_rag.answer(DocumentQuestion(text))
        case _:
            return assembly.flows.graph_rag.answer(GraphQuestion(text))


async def ask(assembly: Assembly, flow: str, asked: Asked) -> Told:
    started = time.perf_counter()
    finished = None
    async with aclosing(answering(assembly, flow, asked.text)) as events:
        async for event in events:
            if isinstance(event, Finished):
                finished = event
    assert finished is not None
    cited = dict.fromkeys(
        passage_id(source.place.document.value)
        for sentence in finished.sentences
        for source in sentence.sources
    )
    edges = {edge for sentence in finished.sentences for edge in sentence.edges}
    ms = (time.perf_counter() - started) * 1000
    return Told(asked, finished.answer, tuple(cited), len(edges), ms)


def own_figures(told: Sequence[Told]) -> dict[str, float]:
    """Percentages over answerable questions; precision and recall of cited passages over the answered ones."""
    answered = [item for item in told if not item.refused]
    precision = [len(item.asked.gold.intersection(item.cited)) / len(item.cited) for item in answered]
    recall = [
        len(item.asked.gold.intersection(item.cited)) / max(len(item.asked.gold), 1) for item in answered
    ]
    return {
        "answered": _percent(len(answered), len(told)),
        "holds_answer": _percent(sum(item.holds_answer for item in told), len(told)),
        "passage_precision": _percent(sum(precision), len(answered)),
        "passage_recall": _percent(sum(recall), len(told)),
        "passages_cited": round(sum(len(item.cited) for item in answered) / max(len(answered), 1), 2),
        "answer_words": round(sum(len(item.answer.split()) for item in answered) / max(len(answered), 1), 1),
        "median_ms": round(statistics.median(item.ms for item in told), 1),
    }


def refusals(told: Sequence[Told]) -> float:
    return _percent(sum(item.refused for item in told), len(told))


def _percent(part: float, whole: int) -> float:
    return round(100 * part / max(whole, 1), 1)


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace(",", "").split())


async def measure(data: Path, folder: Path, flow: str, show: bool) -> dict[str, float]:
    datasets = {name: read_dataset(name, data / "multihop") for name in DATASETS}
    questions: dict[str, Iterable[Asked]] = {name: item.questions for name, item in datasets.items()}
    questions["demo"] = [Asked(text, (answer,), frozenset()) for text, answer in DEMO]
    questions["nonsense"] = [Asked(text, (), frozenset()) for text in NONSENSE]
    questions["general"] = [Asked(text, (), frozenset()) for text in GENERAL]
    files = {name: [SourceFile(f"{name}.jsonl", as_jsonl(item.passages))] for name, item in datasets.items()}
    demo = Path(provgraph.__file__).parent / "demo" / "documents"
    files["demo"] = [SourceFile(path.name, path.read_bytes()) for path in sorted(demo.iterdir())]
    figures: dict[str, float] = {}
    async with AsyncExitStack() as stack:
        for name in files:
            assembly = await stack.enter_async_context(collection(files[name], folder / name))
            for asked_of in questions:
                if asked_of == "demo" and name != "demo":
                    continue
                if asked_of == "general" and name == "musique":
                    continue
                told = [await ask(assembly, flow, asked) for asked in questions[asked_of]]
                if asked_of == name:
                    figures |= {f"{name} {key}": value for key, value in own_figures(told).items()}
                else:
                    figures[f"{asked_of} asked of {name}: refused"] = refusals(told)
                if show:
                    _show(f"{asked_of} asked of {name}", told)
    return figures


def _show(heading: str, told: Sequence[Told]) -> None:
    print(f"== {heading}")
    for item in told:
        print(f"{'-' if item.refused else '+' if item.holds_answer else '?'} {item.asked.text}")
        print(f"    {item.answer}   [{', '.join(item.asked.answers)}]")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, required=True, help="folder that holds multihop/")
    parser.add_argument("--folder", type=Path, required=True, help="where the collections are kept")
    parser.add_argument(
        "--flow",
        default="graph-rag",
        choices=["graph-rag", "document-rag", "extractive"],
        help="what is asked",
    )
    parser.add_argument("--show", action="store_true", help="every question with its answer")
    options = parser.parse_args()
    figures = asyncio.run(measure(options.data, options.folder, options.flow, options.show))
    for name, figure in figures.items():
        print(f"{name:45}{figure:8}")
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
