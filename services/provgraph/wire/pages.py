"""Where words stand on the picture of a page, over HTTP."""

from __future__ import annotations

from pydantic import BaseModel, Field


class MarkedRectangle(BaseModel):
    """In shares of the page's width and height, from its upper left corner: 0 to 1."""

    x: float
    y: float
    width: float
    height: float


class PageWords(BaseModel):
    """The rectangles of the characters `start` to `end` of a page's text, one for each piece of a line."""

    page: str
    start: int
    end: int
    aspect: float = Field(description="The page's width divided by its height.")
    rectangles: list[MarkedRectangle]
