"""Webhooks to a real server on loopback: signed as Standard Webhooks has it, sent again, never to private networks."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest

from provgraph.adapters.webhooks import ATTEMPTS, Webhook, signature
from provgraph.errors import Forbidden, InvalidInput, Unavailable
from servers.webhook_receiver import Receiver, receiving


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as made:
        yield made


def hook(receiver: Receiver, *, allow_private: bool = True) -> Webhook:
    return Webhook(f"http://localhost:{receiver.server_port}/hook", "a-secret", allow_private, pause_s=0.01)


def test_an_event_is_signed_so_that_its_receiver_can_check_it(receiver: Receiver) -> None:
    hook(receiver).send({"event": "fell", "text": "Åse"})
    ((headers, body),) = receiver.came
    assert json.loads(body) == {"event": "fell", "text": "Åse"}
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = base64.b64encode(hmac.new(b"a-secret", signed, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{expected}"


def test_the_signature_is_that_of_the_specification() -> None:
    """The example of the reference implementations of Standard Webhooks."""
    headers = signature(
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        1614265330,
        b'{"test": 2432232314}',
    )
    assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_what_is_not_taken_is_sent_again_under_the_same_id(receiver: Receiver) -> None:
    receiver.statuses = [500, 429]
    hook(receiver).send({})
    assert len(receiver.came) == 3
    assert len({headers["webhook-id"] for headers, _ in receiver.came}) == 1


def test_a_refusal_for_good_and_a_long_silence_are_told(receiver: Receiver) -> None:
    receiver.statuses = [410]
    with pytest.raises(Unavailable, match="410"):
        hook(receiver).send({})
    assert len(receiver.came) == 1
    receiver.statuses = [302] * ATTEMPTS
    with pytest.raises(Unavailable, match="302"):
        hook(receiver).send({})
    assert len(receiver.came) == 1 + ATTEMPTS


def test_nothing_is_sent_to_a_private_network_or_without_a_secret(receiver: Receiver) -> None:
    with pytest.raises(Forbidden, match="--allow-private"):
        hook(receiver, allow_private=False).send({})
    assert receiver.came == []
    with pytest.raises(InvalidInput, match="PROVGRAPH_WEBHOOK_SECRET"):
        Webhook("https://example.org", "")
    with pytest.raises(InvalidInput, match="https://"):
        Webhook("ftp://example.org", "a-secret")


@pytest.mark.parametrize(
    "address", ["http://[", "http://a.example:99999999/", f"http://{'a' * 300}.example/"]
)
def test_an_address_that_no_host_can_have_is_refused(address: str) -> None:
    with pytest.raises(InvalidInput, match="https://"):
        Webhook(address, "a-secret")


def test_what_a_receiver_answers_without_end_is_not_read() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer() -> None:
            connection, _ = listening.accept()
            with connection, suppress(OSError):
                connection.recv(65_536)
                connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                while True:
                    connection.sendall(b"10000\r\n" + b"x" * 65_536 + b"\r\n")

        answering = threading.Thread(target=answer)
        answering.start()
        port = listening.getsockname()[1]
        assert (
            Webhook(f"http://127.0.0.1:{port}/", "a-secret", allow_private=True).attempt({}, "msg_1").is_taken
        )
        answering.join(20)
        assert not answering.is_alive()
