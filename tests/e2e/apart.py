"""The end-to-end suite against services apart: `pytest tests/e2e --form apart`.

A folder that a test names is then one that says, as a served folder does, that the gateway has it open; so commands go
there, and nothing in the tests is another. The services are those of the compose file. They are started once, and
emptied for every test that begins with a folder of its own.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import httpx2

from e2e.composed import Composed
from provgraph.cli.connection import SERVING_FILE

SKIPPED: Final = {
    "test_archive_commands.py::test_a_served_folder_is_backed_up_and_restored": "it serves the folder itself",
    "test_ask_by_model.py": "a model is set in the environment of a service, here of a command that serves a folder",
    "test_collection_settings.py": "a model is set in the environment of a service, here of a command's own",
    "test_copy_for_other_tools.py": "it starts servers of its own",
    "test_crashes.py": "it starts services apart of its own",
    "test_delete_commands.py::test_what_is_deleted_can_be_made_to_leave_every_file": "the files are a folder's",
    "test_demo.py": "the demonstration opens a folder of its own",
    "test_ends_without_servers.py": "it starts services apart of its own",
    "test_evaluate_command.py": "it reads folders of its own",
    "test_folder_commands.py": "it is about a folder on disk",
    "test_full_disk.py": "it is about a folder on disk",
    "test_full_servers.py": "it starts services apart of its own",
    "test_ingest_by_model.py": "a model is set in the environment of a service, here of a command's own",
    "test_interrupted_ingest.py": "a command's own service is interrupted",
    "test_jobs_outlive_the_service.py": "it starts and kills services of its own",
    "test_refused_commands.py::test_an_address_for_everybody_without_a_token": "every command has the token",
    "test_research_commands.py": "arXiv's address is set in the environment of a service, here of a command's own",
    "test_served_folder.py::test_a_session_that_a_crash_left_open_is_closed_at_the_next_start": "it starts its own",
    "test_session_endings.py": "it starts services apart of its own",
    "test_store_on_a_server.py": "it starts servers of its own",
    "test_trustgraph_api.py": "it serves a folder of its own",
    "test_trustgraph_commands.py": "it serves a folder of its own",
    "test_trustgraph_page.py": "it serves a folder of its own",
}
"""By file or test, why it is not run apart."""


def why_not(nodeid: str) -> str:
    """Why a test is not run apart; empty for one that is."""
    if "[one process" in nodeid:
        return "it is the other form"
    test = nodeid.partition("[")[0].rpartition("/")[2]
    return SKIPPED.get(test) or SKIPPED.get(test.partition("::")[0], "")


def empty_folder(services: Composed, folder: Path) -> Path:
    """The folder, which the gateway has open and nothing is in."""
    store = f"{services.url('oxigraph', 7878)}/update"
    httpx2.post(store, data={"update": "DROP ALL"}, trust_env=False).raise_for_status()
    forgotten = httpx2.post(
        f"{services.url('retrieval', 8888)}/internal/v1/retrieval/forget",
        json={"collection": "default"},
        headers={"Authorization": f"Bearer {services.token}"},
        trust_env=False,
    )
    forgotten.raise_for_status()
    folder.mkdir(parents=True)
    (folder / SERVING_FILE).write_text(json.dumps({"url": services.url("gateway", 8888)}))
    return folder
