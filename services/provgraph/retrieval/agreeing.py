"""Indexes that keep up with what other processes write: told of a change or not, they find it out.

Whoever writes tells every replica it knows of, so that a document that is read in can be asked for at once. What a
replica was not told, because it was away or somebody died before saying it, it finds by comparing the subgraphs of the
store with its own.
"""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Final

from provgraph.errors import ProvGraphError
from provgraph.retrieval.pipeline import GraphRetriever

logger = logging.getLogger(__name__)

AT_MOST_EVERY_S: Final = 2.0
SHARE: Final = 0.05
"""Of the time, that may go into comparing: a large store is compared less often."""


async def keep_agreeing(retriever: GraphRetriever) -> None:
    """Compare again and again, until cancelled."""
    while True:
        begun = time.monotonic()
        try:
            await retriever.agree()
        except ProvGraphError as error:
            logger.warning("the indexes cannot be compared with the store: %s", error)
        except Exception:
            logger.exception("comparing the indexes with the store failed in a way that nobody foresaw")
        spent = time.monotonic() - begun
        await asyncio.sleep(max(AT_MOST_EVERY_S, spent / SHARE))
