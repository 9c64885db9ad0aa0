"""A TCP proxy before a real server: a network that drops, refuses and slows down on demand."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

_PIECE: Final = 65_536


class CuttingProxy:
    """Connections pass through to `target`, a port of this machine, as long as nothing is done to them."""

    def __init__(self, target: int) -> None:
        self._target = target
        self.port = 0
        self.delay_s = 0.0
        """What each piece waits for on its way."""
        self.refuses = False
        """New connections are closed at once."""
        self._open: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()

    def cut(self) -> None:
        """Break all connections in the middle of whatever goes through them."""
        self._loop.call_soon_threadsafe(self._cut)

    def _cut(self) -> None:
        for writer in self._open:
            writer.transport.abort()

    def serve(self, started: threading.Event) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._connected, "127.0.0.1", 0))
        self.port = server.sockets[0].getsockname()[1]
        started.set()
        self._loop.run_forever()
        self._cut()
        server.close()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
            with suppress(asyncio.CancelledError):
                self._loop.run_until_complete(task)
        self._loop.close()

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            if self.refuses:
                return
            there, back = await asyncio.open_connection("127.0.0.1", self._target)
            self._open |= {writer, back}
            try:
                await asyncio.gather(self._passed(reader, back), self._passed(there, writer))
            finally:
                self._open -= {writer, back}
                back.transport.abort()
        except (OSError, asyncio.CancelledError):
            return
        finally:
            writer.transport.abort()

    async def _passed(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while piece := await reader.read(_PIECE):
            if self.delay_s:
                await asyncio.sleep(self.delay_s)
            writer.write(piece)
            await writer.drain()
        if writer.can_write_eof():
            writer.write_eof()


@contextmanager
def cutting_proxy(target: int) -> Iterator[CuttingProxy]:
    """A proxy that has started; its `port` is where it listens."""
    proxy = CuttingProxy(target)
    started = threading.Event()
    thread = threading.Thread(target=proxy.serve, args=(started,), name="cutting-proxy", daemon=True)
    thread.start()
    started.wait()
    try:
        yield proxy
    finally:
        proxy.stop()
        thread.join()
