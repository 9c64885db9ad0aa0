"""A real NATS server with JetStream on a free port of this machine."""

from __future__ import annotations

import asyncio
from contextlib import AbstractContextManager
from pathlib import Path

import nats

from servers import programs
from servers.served_process import ServedProcess, free_port, started


class NatsServer(ServedProcess):
    """`nats-server -js` over a folder."""

    def __init__(self, folder: Path, port: int) -> None:
        self._folder = folder
        super().__init__(
            [programs.nats_server(), "-js", "-sd", folder, "-a", "127.0.0.1", "-p", str(port)], port
        )
        self.url = f"nats://127.0.0.1:{port}"

    def start_full(self) -> None:
        """Start over a disk that has no room left, as far as the server knows."""
        config = self._folder.with_suffix(".conf")
        config.write_text("jetstream { max_file_store: 1 }")
        usual, self.command = self.command, [*self.command, "-c", config]
        try:
            self.start()
        finally:
            self.command = usual

    def empty(self) -> None:
        """Forget every stream."""

        async def forget() -> None:
            client = await nats.connect(self.url)
            streams = client.jetstream()
            for stream in await streams.streams_info():
                await streams.delete_stream(stream.config.name or "")
            await client.close()

        asyncio.run(forget())


def nats_server(folder: Path) -> AbstractContextManager[NatsServer]:
    """A server that has started, and is killed in the end."""
    return started(NatsServer(folder, free_port()))
