"""An admin gives out tokens and says who may read a document; others are told that they may not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.accessible import violations
from browser.conftest import OpenPage
from e2e.commands import Serving, run, serving

pytestmark = pytest.mark.slow

TEXT = "Marta Lind leads Project Heron.\n"


@pytest.fixture
def service(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A service of its own that is open to everybody until a token is made."""
    place = tmp_path_factory.mktemp("access")
    (place / "plan.txt").write_text(TEXT)
    assert run("ingest", "--data", place / "data", place / "plan.txt").status == 0
    with serving(place / "data") as made:
        yield made


def created(page: Page, name: str, role: str, groups: str = "") -> str:
    page.get_by_label("Name").fill(name)
    page.get_by_label("Role").select_option(role)
    page.get_by_label("Groups").fill(groups)
    page.get_by_role("button", name="Create token").click()
    token = page.get_by_role("dialog").locator("code").inner_text()
    page.get_by_role("button", name="Close").click()
    return token


@pytest.fixture
def access(open_page: OpenPage, service: Serving) -> Page:
    page = open_page(f"{service.url}/#/documents")
    page.get_by_role("link", name="Access").click()
    expect(page.get_by_text("You are here as admin.")).to_be_visible()
    return page


def test_the_first_admin_stays_in_and_others_need_their_token(
    access: Page, open_page: OpenPage, service: Serving
) -> None:
    created(access, "head", "admin")
    expect(access.get_by_role("rowheader", name="head")).to_be_visible()
    token = created(access, "ada", "reader", "red")
    other = open_page(f"{service.url}/#/access")
    other.get_by_role("textbox", name="Token").fill(token)
    other.get_by_role("button", name="Go on").click()
    expect(other.get_by_text("You are here as ada, reader.")).to_be_visible()
    expect(other.get_by_role("heading", name="Tokens")).to_have_count(0)


def test_a_token_is_revoked(access: Page, service: Serving) -> None:
    created(access, "head", "admin")
    token = created(access, "ada", "reader")
    access.get_by_role("button", name="Revoke the token of ada").click()
    expect(access.get_by_role("rowheader", name="ada")).to_have_count(0)
    reply = access.request.get(f"{service.url}/api/v1/whoami", headers={"Authorization": f"Bearer {token}"})
    assert reply.status == 401


def test_the_readers_of_a_document_are_named_and_kept(access: Page) -> None:
    field = access.get_by_label("Readers of plan")
    field.fill("red, ben")
    field.press("Enter")
    expect(access.locator("#told")).to_contain_text("Readers of plan: ")
    access.reload()
    kept = access.get_by_label("Readers of plan").input_value()
    assert set(kept.split(", ")) == {"red", "ben"}


@pytest.mark.parametrize(("width", "scheme"), [(1440, "dark"), (375, "light")])
def test_axe_finds_nothing_and_nothing_is_wider_than_the_screen(
    open_page: OpenPage, service: Serving, width: int, scheme: str
) -> None:
    page = open_page(f"{service.url}/#/access", width=width, scheme=scheme)
    created(page, "head", "admin")
    expect(page.get_by_role("rowheader", name="head")).to_be_visible()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
