"""What all use of PyMuPDF has to keep to: one thread at a time, no word on stderr, and which errors it raises."""

from __future__ import annotations

import threading
from typing import Final

import pymupdf

# MuPDF writes to the process's stderr what it repairs; what it cannot repair is raised.
pymupdf.TOOLS.mupdf_display_errors(False)  # type: ignore[no-untyped-call]
pymupdf.TOOLS.mupdf_display_warnings(False)  # type: ignore[no-untyped-call]

ONE_THREAD: Final = threading.Lock()  # PyMuPDF supports one thread at a time in a process
FAILURES: Final = (pymupdf.mupdf.FzErrorBase, pymupdf.FileDataError, RuntimeError, ValueError)
