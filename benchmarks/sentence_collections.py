"""Collections for fitting and measuring the choice of sentences: texts and indexes only, without reading any facts.

Questions know the words of the sentences that answer them; none for one that its collection doesn't answer.
"""

from __future__ import annotations

import asyncio
import csv
import json
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from multihop import read_dataset

from provgraph.adapters.universal_sentence_encoder.embedder import UniversalSentenceEncoder, resource_folder
from provgraph.documents.chunking import ChunkingSettings
from provgraph.documents.chunks import chunk_document
from provgraph.documents.reading import open_documents
from provgraph.documents.tables import quotable_spans
from provgraph.flows.runner.sentence_choice import AskedQuestion, SentenceCandidate
from provgraph.ports.retriever import RetrievalLimits, RetrievalRequest
from provgraph.rdf.terms import NamedNode
from provgraph.retrieval.collection_index import CollectionIndex
from provgraph.retrieval.contents import ChunkPosition, DocumentContents, DocumentPart
from provgraph.retrieval.entries import index_changes
from provgraph.retrieval.keyword_index import Payload
from provgraph.retrieval.methods.method import SearchContext
from provgraph.retrieval.methods.names import GRAPH
from provgraph.retrieval.question import analysed
from provgraph.retrieval.sense.question_sense import QuestionSense
from provgraph.retrieval.sense.sentence_index import SentenceIndex
from provgraph.retrieval.sense.sentences import sentence_changes

AT_ONCE = 64
PASSAGES = 10
RELATIONS = {
    "P19": ("Where was {} born?", "In which town did {} come into the world?"),
    "P20": ("Where did {} die?", "In what city did the life of {} end?"),
    "P569": ("When was {} born?", "What is the date of birth of {}?"),
    "P570": ("When did {} die?", "In what year did {} pass away?"),
    "P571": ("When was {} founded?", "In what year was {} set up?"),
    "P577": ("When was {} released?", "When did {} come out?"),
    "P57": ("Who directed {}?", "Who is the film-maker behind {}?"),
    "P50": ("Who wrote {}?", "Who is the author of {}?"),
    "P86": ("Who composed {}?", "Who wrote the music of {}?"),
    "P26": ("Who is the spouse of {}?", "To whom is {} married?"),
    "P69": ("Where was {} educated?", "Which school did {} attend?"),
    "P175": ("Who performed {}?", "Who sang {}?"),
    "P264": ("Which record label released {}?", "Which company published the music of {}?"),
    "P159": ("Where is the headquarters of {}?", "In which city is {} based?"),
    "P112": ("Who founded {}?", "Who set up {}?"),
    "P127": ("Who owns {}?", "To whom does {} belong?"),
    "P22": ("Who is the father of {}?", "Whose child is {}?"),
    "P40": ("Who is a child of {}?", "Who are the sons and daughters of {}?"),
    "P54": ("For which team did {} play?", "Which club was {} with?"),
    "P102": ("Which political party does {} belong to?", "What party is {} in?"),
    "P108": ("Who employed {}?", "For whom did {} work?"),
    "P131": ("In which area does {} lie?", "Where is {} located?"),
    "P161": ("Who starred in {}?", "Which actors appear in {}?"),
    "P178": ("Who developed {}?", "Which company made {}?"),
    "P495": ("In which country was {} made?", "What country does {} come from?"),
    "P206": ("On what body of water does {} lie?", "What water is {} next to?"),
}
"""Questions for relations of Re-DocRED, plain and in other words."""


@dataclass(frozen=True)
class Text:
    """A document: its chunks in order."""

    id: str
    title: str
    chunks: tuple[str, ...]


@dataclass(frozen=True)
class Posed:
    """`document` is where the answer stands; `evidence` are words one of which a right sentence has, within `passages`
    where these are named; `answers` are what it must have beside."""

    text: str
    source: str
    document: str = ""
    evidence: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    titles: frozenset[str] = frozenset()
    language: str = "en"

    @property
    def answerable(self) -> bool:
        return bool(self.evidence or self.titles)

    def is_answered_by(self, candidate: SentenceCandidate) -> bool:
        said = flat(candidate.text)
        if self.titles and candidate.title not in self.titles:
            return False
        if self.answers and not any(flat(answer) in said for answer in self.answers):
            return False
        if not self.evidence:
            return bool(self.titles)
        return any(
            (words in said) or (len(said) > 20 and said in words) for words in map(flat, self.evidence)
        )


def flat(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.casefold())


@dataclass(frozen=True)
class Shelf:
    """Texts with their keyword index and the vectors of their sentences."""

    index: CollectionIndex
    sentences: SentenceIndex
    texts: dict[str, tuple[Text, str]]
    encoder: UniversalSentenceEncoder

    def candidates(
        self, question: str, passages: int = PASSAGES, sense: bool = True, only: str = ""
    ) -> tuple[AskedQuestion, list[SentenceCandidate], float]:
        """The sentences of the passages retrieved by the default way, and the milliseconds that all took."""
        begun = time.perf_counter()
        (vector,) = asyncio.run(self.encoder.embed([question], "query"))
        meant = QuestionSense(self.sentences, vector)
        index = self.index
        if only:
            others = {text.id for text, _ in self.texts.values() if text.id != only}
            index = index.without([iri(other) for other in sorted(others)], [])
        asked = analysed(question, index)
        request = RetrievalRequest(
            question, chunks=max(passages, PASSAGES), limits=RetrievalLimits(1, 1, 1, 1)
        )
        parameters = GRAPH.settings({} if sense else {"sense": 0.0})
        asking = SearchContext(asked, index, request, _no_text, parameters, sense=meant)
        ranked = GRAPH.rank(asking).passages
        found = list(self._sentences([passage.chunk for passage in ranked][:passages], meant, only))
        took = (time.perf_counter() - begun) * 1000
        return AskedQuestion(question, asked.told()), found, took

    def _sentences(
        self, chunks: Sequence[str], meant: QuestionSense, only: str
    ) -> Iterator[SentenceCandidate]:
        likeness = meant.sentences(list(chunks))
        seen = set()
        for rank, chunk in enumerate(chunks, 1):
            text, passage = self.texts[chunk]
            if only and text.id != only:
                continue
            alike = {(start, end): value for start, end, value in likeness.get(chunk, ())}
            heading = ""
            for start, end in quotable_spans(passage):
                said = passage[start:end]
                if said.startswith("#"):
                    heading = said.lstrip("# ")
                if (text.id, said) not in seen:
                    seen.add((text.id, said))
                    yield SentenceCandidate(said, alike.get((start, end)), text.title, heading, passage, rank)


def _no_text(_: Payload) -> str:
    return ""


def iri(name: str) -> str:
    return f"urn:trustgraph:doc:{name}"


def opened(folder: Path, texts: Iterable[Text]) -> Shelf:
    """The shelf in a folder, with these texts on it; those that it has are not put there again."""
    index, sentences = CollectionIndex(folder / "index"), SentenceIndex(folder / "sentences")
    encoder = UniversalSentenceEncoder(resource_folder())
    known: dict[str, tuple[Text, str]] = {}
    contents = []
    for text in texts:
        parts = []
        for number, chunk in enumerate(text.chunks):
            name = f"{iri(text.id)}/{number}"
            known[name] = text, chunk
            parts.append(
                DocumentPart(NamedNode(name), ChunkPosition(NamedNode(iri(text.id)), 0, len(chunk)), chunk)
            )
        contents.append(DocumentContents(NamedNode(iri(text.id)), text.title, parts=parts))
    if len(index.chunks) < len(known):
        for entries in index_changes(contents):
            index.put(entries)
        index.commit()
    for at in range(0, len(contents), AT_ONCE):
        changes = sentence_changes(contents[at : at + AT_ONCE])
        if wanted := sentences.wanted(changes):
            vectors = asyncio.run(encoder.embed([changes.texts[key] for key in wanted], "passage"))
            sentences.put(changes, wanted, vectors)
    return Shelf(index.as_it_is, sentences, known, encoder)


def files(paths: Iterable[Path]) -> Iterator[Text]:
    """Files as the program cuts them."""
    for path in paths:
        for document in open_documents(path.read_bytes(), path.name):
            pages = chunk_document(document.pages(), ChunkingSettings())
            chunks = [chunk.text for _, chunks in pages for chunk in chunks]
            yield Text(path.name, document.header.title, tuple(chunks))


def multihop(name: str, data: Path) -> tuple[list[Text], list[Posed]]:
    dataset = read_dataset(name, data / "multihop")
    titles = {passage.id: passage.title for passage in dataset.passages}
    texts = [Text(passage.id, passage.title, (passage.text,)) for passage in dataset.passages]
    posed = [
        Posed(asked.text, name, answers=asked.answers, titles=frozenset(titles[gold] for gold in asked.gold))
        for asked in dataset.questions
        if asked.answers[0].casefold() not in ("yes", "no")
    ]
    return texts, posed


def scifact(data: Path) -> list[Text]:
    csv.field_size_limit(10**9)
    with (data / "verify" / "scifact_corpus.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    quoted = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"")
    return [
        Text(
            f"scifact/{row['doc_id']}",
            row["title"],
            (" ".join(one or other for one, other in quoted.findall(row["abstract"])),),
        )
        for row in rows
    ]


def redocred(data: Path) -> tuple[list[Text], list[Posed]]:
    """Documents, and questions of their relations; of what a document doesn't say of its subject, unanswerable ones."""
    texts, posed = [], []
    records = json.loads((data / "redocred" / "dev_revised.json").read_text("utf-8"))
    for number, record in enumerate(records):
        sentences = [_written(words) for words in record["sents"]]
        texts.append(Text(f"redocred/{number}", record["title"], (" ".join(sentences),)))
        posed += _relations(record, sentences, f"redocred/{number}", number % 2)
    return texts, posed


def _relations(record: dict, sentences: list[str], document: str, wording: int) -> Iterator[Posed]:
    said: dict[tuple[int, str], tuple[set[str], set[str]]] = {}
    for label in record["labels"]:
        evidence, tails = said.setdefault((label["h"], label["r"]), (set(), set()))
        evidence |= {sentences[at] for at in label["evidence"]}
        tails |= {_written([mention["name"]]) for mention in record["vertexSet"][label["t"]]}
    by_type: dict[str, set[str]] = {}
    for head, relation in said:
        by_type.setdefault(record["vertexSet"][head][0]["type"], set()).add(relation)
    for head, entity in enumerate(record["vertexSet"][:6]):
        name = max((_written([mention["name"]]) for mention in entity), key=len)
        for relation, wordings in RELATIONS.items():
            question = wordings[wording].format(name)
            if (head, relation) in said:
                evidence, tails = said[head, relation]
                if evidence:
                    yield Posed(question, "redocred", document, tuple(evidence), tuple(tails))
            elif head == 0 and relation in by_type.get(entity[0]["type"], ()):
                yield Posed(question, "redocred")


def _written(words: Sequence[str]) -> str:
    text = re.sub(r" ([,.;:!?%)\]])", r"\1", " ".join(words))
    return re.sub(r"([(\[$]) ", r"\1", text).replace(" 's", "'s")


def written(path: Path) -> list[Posed]:
    """Questions of a set of one's own: one JSON line each, with question, document, evidence, answers."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [
        Posed(
            row["question"],
            path.stem,
            row["document"],
            (row["evidence"],) if row["evidence"] else (),
            language=row.get("language", "en"),
        )
        for row in rows
    ]
