"""HTTP face of the page: `/` and `/web/…`, with headers that let nothing in that is not the page's own."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Annotated, Final

from fastapi import APIRouter, Header, Response

from provgraph.errors import NotFound
from provgraph.late_routes import LateRouter

START: Final = "index.html"
MEDIA_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


@dataclass(frozen=True)
class PageFile:
    """`tag` is of the content alone, in the form of an ETag (RFC 9110, section 8.8.3)."""

    content: bytes
    media_type: str
    tag: str


def page_files() -> Mapping[str, PageFile]:
    """All files of the page by their path, with `/` between folders; only those that are meant to be served."""
    return dict(_files_in(files("provgraph.web") / "static", ""))


def _files_in(folder: Traversable, prefix: str) -> Iterator[tuple[str, PageFile]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _files_in(entry, f"{prefix}{entry.name}/")
        elif media_type := MEDIA_TYPES.get(entry.name[entry.name.rfind(".") :]):
            content = entry.read_bytes()
            yield (
                prefix + entry.name,
                PageFile(content, media_type, f'"{hashlib.sha256(content).hexdigest()[:32]}"'),
            )


CONTENT_SECURITY_POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
"""No script but the page's own files, and no string that becomes markup or code: Content Security Policy Level 3 and
Trusted Types. Pictures that need a token are fetched, and shown as blobs."""

HEADERS: Final[Mapping[str, str]] = {
    "Cache-Control": "no-cache",
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


def page_router() -> APIRouter:
    """Routes of the page; its files are read when they are made."""
    router = LateRouter(include_in_schema=False)
    served = page_files()

    @router.api_route("/", methods=["GET", "HEAD"])
    async def start(if_none_match: Annotated[str, Header()] = "") -> Response:
        return _response(served[START], if_none_match)

    @router.api_route("/web/{path:path}", methods=["GET", "HEAD"])
    async def file(path: str, if_none_match: Annotated[str, Header()] = "") -> Response:
        if path not in served:
            raise NotFound(
                "The page has no file of that name. Reload the page: it may be of another version."
            )
        return _response(served[path], if_none_match)

    return router


def _response(file: PageFile, if_none_match: str) -> Response:
    """The file, or 304 where the client has it (RFC 9110, section 13.1.2, weak comparison)."""
    headers = {**HEADERS, "ETag": file.tag}
    known = {tag.strip().removeprefix("W/") for tag in if_none_match.split(",")}
    if file.tag in known or "*" in known:
        return Response(status_code=304, headers=headers)
    return Response(file.content, media_type=file.media_type, headers=headers)
