"""axe-core finds nothing in the views beside the answer either, at both widths and in both schemes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser.accessible import violations
from browser.asking import answered, citations
from browser.conftest import OpenPage
from browser.judging import REFUTED, SUPPORTED, UNKNOWN, judged, verdict
from e2e.commands import Serving


def view_of(page: Page, name: str) -> None:
    page.goto(page.url.partition("#")[0] + f"#/{name}")


def graph(page: Page) -> None:
    answered(page)
    if not page.get_by_role(
        "tab", name="Graph"
    ).is_visible():  # on a narrow screen the panes come up on request
        citations(page).first.click()
    page.get_by_role("tab", name="Graph").click()
    page.locator(".graph-node").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".graph-facts h3")).to_be_visible()


def documents(page: Page) -> None:
    view_of(page, "documents")
    expect(page.get_by_role("table")).to_be_visible()


def document(page: Page) -> None:
    documents(page)
    page.get_by_role("table").get_by_role("link").first.click()
    page.get_by_role("button", name="Chunk 1").first.click()
    expect(page.locator("mark, .page-mark").first).to_be_attached()


def removal(page: Page) -> None:
    documents(page)
    page.get_by_role("button", name="Delete").first.click()
    expect(page.get_by_role("dialog").get_by_text("Becomes stale")).to_be_visible()


def traces(page: Page) -> None:
    answered(page)
    view_of(page, "traces")
    expect(page.get_by_role("button", name="Ask again").first).to_be_visible()


def difference(page: Page) -> None:
    traces(page)
    page.get_by_role("button", name="Ask again").first.click()
    expect(page.get_by_role("heading", name="The answer")).to_be_visible()


def sparql(page: Page) -> None:
    view_of(page, "sparql")
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_role("table")).to_be_visible()


def saved_query(page: Page) -> None:
    view_of(page, "sparql?saved=answers-from-extractor")
    expect(page.get_by_label("extractor")).to_be_visible()


def claims(page: Page) -> None:
    view_of(page, "claims")
    expect(page.get_by_label("Claim", exact=True)).to_be_visible()


def supported(page: Page) -> None:
    judged(page, SUPPORTED)
    expect(verdict(page)).to_be_visible()


def refuted(page: Page) -> None:
    judged(page, REFUTED)
    verdict(page).get_by_role("button", name="Source ").first.focus()


def not_enough_info(page: Page) -> None:
    judged(page, UNKNOWN)
    expect(verdict(page)).to_be_visible()


def terms_of_documents(page: Page) -> None:
    answered(page, "What is the half-life of polonium?", "quotations")
    page.get_by_role("tab", name="Sources").click()
    expect(page.get_by_role("table").first).to_be_visible()


VERDICTS = (claims, supported, refuted, not_enough_info)
VIEWS = (
    *VERDICTS,
    terms_of_documents,
    graph,
    documents,
    document,
    removal,
    traces,
    difference,
    sparql,
    saved_query,
)


@pytest.mark.parametrize("width", [375, 1440])
@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.__name__)
def test_axe_finds_nothing(
    open_page: OpenPage, service: Serving, view: Callable[[Page], None], width: int
) -> None:
    page = open_page(service.url, width=width)
    view(page)
    assert violations(page) == []
