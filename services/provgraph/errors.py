"""Every error that a user can meet, in one tree.

    ProvGraphError
    ├── InvalidInput                 400  the request itself is wrong
    │   ├── InvalidQuery                  SPARQL that does not parse, with line and column
    │   ├── NotAcceptable            406  no format that Accept names is one that there is
    │   ├── TooLarge                 413  more bytes or characters than the limit
    │   ├── UnsupportedDocument      415  a type that no reader takes
    │   ├── UnreadableDocument       422  encrypted, empty, malformed, or without text
    │   └── UnreadableArchive        422  cut off, damaged, of another kind or of a newer version
    ├── Unauthorized                 401  no token, or a wrong one
    ├── Forbidden                    403  a Host, an Origin or an operation that is not let in
    ├── NotFound                     404  no such collection, document, session, job …
    ├── Conflict                     409  the name already stands for something else
    ├── TooManyRequests              429  too many wait for their turn already
    ├── TimedOut                     504  ended at its time limit
    ├── NotProvided                  501  a part of another system's interface that this one does not have
    └── Unavailable                  503  store locked, not writable, of a newer version; service down
        ├── ModelUnavailable              a model: no connection, overloaded, broken off, no answer
        │   └── ModelRefused         502  wrong key, unknown model, a request that it will not take
        ├── FolderInUse                   another process works in the data folder
        ├── NoRoom                        a disk, an object store or a queue that takes no more
        └── BudgetSpent                   the token budget of an ingest has no room for another call

A message is one sentence about what is wrong and one that says what to do. Adapters translate the errors of
their libraries into these; nothing else does. Addresses stand in it without their passwords.
"""

from __future__ import annotations

from dataclasses import dataclass

from provgraph.passwords import without_passwords


@dataclass(frozen=True)
class DocumentChoice:
    """What a user may have meant: its id, what it is called, and the name of its file."""

    id: str
    title: str
    source: str


class ProvGraphError(Exception):
    """Base of all errors that are told to a user.

    `status` is the HTTP status, `title` the short name of the kind of problem (RFC 9457, section 3.1.3);
    the exception's message is the problem's `detail`.
    """

    status = 500
    title = "Something went wrong"
    choices: tuple[DocumentChoice, ...] = ()
    """What may have been meant, where a name is unknown or ambiguous."""

    def __str__(self) -> str:
        return without_passwords(super().__str__())

    @property
    def slug(self) -> str:
        """The kind of problem as a stable word, the last part of the problem's `type`."""
        return "".join(f"-{c.lower()}" if c.isupper() else c for c in type(self).__name__).lstrip("-")


class InvalidInput(ProvGraphError):
    status = 400
    title = "The request is not valid"


class InvalidQuery(InvalidInput):
    """A SPARQL query that cannot be parsed; `line` and `column` count from 1 where they are known."""

    title = "The query is not valid SPARQL"

    def __init__(self, message: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


class NotAcceptable(InvalidInput):
    status = 406
    title = "No such format is offered"


class TooLarge(InvalidInput):
    status = 413
    title = "The input is too large"


class UnsupportedDocument(InvalidInput):
    status = 415
    title = "This type of document cannot be read"


class UnreadableDocument(InvalidInput):
    status = 422
    title = "The document cannot be read"


class UnreadableArchive(InvalidInput):
    status = 422
    title = "The archive cannot be read"


class Unauthorized(ProvGraphError):
    status = 401
    title = "A token is required"


class Forbidden(ProvGraphError):
    status = 403
    title = "This is not allowed"


class NotFound(ProvGraphError):
    status = 404
    title = "There is no such thing"


class Conflict(ProvGraphError):
    status = 409
    title = "The name is taken"


class TooManyRequests(ProvGraphError):
    """The same request is taken when some of those that wait have been answered."""

    status = 429
    title = "Too many requests wait"


class TimedOut(ProvGraphError):
    status = 504
    title = "The time limit was reached"


class NotProvided(ProvGraphError):
    status = 501
    title = "This is not provided here"


class Unavailable(ProvGraphError):
    status = 503
    title = "The service is not available"


class ModelUnavailable(Unavailable):
    """A call that failed after every attempt; the same call may succeed later."""

    title = "The model is not available"


class ModelRefused(ModelUnavailable):
    """A call that will fail again until a setting is changed."""

    status = 502
    title = "The model refuses the request"


class FolderInUse(Unavailable):
    """Another process works in the data folder; when it is done the same command succeeds."""

    title = "The folder is in use"


class NoRoom(Unavailable):
    """A disk, an object store or a queue takes no more: no fault of what was to be written. When somebody makes room it
    succeeds."""

    title = "There is no room left"


class BudgetSpent(Unavailable):
    title = "The token budget is spent"


def error_of_kind(slug: str, message: str) -> ProvGraphError:
    """The error of that stable word, as another service told it; one that is not known here is only an error."""
    kinds = [ProvGraphError]
    for kind in kinds:
        error = kind(message)
        if error.slug == slug:
            return error
        kinds += kind.__subclasses__()
    return ProvGraphError(message)


def said_by(error: Exception) -> str:
    """What an exception of a library says, or its name where it says nothing."""
    return str(error) or type(error).__name__
