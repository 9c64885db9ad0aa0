"""What axe-core finds amiss in a page."""

from __future__ import annotations

from typing import Any, Final

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

RULES: Final = {
    "runOnly": {
        "type": "tag",
        "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    }
}


def violations(page: Page) -> list[tuple[Any, ...]]:
    """The rule, the place and the words of each."""
    found = Axe().run(page, options=RULES)
    return [
        (rule["id"], node["target"], node["failureSummary"])
        for rule in found.response["violations"]
        for node in rule["nodes"]
    ]
