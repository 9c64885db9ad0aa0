"""A person asks one question after another, and takes an answer along with its citations and its proof."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.asking import answered
from browser.chromium import PATIENCE_MS
from browser.conftest import OpenPage
from e2e.commands import Serving

pytestmark = pytest.mark.slow

FIRST = "Where was Marie Curie born?"
FOLLOW_UP = "And when did she die?"


def follow_up(page: Page) -> Page:
    answered(page, FIRST)
    first = page.url
    page.get_by_label("Ask a follow-up").fill(FOLLOW_UP)
    page.get_by_label("Ask a follow-up").press("Enter")
    page.wait_for_url(lambda url: url != first)
    expect(page.get_by_role("heading", name=FOLLOW_UP)).to_be_visible()
    return page


def test_a_follow_up_points_back_and_says_what_it_was_understood_as(page: Page) -> None:
    follow_up(page)
    expect(page.locator(".understood")).to_contain_text("Understood as When did Marie Curie die?")
    expect(page.locator(".short-answer-text")).to_contain_text("1934")


def test_the_turns_before_stand_above_and_stay_when_the_address_is_opened_anew(page: Page) -> None:
    follow_up(page).reload()
    turns = page.get_by_role("list", name="Asked before in this conversation")
    expect(turns.get_by_role("listitem")).to_have_text([f"{FIRST} Warsaw"])
    turns.get_by_role("link", name=FIRST).click()
    expect(page.get_by_role("heading", name=FIRST, level=1)).to_be_visible()
    expect(page.locator(".turns")).to_have_count(0)


def test_a_turn_that_is_gone_hinders_no_answer(page: Page) -> None:
    answered(page, FIRST)
    page.goto(f"{page.url}?after=00000000-0000-4000-8000-000000000000")
    expect(page.locator(".short-answer-text")).to_contain_text("Warsaw")
    expect(page.get_by_label("Ask a follow-up")).to_be_visible()


def copied(browser: Browser, open_page: OpenPage, service: Serving, form: str) -> str:
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    context.set_default_timeout(PATIENCE_MS)
    page = answered(open_page(service.url, context), FIRST)
    page.get_by_text("Copy answer").click()
    page.get_by_role("button", name=f"Copy as {form}").click()
    expect(page.locator("#told")).to_have_text(f"{form} copied.")
    words: str = page.evaluate("navigator.clipboard.readText()")
    context.close()
    return words


def test_an_answer_is_copied_as_markdown_with_a_note_for_each_source(
    browser: Browser, open_page: OpenPage, service: Serving
) -> None:
    words = copied(browser, open_page, service, "Markdown")
    assert words.startswith(f"## {FIRST}\n\n**Warsaw**")
    assert "[^1]: [" in words
    assert f"]({service.url}/#/documents/" in words


def test_an_answer_is_copied_as_html_whose_citations_lead_to_the_words(
    browser: Browser, open_page: OpenPage, service: Serving
) -> None:
    words = copied(browser, open_page, service, "HTML")
    assert "<strong>Warsaw</strong>" in words
    assert f'<a href="{service.url}/#/documents/' in words
    assert "&amp;start=" in words


def test_the_cited_documents_are_copied_as_bibtex_and_csl_json(
    browser: Browser, open_page: OpenPage, service: Serving
) -> None:
    entry = copied(browser, open_page, service, "BibTeX")
    assert entry.startswith("@misc{")
    assert "author = {The ProvGraph authors}" in entry
    (work, *_) = json.loads(copied(browser, open_page, service, "CSL-JSON"))
    assert work["author"] == [{"literal": "The ProvGraph authors"}]
    assert work["issued"] == {"date-parts": [[2026, 1, 15]]}


def test_without_a_clipboard_the_answer_is_saved_as_a_file(page: Page) -> None:
    answered(page, FIRST)
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed')); }")
    page.get_by_text("Copy answer").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Copy as Markdown").click()
    assert download.value.suggested_filename.endswith(".md")


def test_the_proof_of_an_answer_is_saved_as_a_bundle(page: Page, tmp_path: Path) -> None:
    answered(page, FIRST)
    page.get_by_text("Save", exact=True).click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Proof bundle").click()
    download.value.save_as(tmp_path / "proof.zip")
    assert zipfile.is_zipfile(tmp_path / "proof.zip")


def test_escape_closes_a_menu_and_gives_the_focus_back(page: Page) -> None:
    answered(page, FIRST)
    page.locator(".menu > summary", has_text="Save").press("Enter")
    page.get_by_role("button", name="Proof bundle").press("Escape")
    expect(page.get_by_role("button", name="Proof bundle")).to_have_count(0)
    expect(page.locator(".menu > summary", has_text="Save")).to_be_focused()
