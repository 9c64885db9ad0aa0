"""A person asks, and sees what comes of it."""

from __future__ import annotations

from playwright.sync_api import Page, expect

QUESTION = "Who discovered polonium?"


def test_a_question_leads_to_a_session_with_an_address_of_its_own(page: Page) -> None:
    page.get_by_label("Question").fill(QUESTION)
    page.get_by_role("button", name="Ask").click()
    page.wait_for_url("**/#/session/*")
    expect(page.get_by_role("heading", level=1)).to_have_text(QUESTION)
