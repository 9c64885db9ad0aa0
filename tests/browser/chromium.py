"""A real headless Chromium, Debian's or any other that is installed, driven by Playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pytest
from playwright.sync_api import Browser, sync_playwright

NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
PATIENCE_MS: Final = 20_000


@contextmanager
def chromium() -> Iterator[Browser]:
    """Skips the test where no browser is installed; with BROWSER_TESTS=required it fails instead."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        told = f"no browser is installed: none of {', '.join(NAMES)} (Debian: apt-get install chromium)"
        if os.environ.get("BROWSER_TESTS") == "required":
            pytest.fail(told)
        pytest.skip(told)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()
