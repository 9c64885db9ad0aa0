"""axe-core finds nothing in any view, at both widths and in both schemes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from browser.accessible import violations
from browser.asking import answered, citations
from browser.conftest import OpenPage
from browser.judging import REFUTED, SUPPORTED, UNKNOWN, judged, verdict
from e2e.commands import Serving

pytestmark = pytest.mark.slow

NARROW: Final = 375


def view_of(page: Page, name: str) -> None:
    page.goto(page.url.partition("#")[0] + f"#/{name}")


def first_view(page: Page) -> None:
    expect(page.get_by_label("Question")).to_be_focused()


def answer_with_evidence(page: Page) -> None:
    answered(page)
    citations(page).first.click()
    expect(page.locator(".reader [data-places][data-lit]").first).to_be_visible()


def passed_over(page: Page) -> None:
    answered(page)
    page.get_by_text("Why not?").click()
    page.locator(".passed-over .evidence").nth(20).scroll_into_view_if_needed()


def sources(page: Page) -> None:
    answered(page)
    page.get_by_role("tab", name="Sources").click()
    expect(page.get_by_role("term").first).to_be_visible()


def refusal(page: Page) -> None:
    answered(page, "What is the price of bread in Rome?")


def problem(page: Page) -> None:
    page.goto(page.url.partition("#")[0] + "#/session/nobody")
    expect(page.get_by_role("alert")).to_be_visible()


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


def checked_text(page: Page) -> None:
    view_of(page, "check")
    page.get_by_label("Text", exact=True).fill(f"{SUPPORTED} {REFUTED} Soddy kept bees [7].")
    page.get_by_label("Check against").select_option("default")
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_role("link", name="Its trace")).to_be_visible()


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


ON_REQUEST = (answer_with_evidence, graph)
"""What lies beside the answer, and comes up from below where the screen is narrow."""
VIEWS = (
    first_view,
    passed_over,
    sources,
    terms_of_documents,
    refusal,
    problem,
    claims,
    checked_text,
    supported,
    refuted,
    not_enough_info,
    documents,
    document,
    removal,
    traces,
    difference,
    sparql,
    saved_query,
    *ON_REQUEST,
)


def name_of(view: Callable[[Page], None]) -> str:
    return view.__name__


@pytest.mark.parametrize("view", VIEWS, ids=name_of)
def test_axe_finds_nothing_on_a_wide_screen_and_when_it_becomes_narrow(
    open_page: OpenPage, service: Serving, view: Callable[[Page], None]
) -> None:
    page = open_page(service.url, width=1440)
    view(page)
    found = violations(page)
    page.set_viewport_size({"width": NARROW, "height": 900})
    assert found + violations(page) == []


@pytest.mark.parametrize("view", ON_REQUEST, ids=name_of)
def test_axe_finds_nothing_in_what_comes_up_from_below(
    open_page: OpenPage, service: Serving, view: Callable[[Page], None]
) -> None:
    page = open_page(service.url, width=NARROW)
    view(page)
    assert violations(page) == []
