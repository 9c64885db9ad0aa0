"""A person adds documents, looks into one down to the words of a fact, and takes one back."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pymupdf
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from browser.conftest import OpenPage
from e2e.commands import Serving, serving

pytestmark = pytest.mark.slow

SENTENCE = "Marie Curie discovered polonium in 1898."
HOSTILE = "<img src=x onerror=alert(1)> Curie"


@pytest.fixture(scope="module")
def service(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A service of its own: what is added and deleted here concerns no other test."""
    with serving(tmp_path_factory.mktemp("documents") / "data") as made:
        yield made


@pytest.fixture
def view(open_page: OpenPage, service: Serving) -> Page:
    page = open_page(f"{service.url}/#/documents")
    expect(page.get_by_role("heading", name="Documents", level=1)).to_be_visible()
    return page


def pdf(file: Path) -> Path:
    document: Any = pymupdf.open()  # type: ignore[no-untyped-call]
    document.new_page(width=600, height=800).insert_text(
        (72, 100), "Warsaw is a city in Poland.", fontsize=11
    )
    document.new_page(width=600, height=800).insert_text((72, 400), SENTENCE, fontsize=11)
    file.write_bytes(document.tobytes())
    return file


def added(page: Page, *files: Path) -> Locator:
    """Pick files, and wait for the end of their job."""
    page.get_by_label("choose files").set_input_files(list(files))
    job = page.locator(".jobs section").first
    expect(job.get_by_text("new fact")).to_be_visible()
    return job


def written(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.write_text(text)
    return file


def test_a_picked_file_becomes_a_document_in_the_list(view: Page, tmp_path: Path) -> None:
    added(view, written(tmp_path, "soddy.txt", "Frederick Soddy studied isotopes in Glasgow."))
    expect(view.get_by_role("link", name="soddy")).to_be_visible()
    view.reload()
    expect(view.get_by_role("link", name="soddy")).to_be_visible()


def test_a_dropped_file_is_taken_and_a_bad_one_says_what_is_wrong(view: Page) -> None:
    content = base64.b64encode(b"Ernest Rutherford discovered the proton.").decode()
    transfer = view.evaluate_handle(
        """content => {
            const transfer = new DataTransfer();
            const bytes = Uint8Array.from(atob(content), (char) => char.charCodeAt(0));
            transfer.items.add(new File([bytes], "proton.txt"));
            transfer.items.add(new File([new Uint8Array([71, 73, 70, 56, 57, 97])], "scan.gif"));
            return transfer;
        }""",
        content,
    )
    view.locator(".drop-zone").dispatch_event("drop", {"dataTransfer": transfer})
    expect(view.locator(".jobs").get_by_text("1 document")).to_be_visible()
    expect(view.locator(".jobs").get_by_text("scan.gif is a GIF image")).to_be_visible()
    expect(view.get_by_role("link", name="proton")).to_be_visible()


def test_a_fact_leads_to_its_words_on_the_picture_of_its_page(view: Page, tmp_path: Path) -> None:
    added(view, pdf(tmp_path / "curie.pdf"))
    view.get_by_role("link", name="curie", exact=True).click()
    expect(view.get_by_text("2 pages")).to_be_visible()
    view.locator("summary", has_text="Page 2").click()
    view.get_by_role("button", name="polonium was discovered by Marie Curie", exact=True).click()
    mark = view.locator(".page-mark")
    expect(mark).to_have_count(1)
    image, box = view.locator(".page-image").bounding_box(), mark.bounding_box()
    assert image is not None
    assert box is not None
    assert (box["y"] + box["height"] / 2 - image["y"]) / image["height"] == pytest.approx(0.5, abs=0.02)
    view.get_by_role("button", name="As text").click()
    expect(view.locator("mark")).to_have_text(SENTENCE)


def test_the_words_of_a_hostile_document_stay_words(view: Page, tmp_path: Path) -> None:
    text = f"{HOSTILE} discovered polonium. Marie Curie discovered <script>alert(2)</script> radium."
    added(view, written(tmp_path, "<b>hostile<b>.txt", text))
    view.get_by_role("link", name="hostile").click()
    view.get_by_role("button", name="Chunk 1").click()
    expect(view.locator("mark")).to_contain_text("<script>alert(2)</script>")
    assert view.locator("main script, main img, main b").count() == 0


def test_a_document_goes_after_its_report_was_seen_and_not_before(view: Page, tmp_path: Path) -> None:
    added(view, written(tmp_path, "becquerel.txt", "Henri Becquerel discovered radioactivity in 1896."))
    remove = view.get_by_role("button", name="Delete becquerel")
    remove.click()
    dialog = view.get_by_role("dialog")
    expect(dialog.get_by_text("1 page, 1 chunk")).to_be_visible()
    dialog.get_by_role("button", name="Keep it").click()
    expect(view.get_by_role("link", name="becquerel")).to_be_visible()
    expect(remove).to_be_focused()
    remove.click()
    dialog.get_by_role("button", name="Delete").click()
    expect(view.get_by_role("link", name="becquerel")).to_have_count(0)
    expect(dialog).to_have_count(0)


def test_documents_are_searched_sorted_and_deleted_together(view: Page, tmp_path: Path) -> None:
    names = ("alpha", "beta", "gamma")
    sentences = "Alpha is a letter. Beta is a letter. Beta follows Alpha. Gamma follows Beta."
    files = [written(tmp_path, f"{name}.txt", f"{name} file. {sentences}") for name in names]
    added(view, *files)
    rows = view.locator(".document-table tbody tr")
    view.get_by_label("Title, file, author or metadata has").fill("ALPHA.txt")
    expect(rows).to_have_count(1)
    view.get_by_label("Title, file, author or metadata has").fill(".txt a")
    view.get_by_role("button", name="Title", exact=True).click()
    expect(view.get_by_role("columnheader", name="Title")).to_have_attribute("aria-sort", "descending")
    expect(rows.first).to_contain_text("gamma")
    view.get_by_label("Choose alpha").check()
    view.get_by_label("Choose gamma").check()
    view.get_by_role("button", name="Delete 2 chosen documents").click()
    dialog = view.get_by_role("dialog")
    expect(dialog.get_by_text("2 pages, 2 chunks")).to_be_visible()
    dialog.get_by_role("button", name="Delete").click()
    expect(view.get_by_role("link", name="beta")).to_be_visible()
    expect(view.get_by_role("link", name="alpha")).to_have_count(0)
    expect(view.get_by_role("link", name="gamma")).to_have_count(0)


def test_each_file_is_named_as_it_finishes_and_a_refusal_stays_when_the_view_is_left(
    view: Page, tmp_path: Path
) -> None:
    bad = tmp_path / "picture.gif"
    bad.write_bytes(b"GIF89a")
    job = added(view, written(tmp_path, "delta.txt", "Delta is a letter."), bad)
    files = job.get_by_role("list", name="Files that are finished")
    expect(files).to_contain_text("delta 1 fact")
    view.get_by_role("navigation").get_by_role("link", name="Traces").click()
    view.get_by_role("navigation").get_by_role("link", name="Documents").click()
    expect(files).to_contain_text("picture.gif is a GIF image")
    job.get_by_role("button", name="Put away").click()
    view.get_by_role("navigation").get_by_role("link", name="Traces").click()
    view.get_by_role("navigation").get_by_role("link", name="Documents").click()
    expect(view.locator(".document-table")).to_be_visible()
    expect(view.get_by_text("picture.gif is a GIF image")).to_have_count(0)


def test_a_collection_is_made_used_and_removed(
    view: Page, open_page: OpenPage, service: Serving, tmp_path: Path
) -> None:
    """What goes with it is told as it is now: this page's list is behind what another page added."""
    name = tmp_path.name  # a second try meets nothing of the first
    view.get_by_role("button", name="New collection").click()
    view.get_by_role("dialog").get_by_label("Name").fill(name)
    view.get_by_role("button", name="Make it").click()
    expect(view.get_by_label("Collection", exact=True)).to_have_value(name)
    expect(view.get_by_text("There is no document yet.")).to_be_visible()
    elsewhere = open_page(f"{service.url}/#/documents?collection={name}")
    added(elsewhere, written(tmp_path, "epsilon.txt", "Epsilon is a letter."))
    expect(elsewhere.get_by_role("link", name="epsilon")).to_be_visible()
    view.get_by_role("button", name="Remove collection").click()
    expect(view.get_by_role("dialog")).to_contain_text("Its 1 document, ")
    view.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(view.get_by_label("Collection", exact=True)).to_have_value("default")
    expect(view.get_by_role("option", name=name)).to_have_count(0)


def test_a_name_that_no_collection_can_have_is_told(view: Page) -> None:
    view.get_by_role("button", name="New collection").click()
    view.get_by_role("dialog").get_by_label("Name").fill("a/b c")
    view.get_by_role("button", name="Make it").click()
    expect(view.get_by_role("dialog").get_by_role("alert")).to_be_visible()


def test_a_document_that_is_not_there_is_told(open_page: OpenPage, service: Serving) -> None:
    page = open_page(f"{service.url}/#/documents/urn%3Ax%3Anothing")
    expect(page.get_by_role("alert")).to_contain_text("There is no document")


def test_nothing_is_wider_than_a_narrow_screen(open_page: OpenPage, service: Serving, tmp_path: Path) -> None:
    page = open_page(f"{service.url}/#/documents", width=375)
    added(page, written(tmp_path, "narrow.txt", "Lise Meitner explained nuclear fission in 1938."))
    page.get_by_role("link", name="narrow").click()
    page.get_by_role("button", name="Chunk 1").click()
    expect(page.locator("mark")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") <= 375


def test_title_and_metadata_are_edited(view: Page, tmp_path: Path) -> None:
    added(view, written(tmp_path, "edited.txt", SENTENCE))
    view.get_by_role("link", name="edited", exact=True).first.click()
    edit = view.get_by_role("button", name="Edit title and metadata")
    expect(edit).to_be_visible()  # until then the table is there, with the sizes of all documents
    expect(view.get_by_text("1 kB")).to_be_visible()
    edit.click()
    view.get_by_role("dialog").get_by_label("Title").fill("The corrected title")
    view.get_by_role("dialog").get_by_label("Metadata", exact=True).fill("company=Korn\nyear=2020")
    view.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(view.get_by_text("company=Korn, year=2020")).to_be_visible()
    expect(view.get_by_role("heading", name="The corrected title")).to_be_visible()
