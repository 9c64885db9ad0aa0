"""A person's browser at a service that really runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

from browser.chromium import PATIENCE_MS, chromium
from e2e.commands import Serving, run, serving

OpenPage = Callable[..., Page]


@pytest.fixture(scope="session")
def demo_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the documents that come with the package."""
    data = tmp_path_factory.mktemp("browser") / "data"
    done = run("ingest", "--data", data, str(files("provgraph") / "demo" / "documents"))
    assert done.status == 0, done.err
    return data


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Ended with the module: while Playwright runs, no other event loop can run in this thread."""
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def service(browser: Browser, demo_folder: Path) -> Iterator[Serving]:
    """Only where there is a browser."""
    with serving(demo_folder) as made:
        yield made


@pytest.fixture
def open_page(browser: Browser) -> Iterator[OpenPage]:
    """Opens an address in a profile of its own, or in a given `context`. Whatever the console tells as an error, of a
    script or of the policy, fails the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type == "error" and "Failed to load resource" not in message.text:
            complaints.append(message.text)

    def opened(
        address: str, context: BrowserContext | None = None, width: int = 1440, scheme: str = "light"
    ) -> Page:
        if context is None:
            size = {"width": width, "height": 900}
            context = browser.new_context(viewport=size, color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
            context.set_default_timeout(PATIENCE_MS)
            contexts.append(context)
        page = context.new_page()
        page.on("console", hear)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(address)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def page(open_page: OpenPage, service: Serving) -> Page:
    """The page as a person first sees it."""
    return open_page(service.url)
