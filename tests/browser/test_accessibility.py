"""What those need who do not see the page, and axe-core cannot tell."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from browser.asking import answer, answered

pytestmark = pytest.mark.slow


def test_the_page_has_the_landmarks_of_a_page(page: Page) -> None:
    answered(page)
    for role in ("banner", "main", "navigation", "complementary"):
        expect(page.get_by_role(role)).to_have_count(1)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)


def test_the_short_answer_is_told_to_those_who_do_not_see_it(page: Page) -> None:
    told = page.locator("[aria-live=polite]#told")
    expect(told).to_have_text("")
    answered(page)
    expect(told).to_have_text("The answer is: Marie Curie and Pierre Curie.")


def test_the_end_of_an_answer_is_told_to_those_who_do_not_see_it(page: Page) -> None:
    answered(page, answer_from="passages")
    expect(page.locator("#told")).to_have_text("The answer is complete.")


def test_the_focus_goes_to_the_heading_of_a_new_view(page: Page) -> None:
    answered(page)
    expect(page.get_by_role("heading", level=1)).to_be_focused()


def test_the_content_can_be_skipped_to(page: Page) -> None:
    answered(page)
    page.get_by_role("link", name="Skip to the content").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    expect(answer(page)).to_be_visible()


def test_colours_can_be_chosen_and_stay(page: Page) -> None:
    page.get_by_role("button", name="Use dark colours").click()
    background = "getComputedStyle(document.documentElement).backgroundColor"
    dark = page.evaluate(background)
    page.reload()
    expect(page.get_by_role("button", name="Use light colours")).to_be_visible()
    assert page.evaluate(background) == dark
