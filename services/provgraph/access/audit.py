"""The audit log: who asked, read, wrote and changed rules, one line of JSON each, every line with the hash of the one
before. It names documents and sessions and none of their words, so that what is erased is not kept here."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Lock
from typing import Final

from anyio import to_thread
from pydantic import BaseModel, ConfigDict, ValidationError

from provgraph.errors import Forbidden, InvalidInput, Unavailable

BEGINNING: Final = "0" * 64
PRUNED: Final = "pruned"
"""The request of a line that says which was the last of those that were removed, by its hash."""
_LAST_BYTES: Final = 1 << 16


class AuditEntry(BaseModel):
    """`by` is a principal, empty for the token of the service itself; `concerns` are documents, sessions, collections
    and principals, by their names; `before` is the hash of the line before."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    at: datetime
    by: str
    right: str
    request: str
    status: int
    concerns: tuple[str, ...] = ()
    before: str = BEGINNING

    @property
    def line(self) -> str:
        return self.model_dump_json()

    @property
    def hash(self) -> str:
        return _hash(self.line)


@dataclass
class AuditLog:
    """The file of one folder, which one process appends to. Nothing younger than `kept_days` is removed."""

    file: Path
    kept_days: int = 0
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    _last: str | None = field(default=None, init=False)
    _writing: Lock = field(default_factory=Lock, init=False)

    async def record(
        self, by: str, right: str, request: str, status: int, concerns: Sequence[str] = ()
    ) -> None:
        """Append one line. Raises `Unavailable` where it cannot be written."""
        entry = AuditEntry(
            at=self.now(), by=by, right=right, request=request, status=status, concerns=tuple(concerns)
        )
        await to_thread.run_sync(self._append, entry)

    async def entries(self, since: datetime | None = None) -> list[AuditEntry]:
        """The oldest first."""
        entries = await to_thread.run_sync(lambda: list(self._read()))
        return [entry for entry in entries if since is None or entry.at >= since]

    async def first_fault(self) -> int | None:
        """The number, from 1, of the first line that does not follow from the one before it; None where all do."""
        return await to_thread.run_sync(self._fault)

    async def prune(self, until: datetime, by: str) -> int:
        """Remove the lines from before a time, and say so in the log; gives how many. Raises `Forbidden` for a time
        that is younger than what has to be kept, `InvalidInput` for one without a time zone, and `Unavailable`."""
        if until.tzinfo is None:
            raise InvalidInput("The time names no zone. End it with Z, or with +01:00.")
        if until > self.now() - timedelta(days=self.kept_days):
            raise Forbidden(
                f"The last {self.kept_days} days of the audit log are kept (PROVGRAPH_AUDIT_KEEP_DAYS). "
                "Name an earlier time."
            )
        return await to_thread.run_sync(self._prune, until, by)

    def _prune(self, until: datetime, by: str) -> int:
        """From the beginning only, so that what stays is one chain, in which a line names the last that went."""
        with self._writing:
            lines = self._lines()
            count = next(
                (number for number, line in enumerate(lines) if not _is_before(line, until)), len(lines)
            )
            if count:
                last = _hash(lines[count - 1])
                told = (last, f"{count} lines before {until.isoformat()}")
                self._write(
                    AuditEntry(at=self.now(), by=by, right="admin", request=PRUNED, status=200, concerns=told)
                )
                self._replace(self._lines()[count:])
            return count

    def _replace(self, lines: Sequence[str]) -> None:
        written = self.file.with_suffix(".new")
        try:
            written.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
            written.replace(self.file)
        except OSError as error:
            raise Unavailable(f"{self.file} cannot be written anew ({error.strerror}).") from error

    def _append(self, entry: AuditEntry) -> None:
        with self._writing:
            self._write(entry)

    def _write(self, entry: AuditEntry) -> None:
        if self._last is None:
            self._last = self._hash_of_last()
        chained = entry.model_copy(update={"before": self._last})
        try:
            with self.file.open("a", encoding="utf-8") as file:
                file.write(chained.line + "\n")
        except OSError as error:
            raise Unavailable(
                f"{self.file} cannot be written ({error.strerror}), and nothing is done that is not noted there. "
                "Check the folder's permissions and the disk."
            ) from error
        self._last = chained.hash

    def _hash_of_last(self) -> str:
        """Of a line that a crash cut off too, so that it shows."""
        try:
            with self.file.open("rb+") as file:
                size = file.seek(0, 2)
                file.seek(max(0, size - _LAST_BYTES))
                tail = file.read()
                if tail and not tail.endswith(b"\n"):
                    file.write(b"\n")
        except FileNotFoundError:
            return BEGINNING
        lines = tail.splitlines()
        return hashlib.sha256(lines[-1]).hexdigest() if lines else BEGINNING

    def _lines(self) -> list[str]:
        try:
            return self.file.read_text(encoding="utf-8", errors="replace").splitlines()
        except FileNotFoundError:
            return []

    def _read(self) -> Iterator[AuditEntry]:
        for line in self._lines():
            try:
                yield AuditEntry.model_validate_json(line)
            except ValidationError:
                continue

    def _fault(self) -> int | None:
        pruned = {entry.concerns[0] for entry in self._read() if entry.request == PRUNED}
        before = BEGINNING
        for number, line in enumerate(self._lines(), 1):
            try:
                entry = AuditEntry.model_validate_json(line)
            except ValidationError:
                return number
            if entry.before != before and not (number == 1 and entry.before in pruned):
                return number
            before = _hash(line)
        return None


def _is_before(line: str, moment: datetime) -> bool:
    """A line that cannot be read is no reason to stop: `first_fault` has told it."""
    try:
        return AuditEntry.model_validate_json(line).at < moment
    except ValidationError:
        return True


def _hash(line: str) -> str:
    return hashlib.sha256(line.encode()).hexdigest()
