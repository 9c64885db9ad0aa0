"""`provgraph sync`: a collection kept in step with a folder, with pages of the web, or with objects."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Final

import click

from provgraph.cli.connection import Service, Target, connect
from provgraph.cli.extraction import ExtractionChoice, extraction_options
from provgraph.cli.options import (
    collection_option,
    counted,
    echo_json,
    format_option,
    private_option,
    target_options,
)
from provgraph.cli.progress import StepProgress
from provgraph.cli.sending import ingest_files, web_reader
from provgraph.cli.terminal import complain, json_line, own_name, say
from provgraph.client.folder_sync import (
    FoundFile,
    KnownFile,
    PendingFiles,
    SyncPlan,
    known_files,
    sync_plan,
)
from provgraph.client.metadata import GivenMetadata, given_metadata
from provgraph.client.sync_sources import Collected, SyncSource, collected, is_folder, sync_source
from provgraph.errors import InvalidInput, Unavailable

_FIRST_LOOK_MS: Final = 500
_PAUSE_S: Final = 2.0


@click.command()
@click.argument("source")
@click.option("--dry-run", is_flag=True, help="Show what would be done, and do nothing.")
@click.option("--watch", is_flag=True, help="Keep running and apply each change of the folder until Ctrl-C.")
@click.option("--no-delete", is_flag=True, help="Keep documents whose files are gone.")
@private_option
@click.option("--yes", is_flag=True, help="Delete without asking, even everything.")
@click.option(
    "--name", default="", help="The name under which the folder is tracked. [default: its absolute path]"
)
@click.option(
    "--set", "pairs", multiple=True, metavar="NAME=VALUE", help="Metadata of all documents; may be repeated."
)
@extraction_options
@collection_option
@format_option("text", "json")
@target_options(create=True)
def sync(
    target: Target, source: str, dry_run: bool, watch: bool, collection: str, style: str, **asked: Any
) -> None:
    """Keep a collection in step with SOURCE: a folder, a page or sitemap (https://…), or objects (s3://…).

    What is new, changed, renamed or gone there is ingested, revised, renamed or deleted here. Only documents that came
    from this source by this command are touched. Run it again after Ctrl-C: it goes on.
    """
    if dry_run and watch:
        raise click.UsageError("--dry-run and --watch exclude each other. Leave out one of them.")
    if watch and not is_folder(source):
        raise click.UsageError("--watch is for folders. Run the command again from time to time.")
    most_mb, allow_private = target.settings.max_upload_mb, asked.pop("allow_private")
    origin = sync_source(source, lambda: web_reader(most_mb, allow_private), most_mb * 1_000_000)
    changes = _changes(Path(source)) if watch else iter(())
    given = given_metadata(asked.pop("pairs"), None)
    choice = SyncChoice(**{name: asked.pop(name) for name in ("no_delete", "yes", "name")})
    how = ExtractionChoice.of(asked)

    def once() -> Synced:
        """Connected for this time only: a folder is open to other commands between two."""
        with connect(target) as service:
            place = target.url or str(target.data.resolve())
            return Syncing(service, place, origin, collection, choice, how, given).once(dry_run)

    done = once()
    _report(done, style, line=watch)
    for _ in changes:
        after = _patiently(once)
        if not after.is_empty:
            _report(after, style, line=True)
    if done.refused:
        raise SystemExit(1)


def _patiently(once: Callable[[], Synced]) -> Synced:
    """What is done as soon as it can be: a service that is away, or a folder in use, is told of and waited for."""
    is_told = False
    while True:
        try:
            return once()
        except (Unavailable, InvalidInput) as error:
            if not is_told:
                complain(f"Error: {error}")
            is_told = True
            time.sleep(_PAUSE_S)


def _changes(folder: Path) -> Iterator[Any]:
    """Something for each time that files have changed, and once when the watch has begun: what changed while the first
    comparison was at work was seen by neither. Raises `InvalidInput` without the package that notices it."""
    try:
        from watchfiles import watch
    except ImportError as error:
        raise InvalidInput("--watch needs another package: pip install 'provgraph[watch]'.") from error
    seen = watch(folder, yield_on_timeout=True, rust_timeout=_FIRST_LOOK_MS)
    return (changes for number, changes in enumerate(seen) if changes or number == 0)


@dataclass(frozen=True)
class SyncChoice:
    no_delete: bool
    yes: bool
    name: str


@dataclass
class Synced:
    """What was done, by path; what was `refused` stays as it was, and is tried again by the next run."""

    dry_run: bool = False
    new: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    renamed: list[tuple[str, str]] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    unchanged: int = 0
    refused: list[str] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        return not (self.new or self.changed or self.renamed or self.deleted or self.refused)


@dataclass(frozen=True)
class Syncing:
    """`place` is the folder or the service that has the collection."""

    service: Service
    place: str
    source: SyncSource
    collection: str
    choice: SyncChoice
    how: ExtractionChoice
    given: GivenMetadata

    def once(self, dry_run: bool) -> Synced:
        """Compare, and do what is needed, unless it is a dry run."""
        known, pending = self._known(), self._pending.paths()
        whole = {path: file for path, file in known.items() if path not in pending}
        with self._collected(whole) as present:
            kept = {path: file for path, file in known.items() if path not in present.refused}
            return self._done(present, sync_plan(present.files, kept, pending), dry_run)

    @contextmanager
    def _collected(self, known: Mapping[str, KnownFile]) -> Iterator[Collected]:
        with StepProgress() as progress:
            number = count(1)
            with collected(self.source, lambda path: progress.show(path, next(number), 0), known) as present:
                yield present

    def _done(self, present: Collected, plan: SyncPlan, dry_run: bool) -> Synced:
        done = Synced(dry_run, unchanged=len(plan.unchanged))
        done.refused = list(map(": ".join, present.refused.items()))
        keeps = self.choice.no_delete or not present.is_whole
        if keeps:
            done.kept = [file.path for file in plan.deleted]
        if dry_run:
            done.new = [file.path for _, file in plan.new]
            done.changed = [file.path for _, file in plan.changed]
            done.renamed = [(before.path, file.path) for before, file in plan.renamed]
            done.deleted = [] if keeps else [file.path for file in plan.deleted]
            return done
        deleted = () if keeps else plan.deleted
        self._confirm(plan, deleted)
        self._rename(plan, done)
        self._revise(plan, done)
        self._ingest(plan, done)
        for file in deleted:
            self._delete(file.ids)
            done.deleted.append(file.path)
        return done

    def _known(self) -> dict[str, KnownFile]:
        """What the collection has of this source, by path."""
        names = self.service.get("/api/v1/collections").json()
        is_there = any(name["collection"] == self.collection for name in names)
        listed = self.service.get("/api/v1/documents", collection=self.collection).json() if is_there else []
        return known_files(listed, self._name)

    @property
    def _pending(self) -> PendingFiles:
        return PendingFiles(f"{self.place}\0{self.collection}\0{self._name}")

    @property
    def _name(self) -> str:
        return self.choice.name or self.source.name

    def _confirm(self, plan: SyncPlan, deleted: Sequence[KnownFile]) -> None:
        """Raises `InvalidInput` where all that came from the folder would go: it may not be mounted."""
        if deleted and not self.choice.yes and not (plan.unchanged or plan.changed or plan.renamed):
            raise InvalidInput(
                f"Every file that came from {self.source.name} is gone, and {counted(len(deleted), 'file')} would be "
                "deleted. Check whether it is there; to delete them, add --yes."
            )

    def _rename(self, plan: SyncPlan, done: Synced) -> None:
        for before, file in plan.renamed:
            if self._sent([file], before.ids[0] if len(before.ids) == 1 else "", done):
                done.renamed.append((before.path, file.path))

    def _revise(self, plan: SyncPlan, done: Synced) -> None:
        for before, file in plan.changed:
            own = "" if file.has_records else before.ids[0]
            if jobs := self._sent([file], own, done):
                done.changed.append(file.path)
                read = {document["id"] for job in jobs for document in job["documents"]}
                self._delete(each for each in before.ids if each not in read)

    def _ingest(self, plan: SyncPlan, done: Synced) -> None:
        """New files, those together that are known by their bytes, and so need no id."""
        together = [file for own, file in plan.new if own in ("", file.usual_id)]
        if together:
            self._sent(together, "", done)
        for own, file in plan.new:
            if file not in together:
                self._sent([file], own, done)
        refused = {each.partition(": ")[0] for each in done.refused}
        done.new = [file.path for _, file in plan.new if file.path not in refused]

    def _sent(self, files: Sequence[FoundFile], own: str, done: Synced) -> list[dict[str, Any]]:
        """The jobs of the files; none where all were refused, which is noted."""
        given = GivenMetadata(self.given.values, own={file.file: file.metadata(self._name) for file in files})
        fields = {"collection": self.collection, "title": "", "id": own, **self.how.fields}
        with self._pending.noted(file.path for file in files):
            sent = ingest_files(self.service, [file.file for file in files], fields, self.how.ontology, given)
            jobs = list(sent)
        paths = {file.file.name: file.path for file in files} | {str(f.file): f.path for f in files}
        for job in jobs:
            for each in job["refused"]:
                done.refused.append(f"{paths.get(each['name'], each['name'])}: {each['problem']['detail']}")
            if problem := job.get("problem"):
                done.refused.append(f"{files[0].path}: {problem['detail']}")
        return [job for job in jobs if job["documents"]]

    def _delete(self, ids: Any) -> None:
        for each in ids:
            query = {"id": each, "collection": self.collection, "by": own_name()}
            self.service.json("DELETE", "/api/v1/documents", None, **query)


def _report(done: Synced, style: str, *, line: bool) -> None:
    if style == "json":
        shown = {
            "dry_run": done.dry_run,
            "new": done.new,
            "changed": done.changed,
            "renamed": [{"from": before, "to": after} for before, after in done.renamed],
            "deleted": done.deleted,
            "kept": done.kept,
            "unchanged": done.unchanged,
            "refused": done.refused,
        }
        click.echo(json_line(shown)) if line else echo_json(shown)
        return
    for path in done.new:
        say(f"new      {path}")
    for path in done.changed:
        say(f"changed  {path}")
    for before, after in done.renamed:
        say(f"renamed  {before} → {after}")
    for path in done.deleted:
        say(f"deleted  {path}")
    for path in done.kept:
        say(f"gone     {path} (kept)")
    for refusal in done.refused:
        path, _, detail = refusal.partition(": ")
        complain(f"Error: {detail if path in detail else refusal}")
    counts = (
        f"{len(done.new)} new, {len(done.changed)} changed, {len(done.renamed)} renamed, "
        f"{len(done.deleted)} deleted, {done.unchanged} unchanged"
    )
    refused = f", {len(done.refused)} refused" if done.refused else ""
    say(f"{'Would be: ' if done.dry_run else ''}{counts}{refused}.")
