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
def service(demo_folder: Path) -> Iterator[Serving]:
    with serving(demo_folder) as made:
        yield made


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Ended with the module: while Playwright runs, no other event loop can run in this thread."""
    with chromium() as started:
        yield started


@pytest.fixture
def open_page(browser: Browser, service: Serving) -> Iterator[OpenPage]:
    """Opens a page of the service in a browser of its own (or in a given `context`); whatever the console tells as an
    error, of script or of policy, fails the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type == "error" and "Failed to load resource" not in message.text:
            complaints.append(message.text)

    def opened(address: str = "/", context: BrowserContext | None = None, **options: object) -> Page:
        if context is None:
            context = browser.new_context(**{"viewport": {"width": 1440, "height": 900}, **options})  # type: ignore[arg-type]
            context.set_default_timeout(PATIENCE_MS)
            contexts.append(context)
        page = context.new_page()
        page.on("console", hear)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(address if address.startswith("http") else service.url + address)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """The page as a person first sees it."""
    return open_page()
