"""Who is let in: the rules of the settings, and the tokens of principals, each of which opens an app of its own."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from provgraph.access.audit import AuditLog
from provgraph.access.principals import Principals
from provgraph.adapters.identity_provider import (
    IdentityProvider,
    ProviderRules,
    chosen_provider,
    read_roles,
)
from provgraph.errors import InvalidInput
from provgraph.gateway.access_control import AccessRules, NamedAccess, access_rules
from provgraph.gateway.auditing import Auditing
from provgraph.roles import Role
from provgraph.settings import Settings, listed
from provgraph.wire.addresses import LOGIN, SOCKET

if TYPE_CHECKING:  # an assembly makes it
    from provgraph.assembly.principal_apps import PrincipalApps
    from provgraph.assembly.process import Assembly


class Authentication:
    """Principals are known to a process that does everything and that others can reach; whoever runs a command on a
    folder could read all of its files, and needs no token."""

    def __init__(self, assembly: Assembly) -> None:
        self._made = assembly
        main = assembly.store.shards[
            0
        ]  # which has the principals of all collections, wherever those are placed
        self.principals = Principals(main, is_shared=bool(assembly.settings.store_url))
        self.log = AuditLog(assembly.folder.audit_log, assembly.settings.audit_keep_days)
        self.provider = provider_of(assembly.settings)

    @cached_property
    def apps(self) -> PrincipalApps:
        from provgraph.assembly.principal_apps import PrincipalApps

        return PrincipalApps(self._made)

    @cached_property
    def rules(self) -> AccessRules:
        """Raises as `access_rules` does."""
        assembly, settings = self._made, self._made.settings
        hosts, origins = listed(settings.allowed_hosts), listed(settings.allowed_origins)
        rules = access_rules(settings.host, settings.token, hosts, origins, late_paths=[SOCKET, *LOGIN])
        if self.provider and assembly.role is not Role.ALL:
            raise InvalidInput(
                "PROVGRAPH_JWT_ISSUER is for a service in one process ('provgraph serve'). Unset it for services apart."
            )
        if not assembly.lasting or assembly.role is not Role.ALL:
            return rules
        return replace(rules, named=self._named, auditing=Auditing(self.log, self.is_asked_for))

    async def is_asked_for(self) -> bool:
        """Whether anybody could have a token of their own, so that nobody comes in without one."""
        return self.provider is not None or await self.principals.any()

    def changed(self, collection: str) -> None:
        """What views hold of a collection is old."""
        if "apps" in vars(self):
            self.apps.views.changed(collection)

    async def forget(self) -> None:
        """Drop the views, which are built anew when they are asked for."""
        if "apps" in vars(self):
            await self.apps.forget()

    async def close(self) -> None:
        if "apps" in vars(self):
            await self.apps.close()

    async def _named(self, token: str) -> NamedAccess:
        principal = await self.principals.of_token(token) if token else None
        if principal is None and token and self.provider:
            principal = await self.provider.of_token(token)
        if principal is None:
            return NamedAccess(None, await self.is_asked_for())
        return NamedAccess(await self.apps.of(principal), is_asked_for=True, name=principal.name)


def provider_of(settings: Settings) -> IdentityProvider | None:
    """Raises as `chosen_provider` does."""
    rules = ProviderRules(
        settings.jwt_issuer,
        settings.jwt_audience,
        read_roles(settings.jwt_roles),
        settings.jwt_name,
        settings.jwt_groups,
    )
    return chosen_provider(settings.jwt_keys, rules)
