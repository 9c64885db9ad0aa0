"""ProvGraph as a retriever of LangChain: `pip install provgraph[langchain]`."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import Field

from provgraph.client.async_client import AsyncClient
from provgraph.client.client import Client
from provgraph.integrations.passages import Boxes, Content, PlacedSearch, ProvedPassage


class ProvGraphRetriever(BaseRetriever):
    """Documents that say which characters of which page they are, and which facts were read there.

    `target` is a folder or an address, as of `provgraph.Client`. `content` chooses chunks, facts (each the sentence
    that says it) or both in turn; `k` is how many. `boxes` adds where the words stand on pages that have a picture.
    `options` are further fields of a retrieval, such as `method` or `documents`.
    """

    target: str | None = None
    token: str | None = Field(None, repr=False, exclude=True)
    collection: str = "default"
    k: int = Field(5, ge=1)
    content: Content = "chunks"
    boxes: bool = False
    options: dict[str, Any] = Field(default_factory=dict)

    @cached_property
    def client(self) -> Client:
        """The client that it asks; close it to let a folder go."""
        return Client(self.target, token=self.token, collection=self.collection)

    @cached_property
    def async_client(self) -> AsyncClient:
        """The same for `ainvoke`, of one event loop."""
        return AsyncClient(self.target, token=self.token, collection=self.collection)

    @property
    def _search(self) -> PlacedSearch:
        return PlacedSearch(self.k, self.content, self.boxes, self.options)

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        return [_document(*each) for each in self._search.found(self.client, query)]

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun
    ) -> list[Document]:
        return [_document(*each) async for each in self._search.found_async(self.async_client, query)]


def _document(passage: ProvedPassage, boxes: Boxes) -> Document:
    return Document(id=passage.iri, page_content=passage.text, metadata=passage.metadata(boxes))
