"""Principals of an identity provider: who comes with a JSON Web Token that it signed (RFC 7519), and what its claims
say of them. Keys come from a file (JWKS, RFC 7517) or from the provider (OpenID Connect Discovery 1.0)."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx2
from anyio import to_thread

from provgraph.access.principals import AccessRole, Principal
from provgraph.errors import InvalidInput, Unavailable
from provgraph.rdf.iris import principal_name

ALGORITHMS: Final = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""Signatures that only the provider can make; a shared secret could be anybody's."""

ANYBODY: Final = "*"
_LEEWAY_S: Final = 30
_NOT_SOONER_S: Final = 60.0
_TIMEOUT_S: Final = 10.0
_LONGEST: Final = 8_192
_STRENGTH: Final = (AccessRole.READER, AccessRole.AUDITOR, AccessRole.WRITER, AccessRole.ADMIN)


@dataclass(frozen=True)
class ProviderRules:
    """`issuer` and `audience` are what `iss` and `aud` have to be; `name` and `groups` are claims; `roles` are by
    group, with `*` for everybody who comes."""

    issuer: str
    audience: str
    roles: Mapping[str, AccessRole]
    name: str = "sub"
    groups: str = "groups"

    def principal(self, claims: Mapping[str, Any]) -> Principal | None:
        """Whom the claims are of; None for somebody without a role or a name. A group that could not stand among the
        readers of a document is left out."""
        groups = tuple(_names(claims.get(self.groups)))
        roles = [self.roles[each] for each in (*groups, ANYBODY) if each in self.roles]
        names = _names(claims.get(self.name))
        if not roles or not names:
            return None
        return Principal(names[0], max(roles, key=_STRENGTH.index), groups=groups)


def read_roles(text: str) -> dict[str, AccessRole]:
    """Of `GROUP=ROLE, …`. Raises `InvalidInput`."""
    roles: dict[str, AccessRole] = {}
    for pair in filter(None, (each.strip() for each in text.split(","))):
        group, _, role = (part.strip() for part in pair.partition("="))
        try:
            roles[group] = AccessRole(role)
        except ValueError as error:
            raise InvalidInput(
                f"PROVGRAPH_JWT_ROLES has {pair[:80]!r}, which is not GROUP=ROLE. "
                "Write it as in: staff=reader, curators=writer, *=reader."
            ) from error
    return roles


@dataclass
class IdentityProvider:
    """`keys` is a file with the provider's public keys; without one they are asked for at its address."""

    rules: ProviderRules
    keys: Path | None = None
    _read: Mapping[str, Any] = field(default_factory=dict, init=False)
    _read_at: float = field(default=-_NOT_SOONER_S, init=False)
    _modified: float = field(default=0.0, init=False)

    async def of_token(self, token: str) -> Principal | None:
        """Whose token this is; None for one that the provider did not sign, or not for this service, or that is over.

        Raises `Unavailable` where the keys cannot be read.
        """
        if token.count(".") != 2 or len(token) > _LONGEST:
            return None
        import jwt  # slow to import, and of another package

        try:
            key_id = str(jwt.get_unverified_header(token).get("kid", ""))
            keys = await self._keys(key_id)
            if key_id not in keys:
                return None
            claims = jwt.decode(
                token,
                keys[key_id],
                algorithms=ALGORITHMS,
                issuer=self.rules.issuer,
                audience=self.rules.audience,
                leeway=_LEEWAY_S,
                options={"require": ["exp", "iss", "aud"]},
            )
        except (jwt.PyJWTError, ValueError):
            return None
        return self.rules.principal(claims)

    async def _keys(self, wanted: str) -> Mapping[str, Any]:
        """By id. A file is read again when it has changed; a provider is asked again for a key that is not known, no
        sooner than a minute after it was asked before."""
        if self.keys:
            await to_thread.run_sync(self._read_file, self.keys)
        elif wanted not in self._read and time.monotonic() - self._read_at >= _NOT_SOONER_S:
            self._read_at = time.monotonic()
            self._read = _by_id(await _published(self.rules.issuer))
        return self._read

    def _read_file(self, keys: Path) -> None:
        """Raises `Unavailable`."""
        try:
            modified = keys.stat().st_mtime
            if modified != self._modified:
                self._read, self._modified = _by_id(json.loads(keys.read_bytes())), modified
        except (OSError, ValueError, RecursionError) as error:
            raise Unavailable(
                f"The keys of {self.rules.issuer} cannot be read ({type(error).__name__}). Check the file that "
                "PROVGRAPH_JWT_KEYS names."
            ) from error


async def _published(issuer: str) -> Any:
    """The keys that a provider publishes. Raises `Unavailable`."""
    try:
        async with httpx2.AsyncClient(timeout=_TIMEOUT_S) as client:
            about = await client.get(f"{issuer.rstrip('/')}/.well-known/openid-configuration")
            found = await client.get(str(about.raise_for_status().json()["jwks_uri"]))
            return found.raise_for_status().json()
    except (httpx2.HTTPError, ValueError, KeyError, TypeError) as error:
        raise Unavailable(
            f"The keys of {issuer} cannot be read ({type(error).__name__}). Check PROVGRAPH_JWT_ISSUER, or give them "
            "as a file with PROVGRAPH_JWT_KEYS."
        ) from error


def _by_id(published: Any) -> dict[str, Any]:
    """Keys that are not for signatures, or of a kind that is not known, are left out."""
    import jwt

    try:
        found = jwt.PyJWKSet.from_dict(published).keys
    except (jwt.PyJWTError, AttributeError, TypeError):
        return {}
    return {
        str(key.key_id or ""): key
        for key in found
        if key.public_key_use in (None, "sig") and key.key_type != "oct"
    }


def _names(claim: object) -> Sequence[str]:
    """Of a claim that is a text or a list of texts, those that name somebody."""
    names = []
    for each in claim if isinstance(claim, list) else [claim]:
        try:
            names.append(principal_name(each if isinstance(each, str) else ""))
        except InvalidInput:
            continue
    return names


def chosen_provider(keys: Path | None, rules: ProviderRules) -> IdentityProvider | None:
    """None where no issuer is named. Raises `InvalidInput` for settings that are incomplete."""
    if not rules.issuer:
        if keys:
            raise InvalidInput(
                "PROVGRAPH_JWT_KEYS is set, and PROVGRAPH_JWT_ISSUER is not. Name who signs the tokens."
            )
        return None
    if not rules.audience or not rules.roles:
        raise InvalidInput(
            "PROVGRAPH_JWT_ISSUER is set. Set PROVGRAPH_JWT_AUDIENCE to the name of this service at the provider, and "
            "PROVGRAPH_JWT_ROLES to the roles of its groups, such as: staff=reader, curators=writer."
        )
    if not keys and not rules.issuer.startswith(("https://", "http://127.0.0.1", "http://localhost")):
        raise InvalidInput(
            "PROVGRAPH_JWT_ISSUER has to begin with https://, or give the keys with PROVGRAPH_JWT_KEYS."
        )
    try:
        import jwt  # noqa: F401
    except ModuleNotFoundError as error:
        raise InvalidInput(
            "Tokens of an identity provider need another package: pip install 'provgraph[oidc]'."
        ) from error
    return IdentityProvider(rules, keys)
