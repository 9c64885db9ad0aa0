"""One process of ProvGraph, put together from settings: the only place that knows every implementation of a port."""

from __future__ import annotations

from pathlib import Path

from provgraph.adapters.data_folder import open_data_folder
from provgraph.assembly.peers import peers_of
from provgraph.assembly.process import Assembly
from provgraph.assembly.stores import chosen_storage, require_shared
from provgraph.roles import Role
from provgraph.settings import Settings

__all__ = ["Assembly", "assemble"]


def assemble(settings: Settings, data: Path, role: Role = Role.ALL, *, lasting: bool = True) -> Assembly:
    """Open the folder `data` with everything in it, for the services that `role` names.

    One that is not `lasting` is for a command: a part is made when a request needs it, and what is wrong with its
    settings is said then. Raises `InvalidInput` for settings that name what is not there, and `Unavailable` when the
    folder is in use, cannot be written, or is of a newer version.
    """
    if role.is_apart:
        require_shared(settings, role)
    peers, folder = peers_of(role, settings), open_data_folder(data)
    assembly = Assembly(role, settings, peers, folder, chosen_storage(settings, folder), lasting)
    if lasting:
        assembly.require_parts()
    return assembly
