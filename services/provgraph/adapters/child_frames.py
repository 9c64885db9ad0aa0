"""What passes between the service and a child of it: a JSON object and bytes, each with its length before it.

The child imports this module, and must start quickly: nothing of asyncio here.
"""

from __future__ import annotations

import json
import struct
from typing import Any, BinaryIO, Final

Header = dict[str, Any]

LENGTHS: Final = struct.Struct(">II")


def encoded(header: Header, body: bytes = b"") -> bytes:
    head = json.dumps(header).encode()
    return LENGTHS.pack(len(head), len(body)) + head + body


def read_frame(stream: BinaryIO) -> Header | None:
    """The header of the next frame, None at the end of the stream; blocks until then."""
    lengths = stream.read(LENGTHS.size)
    if len(lengths) < LENGTHS.size:
        return None
    head, body = LENGTHS.unpack(lengths)
    content = stream.read(head + body)
    return json.loads(content[:head]) if len(content) == head + body else None
