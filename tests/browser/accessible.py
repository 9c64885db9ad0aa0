"""What axe-core finds amiss in a page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

ALL: Final = {
    "type": "tag",
    "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
}
COLOURS: Final = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}


def violations(page: Page) -> list[tuple[Any, ...]]:
    """The rule, the place and the words of each: of all rules in light, and in dark of those for colours."""
    page.emulate_media(color_scheme="light")
    light = _violations(page, ALL)
    page.emulate_media(color_scheme="dark")
    return light + _violations(page, COLOURS)


def _violations(page: Page, rules: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    found = Axe().run(page, options={"runOnly": rules, "resultTypes": ["violations"]})
    return [
        (rule["id"], node["target"], node["failureSummary"])
        for rule in found.response["violations"]
        for node in rule["nodes"]
    ]
