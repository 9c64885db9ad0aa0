"""Certificates for tests: signed by their own key, for 127.0.0.1."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

PASSWORD: Final = b"secret"


@dataclass(frozen=True)
class Certificate:
    """Two PEM files."""

    certificate: Path
    key: Path


def certificate(
    folder: Path,
    name: str = "service",
    expires_in: timedelta = timedelta(days=1),
    usage: x509.ObjectIdentifier = ExtendedKeyUsageOID.SERVER_AUTH,
    *,
    encrypted: bool = False,
) -> Certificate:
    """One that is valid since two days ago, written into the folder."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=2))
        .not_valid_after(now + expires_in)
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(IPv4Address("127.0.0.1"))]), critical=False
        )
        .add_extension(x509.ExtendedKeyUsage([usage]), critical=False)
        .sign(key, hashes.SHA256())
    )
    files = Certificate(folder / f"{name}.pem", folder / f"{name}.key")
    files.certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    protection = (
        serialization.BestAvailableEncryption(PASSWORD) if encrypted else serialization.NoEncryption()
    )
    files.key.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, protection)
    )
    return files
