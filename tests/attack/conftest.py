"""A served folder with one document, for all attacks: a process of its own, as a person runs it. Attacks share
it: what one leaves behind has to be withstood with what the next one does."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from attack.attacked import Attacked, attacked


def pytest_itemcollected(item: pytest.Item) -> None:
    """Attacks are made on a process of its own, and some of them take it its time to withstand."""
    item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    with attacked(tmp_path_factory.mktemp("attacked") / "data") as made:
        yield made
