"""What a person does to ask, and to see an answer."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

QUESTION = "Who discovered polonium?"


def ask(page: Page, question: str = QUESTION, answer_from: str = "") -> None:
    """Type a question, choose, and press Enter; does not wait for the answer."""
    field = page.get_by_label("Question")
    if answer_from:
        page.get_by_label("Answer from").select_option(label=answer_from)
    field.fill(question)
    field.press("Enter")
    page.wait_for_url("**/#/session/*")


def answered(page: Page, question: str = QUESTION, answer_from: str = "") -> Page:
    """The page with the whole answer on it."""
    ask(page, question, answer_from)
    expect(page.get_by_role("button", name="Copy link")).to_be_visible()
    return page


def answer(page: Page) -> Locator:
    return page.get_by_label("Answer", exact=True)


def citations(page: Page) -> Locator:
    return answer(page).get_by_role("button", name="Source ")


def facts(page: Page) -> Locator:
    return page.get_by_label("Evidence").get_by_role("listitem").filter(has=page.locator(".evidence-head"))


def lit(page: Page, selector: str) -> Locator:
    """What is lit and matches."""
    return page.locator(f"{selector}[data-lit]")
