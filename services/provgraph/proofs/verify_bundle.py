"""Verifies a proof bundle of ProvGraph: nothing in it was changed, who signed it, and quoted words stand where it says.

    python verify_bundle.py answer.zip [--key FINGERPRINT]

This file works by itself, with Python alone: it imports nothing of ProvGraph and no other package. A bundle is a ZIP
file without compression, of one form only, so that every byte of it counts. `manifest.json` lists each part with its
length and SHA-256, and names the public key; `manifest.sig` is the Ed25519 signature of `manifest.json`. Whoever makes
a bundle anew can sign it with another key: compare the fingerprint with one that you know, or give that with --key.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import struct
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

MANIFEST = "manifest.json"
SIGNATURE = "manifest.sig"
ANSWER = "answer.txt"
ANNOTATIONS = "annotations.jsonld"
MOST_BYTES = 1_000_000_000

_LOCAL = struct.Struct("<4s5H3L2H")
_CENTRAL = struct.Struct("<4s6H3L5H2L")
_END = struct.Struct("<4s4H2LH")
_DATE = 0x0021  # 1 January 1980: the same bundle is the same file whenever it is made
_UTF_8 = 0x0800


class Refused(Exception):
    """What is wrong with the bundle, as a sentence."""


def sealed(parts: Mapping[str, bytes]) -> bytes:
    """The one ZIP file of these parts, in their order (APPNOTE.TXT 6.3: stored, no extra fields, no comments)."""
    body, directory = bytearray(), bytearray()
    for name, content in parts.items():
        encoded, checksum, size = name.encode(), binascii.crc32(content), len(content)
        shared = (_UTF_8, 0, 0, _DATE, checksum, size, size, len(encoded), 0)
        directory += _CENTRAL.pack(b"PK\1\2", 20, 20, *shared, 0, 0, 0, 0, len(body)) + encoded
        body += _LOCAL.pack(b"PK\3\4", 20, *shared) + encoded + content
    count = len(parts)
    end = _END.pack(b"PK\5\6", 0, 0, count, count, len(directory), len(body), 0)
    return bytes(body + directory + end)


def opened(bundle: bytes) -> dict[str, bytes]:
    """The parts of a bundle. Raises `Refused` where a byte of the file is not as `sealed` writes it."""
    parts: dict[str, bytes] = {}
    at = 0
    while bundle[at : at + 4] == b"PK\3\4":
        if len(bundle) < at + _LOCAL.size:
            raise Refused("The file ends in the middle of a part: it was cut off.")
        fields = _LOCAL.unpack_from(bundle, at)
        size, name_size = fields[8], fields[9]
        name_at = at + _LOCAL.size
        content_at = name_at + name_size
        at = content_at + size
        if at > len(bundle):
            raise Refused("The file ends in the middle of a part: it was cut off or altered.")
        name = bundle[name_at:content_at].decode("utf-8", "replace")
        if name in parts:
            raise Refused(f"{name} is in it twice.")
        parts[name] = bundle[content_at:at]
    if not parts:
        raise Refused("It is not a proof bundle of ProvGraph, or its beginning was altered.")
    again = sealed(parts)
    if again != bundle:
        both = enumerate(zip(again, bundle, strict=False))
        place = next((at for at, (one, other) in both if one != other), min(len(again), len(bundle)))
        raise Refused(f"The form of the ZIP file is altered, at byte {place:,}, {_part_at(parts, place)}.")
    return parts


def _part_at(parts: Mapping[str, bytes], place: int) -> str:
    at = 0
    for name, content in parts.items():
        at += _LOCAL.size + len(name.encode()) + len(content)
        if place < at:
            return f"in {name}"
    return "in its directory"


def verified(bundle: bytes, keys: frozenset[str] = frozenset()) -> dict[str, object]:
    """What the bundle says of itself, when all of it holds. Raises `Refused` with the first thing that does not."""
    parts = opened(bundle)
    for name in (MANIFEST, SIGNATURE):
        if name not in parts:
            raise Refused(f"{name} is missing in it: it was taken out, or the file is no proof bundle.")
    manifest = _json(parts, MANIFEST)
    public_key = _base64(str(manifest.get("public_key")), f"The public key in {MANIFEST}")
    signature = _base64(parts[SIGNATURE].decode("ascii", "replace"), SIGNATURE)
    if not is_signed(parts[MANIFEST], signature, public_key):
        raise Refused(
            f"{MANIFEST} or {SIGNATURE} was altered: the signature is not that of the key it names."
        )
    fingerprint = hashlib.sha256(public_key).hexdigest()[:32]
    if keys and fingerprint not in keys:
        raise Refused(f"It is signed by another key, {fingerprint}: somebody else made it, or made it again.")
    _check_parts(parts, manifest)
    try:
        quotations = sum(1 for _ in _checked_quotations(parts)) if ANNOTATIONS in parts else 0
    except (LookupError, TypeError, ValueError) as error:
        raise Refused(f"{ANNOTATIONS} is not in the form of a proof bundle.") from error
    return {"key": fingerprint, "parts": len(parts), "quotations": quotations, **_summary_fields(manifest)}


def _summary_fields(manifest: Mapping[str, object]) -> dict[str, object]:
    return {
        name: manifest[name]
        for name in ("question", "session", "document", "deletion", "made", "software", "head")
        if name in manifest
    }


def _check_parts(parts: Mapping[str, bytes], manifest: Mapping[str, object]) -> None:
    listed = manifest.get("parts")
    if not isinstance(listed, dict):
        raise Refused(f"{MANIFEST} lists no parts.")
    for name in listed:
        if name not in parts:
            raise Refused(f"{name} is missing in it: it was taken out.")
    for name, content in parts.items():
        if name in (MANIFEST, SIGNATURE):
            continue
        entry = listed.get(name)
        if not isinstance(entry, dict):
            raise Refused(f"{name} was put into it: {MANIFEST} does not list it.")
        if (len(content), hashlib.sha256(content).hexdigest()) != (entry.get("size"), entry.get("sha256")):
            raise Refused(f"{name} was altered: its hash is not the one that was signed.")


def _checked_quotations(parts: Mapping[str, bytes]) -> Iterator[str]:
    """Each quotation stands, word for word, where its selectors say, and so does the sentence that it supports."""
    answer = parts[ANSWER].decode()
    for annotation in _json(parts, ANNOTATIONS)["@graph"]:
        target = annotation["target"]
        texts = {ANSWER: answer, target["source"]: parts.get(target["source"], b"").decode()}
        for place in (annotation["body"], target):
            position, quote = place["selector"]
            words = texts.get(place["source"], "")[position["start"] : position["end"]]
            if not words or words != quote["exact"]:
                raise Refused(
                    f"The words “{quote['exact'][:80]}” do not stand where {annotation['id']} says."
                )
        yield annotation["id"]


def _json(parts: Mapping[str, bytes], name: str) -> dict[str, Any]:
    try:
        content = json.loads(parts[name])
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise Refused(f"{name} was altered: it is no JSON object.")
    return content


def _base64(text: str, what: str) -> bytes:
    try:
        content = base64.b64decode(text, validate=True)
    except ValueError:
        content = b""
    if not content or base64.b64encode(content).decode() != text:
        raise Refused(f"{what} was altered: it is not in Base64.")
    return content


# Ed25519, RFC 8032, section 5.1.7; points of the curve -x² + y² = 1 + d·x²·y² by their two coordinates.

_P = 2**255 - 19
_ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, -1, _P) % _P
_ROOT_OF_MINUS_1 = pow(2, (_P - 1) // 4, _P)

_Point = tuple[int, int]


def is_signed(message: bytes, signature: bytes, public_key: bytes) -> bool:
    """Whether this is the signature of the message by the key; false for what is no signature or no key."""
    if len(signature) != 64 or len(public_key) != 32:
        return False
    key, commitment = _point(public_key), _point(signature[:32])
    scalar = int.from_bytes(signature[32:], "little")
    if key is None or commitment is None or scalar >= _ORDER:
        return False
    hashed = hashlib.sha512(signature[:32] + public_key + message).digest()
    challenge = int.from_bytes(hashed, "little") % _ORDER
    return _times(_base_point(), scalar) == _sum(commitment, _times(key, challenge))


def _base_point() -> _Point:
    point = _point((4 * pow(5, -1, _P) % _P).to_bytes(32, "little"))
    assert point is not None
    return point


def _point(encoded: bytes) -> _Point | None:
    """Section 5.1.3; None for what encodes no point."""
    number = int.from_bytes(encoded, "little")
    y, sign = number & ((1 << 255) - 1), number >> 255
    if y >= _P:
        return None
    square = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P:
        x = x * _ROOT_OF_MINUS_1 % _P
    if (x * x - square) % _P or (x == 0 and sign):
        return None
    return (x if x % 2 == sign else _P - x, y)


def _sum(one: _Point, other: _Point) -> _Point:
    (x1, y1), (x2, y2) = one, other
    twist = _D * x1 * x2 * y1 * y2
    x = (x1 * y2 + x2 * y1) * pow(1 + twist, -1, _P)
    y = (y1 * y2 + x1 * x2) * pow(1 - twist, -1, _P)
    return x % _P, y % _P


def _times(point: _Point, scalar: int) -> _Point:
    result = (0, 1)
    while scalar:
        if scalar & 1:
            result = _sum(result, point)
        point = _sum(point, point)
        scalar >>= 1
    return result


def main(arguments: list[str]) -> int:
    """Prints one line, or what the bundle says; 0 only where all of it holds."""
    keys = {arguments[n + 1] for n, word in enumerate(arguments[:-1]) if word == "--key"}
    files = [
        word for n, word in enumerate(arguments) if word != "--key" and arguments[n - 1 : n] != ["--key"]
    ]
    if len(files) != 1:
        print("Usage: python verify_bundle.py answer.zip [--key FINGERPRINT]", file=sys.stderr)
        return 2
    try:
        with Path(files[0]).open("rb") as file:
            bundle = file.read(MOST_BYTES + 1)
        if len(bundle) > MOST_BYTES:
            raise Refused(f"It has more than {MOST_BYTES:,} bytes.")
        told = verified(bundle, frozenset(keys))
    except OSError as error:
        print(f"{files[0]} cannot be read ({error.strerror}).", file=sys.stderr)
        return 2
    except Refused as error:
        print(f"False: {error}", file=sys.stderr)
        return 1
    print("True: nothing in the bundle was changed since it was signed.")
    for name, value in told.items():
        print(f"  {name}: {value}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
