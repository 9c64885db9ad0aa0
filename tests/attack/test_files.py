"""Files that hang, fill or kill whoever reads them: the file is refused, and nothing else happens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from attack import bombs
from attack.attacked import Attacked, attacked, children, finished, others_go_on


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    env = {"PROVGRAPH_READ_TIMEOUT_S": "2", "PROVGRAPH_READ_MEMORY_MB": "256"}
    with attacked(tmp_path_factory.mktemp("attacked") / "data", env) as made:
        yield made


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("twice.pdf", bombs.twice_deflated_pdf),
        ("endless.pdf", bombs.endless_pdf),
        ("nested.docx", bombs.nested_tables),
        ("wide.docx", bombs.wide_cells),
        ("misnamed.docx", bombs.misnamed_member),
        ("fonts.pdf", lambda: bombs.fonts_pdf(5_000)),
        ("annotated.pdf", lambda: bombs.annotated_pdf(2_000)),
        ("forms.pdf", lambda: bombs.forms_pdf(40)),
        ("linked.docx", lambda: bombs.linked_docx(500)),
    ],
)
def test_a_file_that_harms_its_reader_harms_nobody_else(
    service: Attacked, name: str, made: Callable[[], bytes]
) -> None:
    good = ("good.txt", b"Irene Joliot-Curie discovered artificial radioactivity.")
    with others_go_on(service):
        parts = [("file", (name, made())), ("file", good)]
        sent = service.client.post("/api/v1/documents", files=parts)
        assert sent.status_code == 202, sent.text
        job: Any = finished(service.client, sent.json()["id"])
    assert job["state"] == "done", job
    titles = {document["title"] for document in service.client.get("/api/v1/documents").json()}
    assert "good" in titles


def test_form_feeds_are_not_thousands_of_pages(service: Attacked) -> None:
    with others_go_on(service):
        sent = service.client.post("/api/v1/documents", files={"file": ("feeds.txt", b"a\f" * 10_000)})
        assert finished(service.client, sent.json()["id"])["state"] == "done"
    (told,) = [each for each in service.client.get("/api/v1/documents").json() if each["title"] == "feeds"]
    assert told["pages"] < 500


def test_what_is_read_in_a_child_knows_no_secret(service: Attacked) -> None:
    readers = children(service.process)
    assert readers
    for reader in readers:
        assert b"PROVGRAPH_TOKEN" not in Path(f"/proc/{reader}/environ").read_bytes()
