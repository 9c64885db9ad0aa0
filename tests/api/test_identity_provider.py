"""People of an identity provider: their claims are their role and groups, and no other token is taken for theirs."""

from __future__ import annotations

import base64
import hmac
import json
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import pytest
import pytest_asyncio
from fastapi import FastAPI

from api.running import listening, running
from api.two_teams import ADMIN, BLUE, RED, SharedService, Team
from provgraph.adapters.identity_provider import read_roles
from provgraph.errors import InvalidInput

jwt = pytest.importorskip("jwt")
from cryptography.hazmat.primitives.asymmetric import rsa  # noqa: E402
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat  # noqa: E402
from jwt.algorithms import RSAAlgorithm  # noqa: E402

ISSUER: Final = "https://login.example.org"
KEY: Final = rsa.generate_private_key(65537, 2048)
OTHER_KEY: Final = rsa.generate_private_key(65537, 2048)


def published(key: rsa.RSAPrivateKey = KEY) -> dict[str, Any]:
    own = json.loads(RSAAlgorithm.to_jwk(key.public_key()))
    return {"keys": [{**own, "kid": "1", "use": "sig", "alg": "RS256"}]}


def token(key: Any = KEY, algorithm: str = "RS256", issuer: str = ISSUER, **claims: Any) -> str:
    given = {
        "iss": issuer,
        "aud": "provgraph",
        "sub": "ada",
        "exp": int(time.time()) + 600,
        "groups": ["red"],
    }
    kept = {name: value for name, value in {**given, **claims}.items() if value is not None}
    return str(jwt.encode(kept, key, algorithm=algorithm, headers={"kid": "1"}))


def signed_with_the_public_key() -> str:
    """As if what everybody knows were a secret of the two: no library makes such a token."""
    header, claims, _ = token().split(".")
    header = _encoded(json.dumps({"alg": "HS256", "typ": "JWT", "kid": "1"}).encode())
    public = KEY.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    return f"{header}.{claims}.{_encoded(hmac.digest(public, f'{header}.{claims}'.encode(), 'sha256'))}"


def _encoded(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def chosen(issuer: str = ISSUER) -> dict[str, Any]:
    roles = "curators=writer, staff=reader, red=reader"
    return {"token": ADMIN, "jwt_issuer": issuer, "jwt_audience": "provgraph", "jwt_roles": roles}


@pytest_asyncio.fixture
async def shared(tmp_path: Path) -> AsyncIterator[SharedService]:
    keys = tmp_path / "keys.json"
    keys.write_text(json.dumps(published()))
    headers = {"Authorization": f"Bearer {ADMIN}"}
    async with running(tmp_path / "data", headers=headers, jwt_keys=keys, **chosen()) as service:
        made = SharedService(service, Team(service.client, ADMIN))
        await made.ingest(RED, "red.txt", "red")
        await made.ingest(BLUE, "blue.txt", "blue")
        yield made


@pytest.mark.asyncio
async def test_groups_of_a_token_are_readers_and_roles(shared: SharedService) -> None:
    ada = shared.with_token(token())
    assert "Heron" in (await ada.ask())["response"]
    me = await ada.get("/api/v1/whoami")
    assert (me["name"], me["role"], me["groups"]) == ("ada", "reader", ["red"])
    curator = shared.with_token(token(sub="kim", groups=["curators", "no name!"]))
    assert (await curator.get("/api/v1/whoami"))["role"] == "writer"
    assert len(await curator.get("/api/v1/documents")) == 2


@pytest.mark.asyncio
async def test_a_file_of_keys_that_is_gone_is_told_as_such(tmp_path: Path) -> None:
    async with running(tmp_path / "data", jwt_keys=tmp_path / "none.json", **chosen()) as service:
        headers = {"Authorization": f"Bearer {token()}"}
        answer = await service.client.get("/api/v1/whoami", headers=headers)
        assert answer.status_code == 503
        assert "PROVGRAPH_JWT_KEYS" in answer.json()["detail"]


@pytest.mark.asyncio
async def test_no_other_token_is_taken_for_one_of_the_provider(shared: SharedService) -> None:
    wrong = {
        "signed by another": token(OTHER_KEY),
        "signed by nobody": token(None, "none"),
        "signed with the public key": signed_with_the_public_key(),
        "over": token(exp=int(time.time()) - 60),
        "without an end": token(exp=None),
        "for another service": token(aud="mail"),
        "of another provider": token(issuer="https://evil.example.org"),
        "without a role": token(groups=["guests"]),
        "without a name": token(sub=None),
        "altered": token()[:-4] + "AAAA",
        "no token": "a.b.c",
    }
    for name, each in wrong.items():
        answer = await shared.with_token(each).client.get("/api/v1/documents")
        assert answer.status_code == 401, name


@pytest.mark.asyncio
async def test_nobody_comes_in_without_a_token(tmp_path: Path) -> None:
    keys = tmp_path / "keys.json"
    keys.write_text(json.dumps(published()))
    async with running(tmp_path / "data", jwt_keys=keys, **{**chosen(), "token": ""}) as service:
        assert (await service.client.get("/api/v1/documents")).status_code == 401


@pytest.mark.asyncio
async def test_keys_are_found_where_the_provider_says(tmp_path: Path) -> None:
    provider = FastAPI()
    places: dict[str, str] = {}

    @provider.get("/.well-known/openid-configuration")
    async def about() -> dict[str, str]:
        return {"issuer": places["issuer"], "jwks_uri": f"{places['issuer']}/keys"}

    @provider.get("/keys")
    async def keys() -> dict[str, Any]:
        return published()

    async with listening(provider) as issuer:
        places["issuer"] = issuer
        async with running(tmp_path / "data", **chosen(issuer)) as service:
            headers = {"Authorization": f"Bearer {token(issuer=issuer)}"}
            assert (await service.client.get("/api/v1/documents", headers=headers)).status_code == 200
            headers = {"Authorization": f"Bearer {token(OTHER_KEY, issuer=issuer)}"}
            assert (await service.client.get("/api/v1/documents", headers=headers)).status_code == 401


@pytest.mark.parametrize(
    "missing", [{"jwt_audience": ""}, {"jwt_roles": ""}, {"jwt_issuer": "http://login.example.org"}]
)
@pytest.mark.asyncio
async def test_settings_that_are_not_enough_are_told_at_the_start(
    missing: dict[str, Any], tmp_path: Path
) -> None:
    with pytest.raises(InvalidInput, match="PROVGRAPH_JWT"):
        async with running(tmp_path / "data", **{**chosen(), **missing}):
            pass


def test_a_role_that_is_none_is_told() -> None:
    with pytest.raises(InvalidInput, match="staff=king"):
        read_roles("staff=king")
