"""A person asks, and sees what comes of it: an answer, a refusal, or what went wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser.asking import QUESTION, answer, answered, ask, citations, facts
from browser.conftest import OpenPage
from e2e.commands import Serving, serving

pytestmark = pytest.mark.slow


def test_an_answer_comes_with_its_steps_its_citations_and_the_facts_behind_it(page: Page) -> None:
    answered(page)
    expect(page.get_by_role("heading", level=1)).to_have_text(QUESTION)
    expect(answer(page)).to_contain_text("Marie Curie and Pierre Curie discovered polonium in July 1898")
    steps = page.get_by_role("list", name="How the answer came about")
    expect(steps.get_by_role("listitem")).to_have_count(5)
    told = "".join(steps.all_text_contents())
    chosen = facts(page).count()
    assert chosen > 1
    for words in ("Looked for", "discovered polonium", "Chose", f"{chosen} facts", "Answered"):
        assert words in told
    expect(citations(page)).to_have_count(1)
    first = facts(page).first
    expect(first).to_contain_text("Marie Curie")
    expect(first).to_contain_text("100% of the question's weight")
    expect(first).to_contain_text("evidence-selector")
    expect(first.get_by_role("button", name="Source ")).to_have_count(2)


def test_the_ways_of_asking_are_those_that_the_service_has(page: Page) -> None:
    expect(page.get_by_label("Question")).to_be_focused()
    offered = page.get_by_label("Answer from").get_by_role("option")
    assert {"facts", "passages"} <= set(offered.all_text_contents())
    answered(page, answer_from="passages")
    expect(page.get_by_role("heading", name="Because of")).to_contain_text("passages")
    expect(facts(page).first).to_contain_text("passage-selector")
    expect(citations(page).first).to_be_visible()


def test_a_refusal_says_so_and_what_came_nearest(page: Page) -> None:
    answered(page, "What is the price of bread in Rome?")
    expect(answer(page)).to_contain_text("No answer found")
    expect(answer(page)).to_contain_text("nothing is made up")
    expect(page.get_by_role("list", name="How the answer came about")).to_contain_text("No answer found")


def test_what_was_passed_over_is_behind_one_click(page: Page) -> None:
    answered(page)
    why_not = page.get_by_text("Why not?")
    expect(page.locator(".passed-over .evidence")).to_have_count(0)
    why_not.click()
    expect(page.locator(".passed-over .evidence")).to_have_count(25)
    expect(page.locator(".passed-over .reason").first).to_contain_text("question's weight")
    page.get_by_role("button", name="more of").click()
    expect(page.locator(".passed-over .evidence")).to_have_count(50)


def test_the_address_of_a_session_shows_it_to_anyone(page: Page, open_page: OpenPage) -> None:
    answered(page)
    other = open_page(page.url)
    expect(answer(other)).to_contain_text("discovered polonium in July 1898")
    expect(citations(other)).to_have_count(1)


def test_two_tabs_do_not_disturb_each_other(page: Page, open_page: OpenPage) -> None:
    second = open_page(page.url, context=page.context)
    ask(page)
    ask(second, "Who discovered francium?")
    expect(answer(second)).to_contain_text("francium")
    expect(answer(page)).to_contain_text("polonium")


def test_questions_asked_before_lead_to_their_sessions(page: Page) -> None:
    answered(page)
    page.get_by_role("link", name="ProvGraph").click()
    page.get_by_role("region", name="Asked before").get_by_role("link", name=QUESTION).first.click()
    expect(citations(page)).to_have_count(1)


def test_a_session_that_does_not_exist_is_told_and_not_shown_empty(
    open_page: OpenPage, service: Serving
) -> None:
    page = open_page(f"{service.url}/#/session/nobody")
    expect(page.get_by_role("alert")).to_contain_text("nobody")


def test_an_unknown_view_leads_back(open_page: OpenPage, service: Serving) -> None:
    page = open_page(f"{service.url}/#/<img src=x onerror=alert(1)>")
    expect(page.get_by_role("heading", level=1)).to_have_text("There is no such view")
    page.get_by_role("link", name="Ask a question").click()
    expect(page.get_by_label("Question")).to_be_focused()


def test_a_service_that_has_gone_is_told_and_the_question_is_kept(
    open_page: OpenPage, tmp_path: Path
) -> None:
    with serving(tmp_path / "data") as other:
        page = open_page(other.url)
        expect(page.get_by_label("Question")).to_be_focused()
        other.stop()
        page.get_by_label("Question").fill(QUESTION)
        page.get_by_role("button", name="Ask").click()
        expect(page.get_by_role("alert")).to_contain_text("The service does not answer")
        expect(page.get_by_label("Question")).to_have_value(QUESTION)


def test_questions_are_suggested_that_the_documents_answer(page: Page) -> None:
    suggested = page.get_by_role("region", name="You could ask").get_by_role("link")
    expect(suggested.first).to_be_visible()
    question = suggested.first.inner_text()
    suggested.first.click()
    expect(page.get_by_label("Question")).to_have_value(question)
    page.get_by_role("button", name="Ask").click()
    expect(page.locator(".short-answer-text")).to_be_visible()


def test_a_token_is_asked_for_once_and_kept_by_the_tab(open_page: OpenPage, tmp_path: Path) -> None:
    secret = "ein Geheimnis, größer"
    with serving(tmp_path / "data", env={"PROVGRAPH_TOKEN": secret}) as guarded:
        page = open_page(guarded.url)
        page.get_by_role("textbox", name="Token").fill("guessed")
        page.get_by_role("button", name="Go on").click()
        expect(page.get_by_role("dialog")).to_contain_text("did not accept")
        page.get_by_role("textbox", name="Token").fill(secret)
        page.get_by_role("button", name="Go on").click()
        expect(page.get_by_label("Question")).to_be_visible()
        page.reload()
        expect(page.get_by_label("Question")).to_be_visible()
        expect(page.get_by_role("dialog")).to_have_count(0)
