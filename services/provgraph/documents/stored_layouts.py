"""What was recorded of pages, each in the library beside the page that it is of: layouts, and warnings."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from anyio import to_thread

from provgraph.documents.library import Library
from provgraph.documents.page_layout import WARNING_KEY, PageLayout
from provgraph.errors import NotFound
from provgraph.rdf.terms import NamedNode


async def page_layout(library: Library, collection: str, page: NamedNode) -> PageLayout:
    """What was recorded of a page; nothing of one that was read before layouts were."""
    with suppress(NotFound):
        recorded = await library.companion(collection, page)
        return await to_thread.run_sync(PageLayout.of_json, recorded)
    return PageLayout()


async def page_warnings(
    library: Library, collection: str, pages: Sequence[NamedNode]
) -> dict[NamedNode, str]:
    """What is to be known of pages before one relies on them ("page 12 has a table as a picture"), by page."""
    warnings = await asyncio.gather(*(_warning(library, collection, page) for page in pages))
    return {page: warning for page, warning in zip(pages, warnings, strict=True) if warning}


async def _warning(library: Library, collection: str, page: NamedNode) -> str:
    """Most pages have none, and their layouts are not parsed for it."""
    with suppress(NotFound):
        recorded = await library.companion(collection, page)
        return PageLayout.of_json(recorded).warning if WARNING_KEY in recorded else ""
    return ""
