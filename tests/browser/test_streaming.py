"""An answer that a model is still writing: seen as it grows, stopped, left and come back to, broken."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from api.model_service import MODEL, SAID, good
from browser.asking import answer, ask, citations, facts
from browser.conftest import OpenPage
from e2e.commands import Serving, run, serving
from servers.openai_server import Answer, OpenAIServer

pytestmark = pytest.mark.slow

CURIE = "Marie Curie discovered polonium in 1898. Pierre Curie discovered polonium with Marie Curie.\n"


@pytest.fixture(scope="module")
def folder(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the document was read; only where there is a browser."""
    place = tmp_path_factory.mktemp("streaming")
    (place / "curie.txt").write_text(CURIE)
    assert run("ingest", "--data", place / "data", place / "curie.txt").status == 0
    return place / "data"


def with_model(server: OpenAIServer) -> dict[str, str]:
    return {"PROVGRAPH_LLM_MODEL": MODEL, "OPENAI_BASE_URL": server.url, "PROVGRAPH_LLM_RETRIES": "0"}


@pytest.fixture(scope="module")
def running(folder: Path, _running_model_server: OpenAIServer) -> Iterator[Serving]:
    with serving(folder, env=with_model(_running_model_server)) as made:
        yield made


@pytest.fixture
def by_model(running: Serving, model_server: OpenAIServer) -> Iterator[Serving]:
    """A service whose model says a few words, and the rest when the test lets it."""
    model_server.answer(good(answer=Answer(SAID, holds_after=3)))
    yield running
    model_server.go_on.set()


@pytest.fixture
def writing(open_page: OpenPage, by_model: Serving) -> Page:
    """A page on which the first words stand, and no more will come yet."""
    page = open_page(by_model.url)
    ask(page)
    expect(answer(page)).to_contain_text("Marie Curie")
    return page


def test_words_and_evidence_are_there_before_the_answer_is_complete(
    writing: Page, model_server: OpenAIServer
) -> None:
    expect(answer(writing)).to_have_attribute("aria-busy", "true")
    expect(facts(writing).first).to_contain_text("It names who.")
    expect(facts(writing).first).to_contain_text(MODEL)
    expect(citations(writing)).to_have_count(0)
    model_server.go_on.set()
    expect(citations(writing).first).to_be_visible()
    expect(writing.get_by_role("button", name="Stop")).to_have_count(0)


def test_what_was_opened_beside_a_growing_answer_stays_open_when_it_is_complete(
    writing: Page, model_server: OpenAIServer
) -> None:
    writing.get_by_role("tab", name="Graph").click()
    model_server.go_on.set()
    expect(citations(writing).first).to_be_visible()
    expect(writing.get_by_role("tab", name="Graph")).to_have_attribute("aria-selected", "true")
    expect(writing.locator(".graph-node").first).to_be_visible()


def test_a_sentence_without_support_is_marked(writing: Page, model_server: OpenAIServer) -> None:
    model_server.go_on.set()
    unsupported = answer(writing).locator(".unsupported")
    expect(unsupported).to_have_count(2)
    expect(unsupported.last).to_contain_text("Whales sing.")
    expect(unsupported.last).to_contain_text("no support found")
    expect(answer(writing)).to_contain_text("supports 2 sentences")


def test_stop_ends_the_answer_at_once_and_says_so(writing: Page, model_server: OpenAIServer) -> None:
    writing.get_by_role("button", name="Stop").click()
    expect(writing.get_by_role("heading", name="Stopped")).to_be_visible()
    expect(writing.get_by_role("list", name="How the answer came about")).to_contain_text("Stopped")
    expect(facts(writing).first).to_be_visible()


def test_an_answer_goes_on_when_the_page_is_loaded_anew(writing: Page, model_server: OpenAIServer) -> None:
    writing.reload()
    expect(answer(writing)).to_contain_text("Marie Curie")
    expect(writing.get_by_role("button", name="Stop")).to_be_visible()
    model_server.go_on.set()
    expect(answer(writing)).to_contain_text("Whales sing.")
    expect(citations(writing).first).to_be_visible()


def test_another_tab_watches_the_same_answer(
    writing: Page, open_page: OpenPage, model_server: OpenAIServer
) -> None:
    other = open_page(writing.url)
    expect(answer(other)).to_contain_text("Marie Curie")
    writing.context.close()
    model_server.go_on.set()
    expect(answer(other)).to_contain_text("Whales sing.")


def test_an_answer_goes_on_while_another_view_is_looked_at(writing: Page, model_server: OpenAIServer) -> None:
    address = writing.url
    writing.get_by_role("link", name="ProvGraph").click()
    expect(writing.get_by_label("Question")).to_be_focused()
    expect(writing.get_by_role("region", name="Asked before")).to_contain_text("at work")
    writing.goto(address)
    model_server.go_on.set()
    expect(answer(writing)).to_contain_text("Whales sing.")


def test_an_answer_that_fails_says_why(
    open_page: OpenPage, by_model: Serving, model_server: OpenAIServer
) -> None:
    model_server.answer(good(answer=Answer(SAID, dies_after=3)))
    page = open_page(by_model.url)
    ask(page)
    expect(page.get_by_role("heading", name="The answer failed")).to_be_visible()
    expect(answer(page)).to_contain_text("Marie Curie")


def test_a_service_that_dies_while_it_answers_is_told(
    open_page: OpenPage, folder: Path, tmp_path: Path, model_server: OpenAIServer
) -> None:
    shutil.copytree(folder, tmp_path / "data")
    model_server.answer(good(answer=Answer(SAID, holds_after=3)))
    with serving(tmp_path / "data", env=with_model(model_server)) as mortal:
        page = open_page(mortal.url)
        ask(page)
        expect(answer(page)).to_contain_text("Marie Curie")
        mortal.process.kill()
        expect(page.get_by_role("alert")).to_contain_text("The service does not answer")
    model_server.go_on.set()
    expect(answer(page)).to_contain_text("Marie Curie")
    expect(answer(page)).to_have_attribute("aria-busy", "false")
