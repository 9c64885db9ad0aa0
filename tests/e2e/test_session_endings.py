"""Every session has its end in the store, whatever died while it was at work."""

from __future__ import annotations

from pathlib import Path

import pytest

from crash.comparison import faulty_sessions
from crash.deployment import deployed
from crash.endings import wrong_endings
from crash.suite import at_rest

pytestmark = pytest.mark.slow


def test_a_session_that_failed_was_killed_or_could_not_be_written_has_its_end(tmp_path: Path) -> None:
    with deployed(tmp_path, workers=0, answering=True, PROVGRAPH_STORE_RETRY_S="2") as deployment:
        assert wrong_endings(deployment) == []
        assert faulty_sessions(at_rest(deployment.store.url), set()) == []
