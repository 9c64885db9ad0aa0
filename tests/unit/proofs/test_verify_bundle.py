"""A bundle is true only as it was signed: any byte of it counts; the verifier needs Python alone."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import random
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

from provgraph.proofs import verify_bundle
from provgraph.proofs.verify_bundle import Refused, is_signed, opened, sealed, verified

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
TEXT = "Marie Curie discovered polonium in 1898. She was born in Warsaw — 1867.\n"
ANSWER = "Marie Curie discovered polonium in 1898."


def selected(source: str, text: str, words: str) -> dict[str, object]:
    start = text.index(words)
    return {
        "source": source,
        "selector": [{"start": start, "end": start + len(words)}, {"exact": words}],
    }


def bundle(key: Ed25519PrivateKey = KEY, page: str = TEXT, **more: bytes) -> bytes:
    annotation = {
        "id": "urn:a",
        "body": selected("answer.txt", ANSWER, ANSWER),
        "target": selected("pages/1.txt", TEXT, ANSWER),
    }
    parts = {
        "answer.txt": ANSWER.encode(),
        "annotations.jsonld": json.dumps({"@graph": [annotation]}).encode(),
        "pages/1.txt": page.encode(),
        **more,
    }
    listed = {
        name: {"size": len(part), "sha256": hashlib.sha256(part).hexdigest()} for name, part in parts.items()
    }
    public = base64.b64encode(key.public_key().public_bytes_raw()).decode()
    manifest = json.dumps({"question": "Who?", "public_key": public, "parts": listed}).encode()
    return sealed({**parts, "manifest.json": manifest, "manifest.sig": base64.b64encode(key.sign(manifest))})


BUNDLE = bundle()
FINGERPRINT = hashlib.sha256(KEY.public_key().public_bytes_raw()).hexdigest()[:32]


def changes_found(seed: int, count: int) -> None:
    chosen = random.Random(seed)
    for _ in range(count):
        place, value = chosen.randrange(len(BUNDLE)), chosen.randrange(1, 256)
        changed = BUNDLE[:place] + bytes([BUNDLE[place] ^ value]) + BUNDLE[place + 1 :]
        with pytest.raises(Refused):
            verified(changed)


def test_what_was_signed_is_true() -> None:
    told = verified(BUNDLE, frozenset({FINGERPRINT}))
    assert (told["key"], told["quotations"], told["question"]) == (FINGERPRINT, 1, "Who?")


def test_any_other_program_can_open_it() -> None:
    with zipfile.ZipFile(io.BytesIO(BUNDLE)) as archive:
        assert archive.testzip() is None
        assert archive.read("answer.txt").decode() == ANSWER


def test_any_one_byte_counts() -> None:
    changes_found(1, 60)


@pytest.mark.slow
def test_a_thousand_changes_of_one_byte_are_found() -> None:
    changes_found(2, 1000)


@pytest.mark.parametrize("cut", [0, 3, 29, 100, len(BUNDLE) // 2, len(BUNDLE) - 1])
def test_a_bundle_that_was_cut_off_is_refused(cut: int) -> None:
    with pytest.raises(Refused):
        verified(BUNDLE[:cut])


def test_what_was_changed_is_named() -> None:
    parts = opened(BUNDLE)
    for name, change, said in (
        ("answer.txt", b"Paul Villard did.", "answer.txt was altered"),
        ("pages/2.txt", b"more", "pages/2.txt was put into it"),
        ("manifest.sig", b"no signature", "not in Base64"),
        ("manifest.json", b"{}", "was altered"),
    ):
        with pytest.raises(Refused, match=said):
            verified(sealed({**parts, name: change}))
    del parts["pages/1.txt"]
    with pytest.raises(Refused, match=r"pages/1\.txt is missing"):
        verified(sealed(parts))


def test_words_that_do_not_stand_where_a_bundle_says_are_named() -> None:
    with pytest.raises(Refused, match="do not stand where"):
        verified(bundle(page=TEXT.replace("1898", "1902")))


def test_a_bundle_made_anew_has_another_key() -> None:
    forged = bundle(Ed25519PrivateKey.generate())
    assert verified(forged)["key"] != FINGERPRINT
    with pytest.raises(Refused, match="another key"):
        verified(forged, frozenset({FINGERPRINT}))


def zipped(content: bytes, compression: int) -> bytes:
    into = io.BytesIO()
    with zipfile.ZipFile(into, "w", compression) as archive:
        archive.writestr("answer.txt", content)
    return into.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"not a zip",
        b"PK\3\4",
        zipped(bytes(50_000_000), zipfile.ZIP_DEFLATED),
        zipped(b"a", zipfile.ZIP_STORED),
        sealed({}),
        sealed({"answer.txt": b""}),
    ],
)
def test_what_is_no_bundle_is_refused(content: bytes) -> None:
    with pytest.raises(Refused):
        verified(content)


@settings(max_examples=200)
@given(st.binary(max_size=400))
def test_no_bytes_make_it_fail(content: bytes) -> None:
    with pytest.raises(Refused):
        verified(b"PK\3\4" + content)


@settings(max_examples=15, deadline=None)
@given(message=st.binary(max_size=200), seed=st.binary(min_size=32, max_size=32), bit=st.integers(0, 511))
def test_signatures_are_those_of_another_implementation(message: bytes, seed: bytes, bit: int) -> None:
    key = Ed25519PrivateKey.from_private_bytes(seed)
    public, signature = key.public_key().public_bytes_raw(), key.sign(message)
    assert is_signed(message, signature, public)
    altered = bytearray(signature)
    altered[bit // 8] ^= 1 << bit % 8
    assert not is_signed(message, bytes(altered), public)
    assert not is_signed(message + b"!", signature, public)


def test_a_signature_with_its_scalar_beyond_the_order_is_none() -> None:
    """The same point, written otherwise (RFC 8032, section 8.4)."""
    signature = KEY.sign(b"a")
    scalar = int.from_bytes(signature[32:], "little") + verify_bundle._ORDER
    other = signature[:32] + scalar.to_bytes(32, "little")
    assert not is_signed(b"a", other, KEY.public_key().public_bytes_raw())


def test_the_verifier_works_without_the_package(tmp_path: Path) -> None:
    source = Path(verify_bundle.__file__)
    assert len(source.read_text().splitlines()) < 300
    (tmp_path / "verify_bundle.py").write_bytes(source.read_bytes())
    (tmp_path / "answer.zip").write_bytes(BUNDLE)
    (tmp_path / "forged.zip").write_bytes(BUNDLE.replace(b"1898", b"1899", 1))

    def run(*arguments: str) -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "verify_bundle.py", *arguments],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr

    status, said = run("answer.zip", "--key", FINGERPRINT)
    assert (status, said.splitlines()[0][:5]) == (0, "True:")
    assert run("forged.zip")[0] == 1
    assert run("no-such.zip")[0] == 2
    assert run()[0] == 2
