"""Who is let in: the rules of the settings, and the tokens of principals, each of which opens an app of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from provgraph.gateway.access_control import AccessRules, NamedAccess, access_rules
from provgraph.gateway.auditing import Auditing
from provgraph.roles import Role
from provgraph.settings import listed
from provgraph.wire.addresses import LOGIN, SOCKET

if TYPE_CHECKING:  # an assembly asks here
    from provgraph.assembly.process import Assembly


def access_of(made: Assembly) -> AccessRules:
    """Principals are known to a process that does everything and that others can reach; whoever runs a command on a
    folder could read all of its files, and needs no token. Raises as `access_rules` does."""
    settings = made.settings
    hosts, origins = listed(settings.allowed_hosts), listed(settings.allowed_origins)
    rules = access_rules(settings.host, settings.token, hosts, origins, late_paths=[SOCKET, *LOGIN])
    if not made.lasting or made.role is not Role.ALL:
        return rules

    async def named(token: str) -> NamedAccess:
        principal = await made.principals.of_token(token) if token else None
        if principal is None:
            return NamedAccess(None, await made.principals.any())
        app = await made.principal_apps.of(principal)
        return NamedAccess(app, is_asked_for=True, name=principal.name)

    return replace(rules, named=named, auditing=Auditing(made.audit_log, made.principals.any))
