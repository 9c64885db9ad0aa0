"""A person narrows a question to some documents, in a browser."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.asking import answer, answered, citations
from browser.conftest import OpenPage
from e2e.commands import Serving, serving

pytestmark = pytest.mark.slow
SAID = "Marie Curie discovered polonium in 1898."


def sent(url: str, body: bytes | None = None) -> bytes:
    """What the service answers; of a job, every event of it up to its end."""
    accept = {
        "Content-Type": "application/json",
        "Accept": "application/json" if body else "text/event-stream",
    }
    with urllib.request.urlopen(urllib.request.Request(url, body, accept)) as answer:
        told: bytes = answer.read()
    return told


@pytest.fixture(scope="module")
def service(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """Two documents that say the same, of two companies."""
    with serving(tmp_path_factory.mktemp("narrowing") / "data") as made:
        for name, company in (("lab.txt", "Curie Lab"), ("works.txt", "Radium Works")):
            body = {"text": f"{SAID} So says {company}.", "name": name, "metadata": {"company": company}}
            job = json.loads(sent(f"{made.url}/api/v1/documents", json.dumps(body).encode()))
            sent(f"{made.url}/api/v1/jobs/{job['id']}")
        yield made


def test_a_question_is_asked_of_the_documents_with_some_metadata(
    open_page: OpenPage, service: Serving
) -> None:
    documents = open_page(f"{service.url}/#/documents")
    expect(documents.get_by_text("company=Radium Works")).to_be_visible()
    page: Page = open_page(service.url)
    page.get_by_text("Only some documents").click()
    page.get_by_label("Metadata").fill("company=Radium Works")
    answered(page)
    expect(answer(page)).to_contain_text("polonium")
    expect(citations(page).first).to_have_accessible_name("Source 1: works, page 1")
    steps = page.get_by_role("list", name="How the answer came about")
    expect(steps).to_contain_text("where: company=Radium Works")


def test_a_condition_that_no_document_meets_is_told_in_the_form(
    open_page: OpenPage, service: Serving
) -> None:
    page = open_page(service.url)
    page.get_by_text("Only some documents").click()
    page.get_by_label("Document", exact=True).fill("labs.txt")
    page.get_by_label("Question").fill("Who discovered polonium?")
    page.get_by_role("button", name="Ask").click()
    expect(page.get_by_text("There is no document 'labs.txt'")).to_be_visible()
