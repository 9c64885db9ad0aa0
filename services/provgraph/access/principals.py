"""Principals, what their roles allow, and their tokens. A token is shown once; what is kept is its SHA-256."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

from pydantic import BaseModel, ConfigDict, ValidationError

from provgraph.errors import Conflict, Forbidden, InvalidInput, NotFound, Unavailable
from provgraph.ports.quad_store import QuadPattern, QuadStore, StoreChange, StoreReader
from provgraph.provenance.access import ACCESS, principal_quads
from provgraph.rdf.graphs import collection_name
from provgraph.rdf.iris import principal_iri, principal_name
from provgraph.rdf.terms import Quad, text_of
from provgraph.rdf.vocabulary import RDFS, TG


class AccessRole(StrEnum):
    """A reader asks and reads; a writer also ingests and deletes; an auditor reads what others did; an admin may do
    anything."""

    READER = "reader"
    WRITER = "writer"
    AUDITOR = "auditor"
    ADMIN = "admin"


class Right(StrEnum):
    """What a route asks for: anyone's, reading, asking, writing, looking over others' shoulders, or all of it."""

    OPEN = "open"
    READ = "read"
    ASK = "ask"
    WRITE = "write"
    AUDIT = "audit"
    ADMIN = "admin"


RIGHTS: Final[Mapping[AccessRole, frozenset[Right]]] = {
    AccessRole.READER: frozenset({Right.OPEN, Right.READ, Right.ASK}),
    AccessRole.WRITER: frozenset({Right.OPEN, Right.READ, Right.ASK, Right.WRITE}),
    AccessRole.AUDITOR: frozenset({Right.OPEN, Right.READ, Right.AUDIT}),
    AccessRole.ADMIN: frozenset(Right),
}


@dataclass(frozen=True)
class Principal:
    """`collections` are those it may use, all where none is named; `groups` are those it is in, beside the one of its
    own name."""

    name: str
    role: AccessRole
    collections: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    expires: datetime | None = None

    @property
    def names(self) -> frozenset[str]:
        """The readers of a document among whom it is."""
        return frozenset((self.name, *self.groups))

    @property
    def sees_every_document(self) -> bool:
        """Of its collections: rules of documents are for readers, and who writes a collection reads all of it."""
        return self.role is not AccessRole.READER

    def may(self, right: Right) -> bool:
        return right in RIGHTS[self.role]

    def has_expired(self, now: datetime) -> bool:
        return self.expires is not None and self.expires <= now

    def checked(self) -> Principal:
        """The same, with its end in UTC. Raises `InvalidInput` for a name that is none, and an admin of collections."""
        principal_name(self.name)
        for group in self.groups:
            principal_name(group)
        for collection in self.collections:
            collection_name(collection)
        if self.collections and self.role is AccessRole.ADMIN:
            raise InvalidInput("An admin may do anything, in every collection. Leave the collections out.")
        if self.expires and not self.expires.tzinfo:
            return replace(self, expires=self.expires.replace(tzinfo=UTC))
        return self


class Grant(BaseModel):
    """What is kept of a principal."""

    model_config = ConfigDict(extra="forbid")

    role: AccessRole
    collections: list[str] = []
    groups: list[str] = []
    expires: datetime | None = None
    token: str

    @classmethod
    def of(cls, principal: Principal, token: str) -> Grant:
        return cls(
            role=principal.role,
            collections=list(principal.collections),
            groups=list(principal.groups),
            expires=principal.expires,
            token=token,
        )

    def principal(self, name: str) -> Principal:
        return Principal(name, self.role, tuple(self.collections), tuple(self.groups), self.expires)


_PREFIX: Final = "pg_"
_BYTES: Final = 32
_FRESH_S: Final = 2.0
"""How long what was read of a store that others write to counts."""


def token_hash(token: str) -> str:
    """Tokens are long and random, so that a plain hash tells nothing of them."""
    return hashlib.sha256(token.encode(errors="surrogateescape")).hexdigest()


@dataclass
class Principals:
    """The principals of one store; with `is_shared`, others may write to it. While it is away, those read last count:
    nobody can make or revoke a token in it meanwhile."""

    store: QuadStore
    is_shared: bool = False
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    _by_hash: Mapping[str, Principal] | None = field(default=None, init=False)
    _read_at: float = field(default=0.0, init=False)

    async def of_token(self, token: str) -> Principal | None:
        """Whose token this is; None for one that is nobody's, or has expired."""
        principal = (await self._known()).get(token_hash(token))
        return None if principal is None or principal.has_expired(self.now()) else principal

    async def any(self) -> bool:
        return bool(await self._known())

    async def all(self) -> list[Principal]:
        """By name."""
        return sorted((await self._known()).values(), key=lambda principal: principal.name)

    async def add(self, principal: Principal, *, others_come_in: bool = True) -> str:
        """The token of a new principal. Raises `Conflict` where there is one of this name, `InvalidInput`, and
        `Forbidden` where nobody would be left who may make tokens; `others_come_in` says that there is another way."""
        token, made = _token(), principal.checked()
        if made.has_expired(self.now()):
            raise InvalidInput("The token would have expired before it is used. Give an end that is to come.")
        has_admin = any(principal.role is AccessRole.ADMIN for principal in (*await self.all(), made))
        if not (others_come_in or has_admin):
            raise Forbidden(
                "From the first token on nobody comes in without one, and this one could not make others. Make an "
                "admin first: provgraph token create NAME --role admin. Or set PROVGRAPH_TOKEN."
            )
        if not await self.store.transact(_Writing(made, token, is_new=True).decide):
            raise Conflict(
                f"There is a token for {made.name!r} already. Revoke or rotate it, or use another name."
            )
        self._by_hash = None
        return token

    async def rotate(self, name: str) -> str:
        """Another token for a principal, whose old one is worth nothing from here on. Raises `NotFound`."""
        principal, token = await self.named(name), _token()
        await self.store.transact(_Writing(principal, token).decide)
        self._by_hash = None
        return token

    async def revoke(self, name: str) -> Principal:
        """Raises `NotFound`."""
        principal = await self.named(name)
        (quads,) = await self.store.match([QuadPattern(principal_iri(name), None, None, ACCESS)])
        await self.store.remove(quads)
        self._by_hash = None
        return principal

    async def named(self, name: str) -> Principal:
        for principal in (await self._known()).values():
            if principal.name == name:
                return principal
        raise NotFound(
            f"There is no token for {name[:80]!r}. 'provgraph token list' shows those that there are."
        )

    async def _known(self) -> Mapping[str, Principal]:
        is_old = self.is_shared and time.monotonic() - self._read_at > _FRESH_S
        if self._by_hash is None or is_old:
            patterns = [QuadPattern(None, predicate, None, ACCESS) for predicate in (TG.grant, RDFS.label)]
            try:
                grants, labels = await self.store.match(patterns)
            except Unavailable:
                if self._by_hash is None:
                    raise
            else:
                self._by_hash = dict(_read(grants, labels))
            self._read_at = time.monotonic()
        return self._by_hash


@dataclass(frozen=True)
class _Writing:
    """Puts a grant in the place of what there is of its principal."""

    principal: Principal
    token: str
    is_new: bool = False

    def decide(self, reader: StoreReader) -> StoreChange[bool]:
        node = principal_iri(self.principal.name)
        (before,) = reader.match([QuadPattern(node, None, None, ACCESS)])
        if before and self.is_new:
            return StoreChange(False)
        grant = Grant.of(self.principal, token_hash(self.token)).model_dump_json(exclude_defaults=True)
        after = principal_quads(self.principal.name, grant)
        return StoreChange(
            True,
            [quad for quad in before if quad not in after],
            [quad for quad in after if quad not in before],
        )


def _read(grants: Sequence[Quad], labels: Sequence[Quad]) -> list[tuple[str, Principal]]:
    """What cannot be read is nobody's."""
    names = {quad.subject: text_of([quad], RDFS.label) for quad in labels}
    found = []
    for quad in grants:
        try:
            grant = Grant.model_validate_json(text_of([quad], TG.grant))
        except ValidationError:
            continue
        if name := names.get(quad.subject):
            found.append((grant.token, grant.principal(name)))
    return found


def _token() -> str:
    return _PREFIX + secrets.token_urlsafe(_BYTES)
