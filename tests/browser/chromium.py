"""A real Chromium without a window, Debian's or any other that is installed, driven by Playwright.

Where it is installed, the one that has never had a window is taken: the same pages on half the processor time.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

NAMES: Final = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
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
PATIENCE_MS: Final = 30_000


@contextmanager
def chromium() -> Iterator[Browser]:
    """Skips the test where no browser is installed; with BROWSER_TESTS=required it fails instead."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        told = f"no browser is installed: none of {', '.join(NAMES)} (Debian: apt-get install chromium-headless-shell)"
        if os.environ.get("BROWSER_TESTS") == "required":
            pytest.fail(told)
        pytest.skip(told)
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()
