"""The end-to-end suite against services apart: `pytest tests/e2e --form apart`.

A folder that a test begins with is then the gateway's own, which says, as any served folder does, who has it open; so
commands go there, and nothing in the tests is another. The services are those of the compose file. They are started
once, and once more with a language model where a test needs one, and emptied for each that begins with nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import httpx2

from e2e.commands import PATIENCE_S
from e2e.composed import Composed
from servers.direct import DIRECT

SKIPPED: Final = {
    "test_delete_commands.py::test_what_is_deleted_can_be_made_to_leave_every_file": (
        "the store's files are an Oxigraph server's own, and a compaction is refused there"
    )
}
"""By file or test, why it is not run apart."""


def why_not(nodeid: str) -> str:
    """Why a test is not run apart; empty for one that is."""
    if "[one process" in nodeid:
        return "it is the other form"
    test = nodeid.partition("[")[0].rpartition("/")[2]
    return SKIPPED.get(test) or SKIPPED.get(test.partition("::")[0], "")


def empty(services: Composed) -> None:
    """Nothing is in them any more: neither in the store, nor in what retrieval made of it."""
    known = {"Authorization": f"Bearer {services.token}"}
    with httpx2.Client(headers=known, timeout=PATIENCE_S, **DIRECT) as client:
        listed = client.get(f"{services.gateway.url}/api/v1/collections").raise_for_status()
        client.post(
            f"{services.url('oxigraph', 7878)}/update", data={"update": "DROP ALL"}
        ).raise_for_status()
        forget = f"{services.url('retrieval', 8888)}/internal/v1/retrieval/forget"
        for each in listed.json():
            client.post(forget, json={"collection": each["collection"]}).raise_for_status()


def empty_folder(services: Composed, folder: Path) -> Path:
    """A folder that is the gateway's own, and nothing is in it."""
    empty(services)
    folder.symlink_to(services.data("gateway"))
    return folder
