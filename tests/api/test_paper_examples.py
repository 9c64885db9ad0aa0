"""What docs/papers-compared.md shows as answers to the examples of five papers is what is answered."""

from __future__ import annotations

import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]


async def test_the_examples_are_answered_as_the_page_says(tmp_path: Path) -> None:
    script = runpy.run_path(str(ROOT / "benchmarks" / "paper_examples.py"))
    page = (ROOT / "docs" / "papers-compared.md").read_text("utf-8")
    assert len(script["examples_of"](page)) == 5
    now = await script["with_answers"](page, tmp_path)
    assert now == page, "python benchmarks/paper_examples.py writes the page anew"
