"""`provgraph check-answer`: a text, its sources, from files of any kind that an ingest reads, and the report."""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from provgraph.cli.attribution_report import report_lines, report_page
from provgraph.cli.connection import Service, ServiceProblem, Target, connect
from provgraph.cli.files import decoded, write_file
from provgraph.cli.options import FIELDS, format_option, narrowing_options, target_options
from provgraph.cli.progress import StepProgress
from provgraph.cli.terminal import complain, harmless, json_text, say
from provgraph.client.files import content_of, files_of
from provgraph.errors import NotFound, ProvGraphError, Unavailable
from provgraph.rdf.graphs import DEFAULT_COLLECTION

if TYPE_CHECKING:  # slow to import, and --help needs none
    from provgraph.documents.document import OpenDocument
    from provgraph.documents.document_reader import DocumentReader
    from provgraph.settings import Settings

ROUTE: Final = "/api/v1/attribution"
CONTENT: Final = "/api/v1/documents/content"
REFUTED, WRONG = 1, 2
"""Exit statuses: a claim is refuted; the text could not be checked."""

Json = dict[str, Any]


@click.command("check-answer")
@click.argument("answer")
@click.argument("more", nargs=-1, metavar="", type=click.Path(path_type=Path))
@click.option(
    "--sources",
    multiple=True,
    metavar="FILE…",
    type=click.Path(path_type=Path),
    help="Check against these files and folders, of any type that `ingest` reads. Citation [1] is the first.",
)
@click.option("-C", "--collection", default="", help="Check against a collection. [default: default]")
@click.option("--question", default="", help="The question that ANSWER answers.")
@narrowing_options
@click.option("--agent", default="", help="Who wrote ANSWER, for the trace. [default: unknown]")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="Write the report to this file."
)
@format_option("text", "json", "html")
@target_options()
def check_answer(
    target: Target, answer: str, more: tuple[Path, ...], style: str, output: Path | None, **fields: Any
) -> None:
    """Check every claim of ANSWER: a text, a file, or - for stdin.

    Each claim is supported, refuted, or has not enough information in the sources. Exit status 1 if one is
    refuted.
    """
    context, paths = click.get_current_context(), [*fields.pop("sources"), *more]
    if paths and fields["collection"]:
        raise click.UsageError("--sources and --collection exclude each other. Leave out one of them.")
    if paths and any(fields[name] for name in FIELDS):
        raise click.UsageError(
            "--document and similar options select documents of a collection. Leave out either them or --sources."
        )
    try:
        text = read_answer(answer, target.settings)
        files = read_sources(paths, target.settings)
        report, shown = _report(target, text, files, fields)
        _show(report, text, shown, style, output)
    except ProvGraphError as error:
        complain(f"Error: {error}")
        context.exit(WRONG)
    context.exit(REFUTED if report["summary"]["refuted"] else 0)


def _report(
    target: Target, text: str, files: list[FileSource], fields: dict[str, Any]
) -> tuple[Json, list[FileSource]]:
    """The report, and the texts of the sources that it quotes."""
    body: Json = {"text": text, **{name: value for name, value in fields.items() if value}}
    if not files:
        body.setdefault("collection", DEFAULT_COLLECTION)
        with connect(target) as service:
            report = _followed(service.events("POST", ROUTE, body))
            return report, list(_quoted_pages(service, report))
    body["sources"] = [{"id": file.id, "title": file.title, "text": file.text} for file in files]
    if not target.url:
        return _followed(_judged_here(body)), files
    with connect(target) as service:
        return _followed(service.events("POST", ROUTE, body)), files


def _judged_here(body: Json) -> Iterator[tuple[str, Json]]:
    """What the route says of sources that are given; these need no folder."""
    from provgraph.flows.attribution.routes import given_check  # slow to import, and --help needs none

    yield from given_check(body)


def _followed(messages: Iterator[tuple[str, Json]]) -> Json:
    """The report, whose progress a bar shows. Raises `Unavailable` where it breaks off."""
    claims: list[Json] = []
    total = 0
    with StepProgress() as progress:
        for name, message in messages:
            if name == "progress":
                total = message["total"]
            elif name == "claim":
                claims.append(message)
                progress.show("claims", len(claims), total)
            elif name == "summary":
                return {"claims": claims, "summary": message}
    raise Unavailable("The service stopped before the check was complete. Try again.")


def _quoted_pages(service: Service, report: Json) -> Iterator[FileSource]:
    """The pages of a collection's documents that a report quotes."""
    pages = {place["page"]: place for place in _places(report)}
    for page, place in pages.items():
        try:
            text = service.get(
                CONTENT, "text/plain", id=page, collection=report["summary"]["collection"]
            ).text
        except ServiceProblem:
            continue  # the document went meanwhile
        yield FileSource(page, f"{place['title']}, page {place['page_number']}", text)


def _places(report: Json) -> Iterator[Json]:
    for claim in report["claims"]:
        yield from claim["evidence"]
        yield from (element["evidence"] for element in claim["elements"] if element["evidence"])


def _show(report: Json, text: str, sources: list[FileSource], style: str, output: Path | None) -> None:
    if style == "json":
        written = json_text(report)
    elif style == "html":
        written = report_page(report, text, sources)
    else:
        written = "\n".join(map(harmless, report_lines(report, sources)))
    if output is None:
        click.echo(written)
        return
    write_file(output, [f"{written}\n".encode()], "report")
    say(f"{output} written.", err=True)


PLAIN: Final = frozenset(("", ".txt", ".md", ".markdown", ".text"))
"""Files of an answer that are read as they are: their marks are its citations."""
_FILE_NAME: Final = re.compile(r"\S+\.(txt|text|md|markdown|html?|pdf|docx|xlsx|csv|jsonl?)", re.IGNORECASE)
"""One word that is no claim: the name of a file."""
BETWEEN_PAGES: Final = "\n\n"


@dataclass(frozen=True)
class FileSource:
    """A document as one text; `pages` are the characters where its pages begin."""

    id: str
    title: str
    text: str
    pages: tuple[int, ...] = (0,)

    def page_number(self, start: int) -> int:
        """The page of a character, from 1."""
        return bisect_right(self.pages, start)

    def on_page(self, start: int) -> int:
        """The character of its page that a character of the text is."""
        return start - self.pages[self.page_number(start) - 1]


def read_answer(given: str, settings: Settings) -> str:
    """The text of a file, of stdin for "-", or the given text itself.

    Raises what `decoded` raises, and `NotFound` for what can only be the name of a file that is not there.
    """
    if given == "-":
        return decoded(sys.stdin.buffer.read(), "The text")
    if not _is_file(given):
        if _FILE_NAME.fullmatch(given):
            raise NotFound(f"There is no file {given}. Check the name, or write the text itself in quotes.")
        return given
    path = Path(given)
    if path.suffix.casefold() in PLAIN:
        return decoded(content_of(path), given)
    return "\n\n".join(source.text for source in read_sources([path], settings))


def read_sources(paths: Iterable[Path], settings: Settings) -> list[FileSource]:
    """The documents in files and folders, each named by its file. Raises what reading a file and its type raises."""
    if not (files := list(files_of(paths, follow_links=True))):
        return []
    from provgraph.assembly.reading import document_reader  # time that other commands can save

    with closing(document_reader(settings)) as reader:
        return [source for path in files for source in _sources(path, reader)]


def _sources(path: Path, reader: DocumentReader) -> Iterator[FileSource]:
    reading = reader.read(content_of(path), path.name)
    try:
        for number, document in enumerate(reading.documents(), 1):
            yield _source(str(path) if number == 1 else f"{path}#{number}", document)
    finally:
        reading.stop()


def _source(name: str, document: OpenDocument) -> FileSource:
    pages: list[int] = []
    texts: list[str] = []
    length = 0
    for page in document.pages():
        pages.append(length)
        texts.append(page.text)
        length += len(page.text) + len(BETWEEN_PAGES)
    return FileSource(name, document.header.title, BETWEEN_PAGES.join(texts), tuple(pages) or (0,))


def _is_file(given: str) -> bool:
    """Whether a text is the name of a file; a long text is none."""
    with suppress(OSError, ValueError):
        return Path(given).is_file()
    return False
