"""Tokens and readers, as clients send them and are told of them."""

from __future__ import annotations

from datetime import datetime
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field

RoleName = Literal["reader", "writer", "auditor", "admin"]
MOST_NAMES: Final = 1000
"""Of collections, of groups, and of readers in one request."""


class TokenRequest(BaseModel):
    """Who is to have a token, and what for."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(
        description="Of the person, team or program; a group of the same name has it as its member."
    )
    role: RoleName
    collections: list[str] = Field(
        [], max_length=MOST_NAMES, description="Those it may use; all where none is named."
    )
    groups: list[str] = Field([], max_length=MOST_NAMES, description="Whose documents it may read.")
    expires: datetime | None = Field(None, description="When it ends; never where nothing is given.")


class TokenView(BaseModel):
    """A principal. The token itself is nowhere kept."""

    name: str
    role: RoleName
    collections: list[str]
    groups: list[str]
    expires: datetime | None


class NewToken(TokenView):
    token: str = Field(description="Shown this once. Send it as `Authorization: Bearer …`.")


class WhoAmI(BaseModel):
    """Who asks, and what may be seen: of each collection all documents, or so many."""

    name: str = Field(
        description="Empty for the token of the service itself, and where no token is asked for."
    )
    role: RoleName
    groups: list[str]
    collections: list[SeenCollection]


class SeenCollection(BaseModel):
    collection: str
    documents: int = Field(description="How many may be seen.")


class ReadersRequest(BaseModel):
    """Who may read documents from now on."""

    model_config = ConfigDict(extra="forbid")

    collection: str = "default"
    documents: list[str] = Field(min_length=1, description="Ids, file names or titles.")
    readers: list[str] = Field(
        max_length=MOST_NAMES,
        description="Groups and principals; with nobody, whoever may read the collection.",
    )


class DocumentReaders(BaseModel):
    id: str
    title: str
    readers: list[str]


class PolicyPrincipal(BaseModel):
    """Somebody who may have no token yet."""

    model_config = ConfigDict(extra="forbid")

    role: RoleName = "reader"
    collections: list[str] = Field([], description="Those it may use; all where none is named.")
    groups: list[str] = Field([], description="Whose documents it may read.")


class AccessPolicy(BaseModel):
    """Who may read what, and what is expected of it. Documents are named by id, file name or title."""

    model_config = ConfigDict(extra="forbid")

    collection: str = "default"
    principals: dict[str, PolicyPrincipal] = Field({}, description="Beside those that have tokens, by name.")
    readers: dict[str, list[str]] = Field(
        {}, description="Of documents, in the place of the readers that they have."
    )
    expect: dict[str, list[str]] = Field(
        {}, description="Of principals, by name: the documents that they read, and no others; `*` is all."
    )


class PrincipalAccess(BaseModel):
    """What a principal reads, by ids; `missing` is expected and not read, `unexpected` read and not expected."""

    name: str
    role: RoleName
    documents: list[str]
    missing: list[str] = []
    unexpected: list[str] = []


class AccessTest(BaseModel):
    passed: bool
    documents: list[DocumentReaders]
    principals: list[PrincipalAccess]


class AuditedAccess(BaseModel):
    """A request that was answered or refused."""

    at: datetime
    by: str = Field(description="A principal; empty for the token of the service itself.")
    right: str = Field(description="What it asked for: ask, read, write, audit or admin.")
    request: str = Field(description="Method and path.")
    status: int = Field(description="How it was answered; 0 where the client went away before.")
    concerns: list[str] = Field(description="Documents, sessions, collections and principals that it named.")


class AuditReport(BaseModel):
    first_fault: int | None = Field(
        description="The first line that was altered or follows one that was removed."
    )
    entries: list[AuditedAccess]


class PrunedAudit(BaseModel):
    removed: int = Field(description="Lines of the log.")
