"""Parts → the signed file that `verify_bundle` verifies."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from typing import Any

from provgraph.ports.signer import Signer
from provgraph.proofs.verify_bundle import MANIFEST, SIGNATURE, sealed


def sealed_and_signed(parts: Mapping[str, bytes], about: Mapping[str, Any], signer: Signer) -> bytes:
    """The parts, with a manifest that lists them beside what `about` says, and its signature."""
    listed = {
        name: {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for name, content in parts.items()
    }
    key = base64.b64encode(signer.public_key).decode()
    manifest = json_bytes({**about, "public_key": key, "parts": listed})
    signature = base64.b64encode(signer.sign(manifest))
    return sealed({**parts, MANIFEST: manifest, SIGNATURE: signature})


def json_bytes(content: Any) -> bytes:
    return json.dumps(content, indent=1, ensure_ascii=False).encode() + b"\n"
