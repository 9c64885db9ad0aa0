"""What a person does to have a claim judged, and to see the verdict."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

SUPPORTED = "James Chadwick discovered the neutron in 1932."
REFUTED = "Frederick Soddy received the Nobel Prize in Chemistry in 1911."
UNKNOWN = "Marie Curie owned a bakery."


def judged(page: Page, claim: str) -> Page:
    """The page with the whole verdict on it."""
    page.get_by_role("navigation", name="Views").get_by_role("link", name="Claims").click()
    field = page.get_by_label("Claim", exact=True)
    field.fill(claim)
    field.press("Enter")
    page.wait_for_url("**/#/session/*")
    expect(page.get_by_role("button", name="Copy link")).to_be_visible()
    return page


def verdict(page: Page) -> Locator:
    return page.get_by_label("Verdict", exact=True)


def side(page: Page, name: str) -> Locator:
    """The column of the words "For" or "Against"."""
    return verdict(page).get_by_role("region", name=name)
