"""A text of somebody else's is checked on the page, by pasted sources and by a collection."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser.accessible import violations
from browser.conftest import OpenPage
from e2e.commands import invoke

pytestmark = pytest.mark.slow

TEXT = (
    "James Chadwick discovered the neutron in 1932 [1]. "
    "Frederick Soddy received the Nobel Prize in Chemistry in 1911. Who was he?"
)
SOURCE = "James Chadwick discovered the neutron there in 1932. <b>Bold</b>"


def test_the_report_of_the_command_line_can_be_read_by_all(open_page: OpenPage, tmp_path: Path) -> None:
    (tmp_path / "source.txt").write_text(
        f"{SOURCE}\n\nFrederick Soddy received the Nobel Prize in Chemistry in 1921."
    )
    report = tmp_path / "report.html"
    chosen = ("--sources", tmp_path / "source.txt", "--format", "html", "--output", report)
    assert invoke("check-answer", f"{TEXT} Soddy kept bees.", *chosen).exit_code == 1
    for width in (1440, 375):
        page = open_page(report.as_uri(), width=width)
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def form(page: Page) -> Page:
    page.get_by_role("navigation", name="Views").get_by_role("link", name="Claims").click()
    page.get_by_role("link", name="Check a whole text").click()
    page.get_by_label("Text", exact=True).fill(TEXT)
    return page


def test_each_claim_is_judged_by_pasted_sources(page: Page) -> None:
    form(page).get_by_label("Sources, a line of --- between two of them").fill(SOURCE)
    page.get_by_role("button", name="Check").click()
    claims = page.get_by_label("Claims", exact=True).get_by_role("listitem")
    expect(claims).to_have_count(3)
    expect(claims.nth(0)).to_have_attribute("data-verdict", "SUPPORTS")
    expect(claims.nth(0)).to_contain_text("Cites [1] (source 1), which supports it.")
    expect(claims.nth(0).get_by_role("row")).to_have_count(5)
    expect(claims.nth(1)).to_have_attribute("data-verdict", "NOT ENOUGH INFO")
    expect(claims.nth(2)).to_contain_text("It is a question")
    expect(page.get_by_label("Claims", exact=True)).to_contain_text("2 claims: 1 supported, 0 refuted")


def test_a_check_against_a_collection_leads_to_its_trace(page: Page) -> None:
    form(page).get_by_label("Check against").select_option("default")
    page.get_by_role("button", name="Check").click()
    claims = page.get_by_label("Claims", exact=True).get_by_role("listitem")
    expect(claims.nth(1)).to_have_attribute("data-verdict", "REFUTES")
    page.get_by_role("link", name="Its trace").click()
    page.wait_for_url("**/#/session/*")
    expect(page.get_by_text("REFUTES: Frederick Soddy received")).to_be_visible()
    page.get_by_role("navigation", name="Views").get_by_role("link", name="Traces").click()
    page.get_by_role("button", name="Ask again").first.click()
    expect(page.get_by_role("heading", name="The answer")).to_be_visible()


def test_a_text_without_words_is_told_as_a_problem(page: Page) -> None:
    form(page).get_by_label("Text", exact=True).fill("   ")
    page.get_by_label("Sources, a line of --- between two of them").fill(SOURCE)
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_role("alert")).to_contain_text("The text is empty.")
