"""The child process: reads, runs and serialises one query after another, as the frames on its input say.

Everything that touches a user's text happens here, where it can be killed and has little memory. The child ends
with its input, also in the middle of a query, so that nothing outlives the service.
"""

from __future__ import annotations

import os
import resource
import sys
from queue import SimpleQueue
from threading import Thread, stack_size
from typing import BinaryIO, NoReturn

from pyoxigraph import NamedNode, QueryBoolean, QuerySolutions, QueryTriples, Store

from provgraph.adapters.child_frames import Header, encoded, read_frame
from provgraph.errors import InvalidQuery, ProvGraphError, TooLarge
from provgraph.rdf.vocabulary import PREFIXES
from provgraph.sparql.dataset import Dataset
from provgraph.sparql.query import SparqlQuery, read_query, syntax_error
from provgraph.sparql.results import ResultLimits, serialized


class QueryWorker:
    """Answers tasks over the snapshot that each of them names; keeps the last snapshot open."""

    def __init__(self) -> None:
        self._folder = ""
        self._store = Store()

    def answered(self, task: Header) -> bytes:
        """The frame that answers a task: results, or the error that a user is to see."""
        try:
            return self._results(task)
        except MemoryError:
            return _error(TooLarge("The query needs more memory than it may have. Narrow it, or add LIMIT."))
        except ProvGraphError as error:
            return _error(error)

    def _results(self, task: Header) -> bytes:
        self._open(task["snapshot"])
        query = read_query(task["query"], star=task["star_syntax"])
        dataset = Dataset(_nodes(task["default_graphs"]), _nodes(task["named_graphs"]))
        if not task["dataset_is_chosen"]:
            dataset = dataset.narrowed(query.default_graphs, query.named_graphs)
        limits = ResultLimits(task["rows"], task["bytes"])
        results = serialized(self._run(query, dataset), task["accept"], limits)
        header = {
            "content_type": results.format.content_type,
            "truncated": results.truncated,
            "star_read": bool(query.triple_terms),
        }
        return encoded(header, results.body)

    def _open(self, folder: str) -> None:
        if folder != self._folder:
            self._store = Store.read_only(folder)
            self._folder = folder

    def _run(self, query: SparqlQuery, dataset: Dataset) -> QuerySolutions | QueryBoolean | QueryTriples:
        try:
            return self._query(query.engine_text, dataset)
        except SyntaxError as error:
            raise self._located(query, dataset, str(error)) from error

    def _located(self, query: SparqlQuery, dataset: Dataset, complaint: str) -> InvalidQuery:
        try:
            self._query(query.spaced_text, dataset)
        except SyntaxError as error:
            return syntax_error(query, str(error))
        return InvalidQuery(f"The query is not valid SPARQL: {complaint}. Correct it and send it again.")

    def _query(self, text: str, dataset: Dataset) -> QuerySolutions | QueryBoolean | QueryTriples:
        return self._store.query(
            text,
            prefixes=PREFIXES,
            default_graph=list(dataset.default_graphs),
            named_graphs=list(dataset.named_graphs),
        )


def _nodes(iris: list[str]) -> tuple[NamedNode, ...]:
    return tuple(NamedNode(iri) for iri in iris)


def _error(error: ProvGraphError) -> bytes:
    place = {"line": error.line, "column": error.column} if isinstance(error, InvalidQuery) else {}
    return encoded({"error": type(error).__name__, "message": str(error), **place})


def _tasks(stream: BinaryIO) -> SimpleQueue[Header]:
    """The tasks as they come; the process ends when the stream does, whatever it is doing."""
    tasks: SimpleQueue[Header] = SimpleQueue()

    def read() -> None:
        while (task := read_frame(stream)) is not None:
            tasks.put(task)
        os._exit(0)

    Thread(target=read, daemon=True).start()
    return tasks


def main() -> None:
    """`python -m …worker BYTES STACK`: serve tasks with at most this much memory and, if not 0, stack.

    RLIMIT_DATA counts what is written to; address space would count the arenas that threads only reserve.
    """
    memory, stack = map(int, sys.argv[1:3])
    resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    tasks = _tasks(sys.stdin.buffer)
    if not stack:
        _serve(tasks, answers)
    stack_size(stack)
    serving = Thread(target=_serve, args=(tasks, answers))
    serving.start()
    serving.join()


def _serve(tasks: SimpleQueue[Header], answers: BinaryIO) -> NoReturn:
    worker = QueryWorker()
    while True:
        answers.write(worker.answered(tasks.get()))
        answers.flush()


if __name__ == "__main__":
    main()
