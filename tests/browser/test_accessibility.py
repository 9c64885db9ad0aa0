"""axe-core finds nothing, at both widths and in both schemes; nor is there anything amiss that it cannot see."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser.accessible import violations
from browser.asking import answer, answered, citations
from browser.conftest import OpenPage
from e2e.commands import Serving


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


VIEWS = (first_view, answer_with_evidence, passed_over, sources, refusal, problem)


@pytest.mark.parametrize("width", [375, 1440])
@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.__name__)
def test_axe_finds_nothing(
    open_page: OpenPage, service: Serving, view: Callable[[Page], None], width: int
) -> None:
    page = open_page(service.url, width=width)
    view(page)
    assert violations(page) == []


def test_the_page_has_the_landmarks_of_a_page(page: Page) -> None:
    answered(page)
    for role in ("banner", "main", "navigation", "complementary"):
        expect(page.get_by_role(role)).to_have_count(1)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)


def test_the_end_of_an_answer_is_told_to_those_who_do_not_see_it(page: Page) -> None:
    told = page.locator("[aria-live=polite]#told")
    expect(told).to_have_text("")
    answered(page)
    expect(told).to_have_text("The answer is complete.")


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
