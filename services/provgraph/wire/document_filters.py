"""The fields that narrow a request to some documents of its collection, the same for every route that answers."""

from __future__ import annotations

from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field

from provgraph.wire.text import Text

MAX_NAMES: Final = 1_000
MAX_CONDITIONS: Final = 20


class DocumentFilters(BaseModel):
    """A document has to meet every field that is given; of the values of one field it needs one."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    documents: list[Text] = Field(
        [],
        max_length=MAX_NAMES,
        description="Answer from these documents only: ids, file names or titles; empty for all.",
    )
    titles: list[Text] = Field(
        [],
        max_length=MAX_CONDITIONS,
        description="Answer from documents whose title has these words in a row.",
    )
    types: list[Text] = Field(
        [],
        max_length=MAX_CONDITIONS,
        description="Answer from documents of these types: pdf, docx, html, markdown, text, csv, json; or a media "
        "type.",
    )
    since: Text = Field(
        "",
        max_length=10,
        description="Answer from documents of this date or later: 2022, 2022-06 or 2022-06-30.",
    )
    until: Text = Field("", max_length=10, description="Answer from documents of this date or earlier.")
    where: list[Text] = Field(
        [],
        max_length=MAX_CONDITIONS,
        description="Answer from documents that were given this metadata, each as NAME=VALUE: company=PepsiCo. Of "
        "several values of one name a document needs one.",
    )

    @property
    def narrowing(self) -> dict[str, Any]:
        """The fields that narrow."""
        given = {name: getattr(self, name) for name in DocumentFilters.model_fields}
        return {name: value for name, value in given.items() if value}
