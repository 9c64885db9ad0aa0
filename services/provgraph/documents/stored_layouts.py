"""Layouts in the library, each beside the page that it is of, and tables read from them when they are asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from pyoxigraph import NamedNode

from provgraph.documents.library import Library
from provgraph.documents.page_layout import PageLayout
from provgraph.documents.table_model import Table
from provgraph.documents.table_reading import tables_of_page
from provgraph.errors import NotFound


async def page_layout(library: Library, collection: str, page: NamedNode) -> PageLayout:
    """What was recorded of a page; nothing of one that was read before layouts were."""
    with suppress(NotFound):
        return PageLayout.of_json(await library.companion(collection, page))
    return PageLayout()


async def tables_of(library: Library, collection: str, pages: Sequence[NamedNode]) -> list[Table]:
    """The tables of these pages, in their order; none of a page that the library has lost.

    A page's number is the last part of its IRI.
    """
    found = await asyncio.gather(*(_tables(library, collection, page) for page in pages))
    return [table for tables in found for table in tables]


async def _tables(library: Library, collection: str, page: NamedNode) -> Sequence[Table]:
    layout = await page_layout(library, collection, page)
    if not layout.tables:
        return ()
    try:
        text = await library.text(collection, page)
    except NotFound:
        return ()
    number = page.value.rpartition("/")[2]
    return tables_of_page(int(number) if number.isdecimal() else 1, text, layout)
