"""What is wrong with a certificate or its key is said when the service starts, and not to its clients."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from cryptography.x509.oid import ExtendedKeyUsageOID

from provgraph.errors import InvalidInput
from provgraph.gateway.connections.tls_connection import server_certificate
from servers.certificates import certificate


def test_certificate_and_key_are_used_as_they_stand(tmp_path: Path) -> None:
    files = certificate(tmp_path)
    made = server_certificate(files.certificate, files.key)
    assert made.certificate == files.certificate.read_text()


def test_the_key_may_be_in_the_file_of_the_certificate(tmp_path: Path) -> None:
    files = certificate(tmp_path)
    both = tmp_path / "both.pem"
    both.write_bytes(files.key.read_bytes() + files.certificate.read_bytes())
    assert server_certificate(both, None).certificate == files.certificate.read_text()


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    files = certificate(tmp_path)
    with pytest.raises(InvalidInput, match=r"no\.pem, given with --tls-cert, cannot be read \(No such file"):
        server_certificate(tmp_path / "no.pem", files.key)
    with pytest.raises(InvalidInput, match=r"no\.key, given with --tls-key, cannot be read \(No such file"):
        server_certificate(files.certificate, tmp_path / "no.key")


def test_a_key_of_another_certificate_is_refused(tmp_path: Path) -> None:
    files, other = certificate(tmp_path), certificate(tmp_path, "other")
    with pytest.raises(InvalidInput, match=r"other\.key is not the one of the certificate"):
        server_certificate(files.certificate, other.key)


def test_files_that_hold_something_else_are_refused(tmp_path: Path) -> None:
    files = certificate(tmp_path)
    with pytest.raises(InvalidInput, match="holds no certificate"):
        server_certificate(files.key, files.key)
    other = certificate(tmp_path, "other").certificate
    with pytest.raises(InvalidInput, match=r"other\.pem holds no key: a PEM file"):
        server_certificate(files.certificate, other)
    with pytest.raises(
        InvalidInput, match=r"service\.pem holds no key. Name the file that does with --tls-key"
    ):
        server_certificate(files.certificate, None)
    broken = tmp_path / "broken.pem"
    broken.write_text("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")
    with pytest.raises(InvalidInput, match="cannot be used"):
        server_certificate(broken, files.key)


def test_an_encrypted_key_is_refused_and_nobody_is_asked(tmp_path: Path) -> None:
    files = certificate(tmp_path, encrypted=True)
    with pytest.raises(InvalidInput, match="The key is encrypted"):
        server_certificate(files.certificate, files.key)


def test_a_certificate_that_clients_would_refuse_is_refused(tmp_path: Path) -> None:
    expired = certificate(tmp_path, expires_in=timedelta(days=-1))
    with pytest.raises(InvalidInput, match=r"service\.pem has expired"):
        server_certificate(expired.certificate, expired.key)
    of_client = certificate(tmp_path, usage=ExtendedKeyUsageOID.CLIENT_AUTH)
    with pytest.raises(InvalidInput, match="would be refused by clients: unsuit"):
        server_certificate(of_client.certificate, of_client.key)
