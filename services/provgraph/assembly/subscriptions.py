"""Subscriptions of one process: its traces, its file, and signed webhooks."""

from __future__ import annotations

from typing import Any, Final

from provgraph.adapters.web_addresses import WebAddress
from provgraph.adapters.webhooks import Webhook
from provgraph.assembly.process import Assembly, now
from provgraph.errors import Forbidden
from provgraph.traces.subscriptions import Subscriptions

_ALONE_S: Final = 600.0
_SHARED_S: Final = 60.0
"""Seconds between looks where others write to the store, whose changes nobody tells here."""


def subscriptions_of(assembly: Assembly) -> Subscriptions:
    settings = assembly.settings

    def sender(url: str) -> Webhook:
        """Raises `InvalidInput` without a secret, and what `WebAddress.checked` raises."""
        webhook = Webhook(url, settings.webhook_secret, settings.webhook_allow_private)
        try:
            WebAddress.checked(url, settings.webhook_allow_private)
        except Forbidden as error:
            raise Forbidden(
                f"{url} is of a private network, where nothing is sent unless PROVGRAPH_WEBHOOK_ALLOW_PRIVATE is true."
            ) from error
        return webhook

    async def trace(session: str) -> dict[str, Any]:
        from provgraph.traces.routes import trace_view  # slow to import

        return trace_view(await assembly.traces.open(session)).model_dump()

    poll_s = _SHARED_S if settings.store_url else _ALONE_S
    return Subscriptions(assembly.folder.subscriptions, trace, sender, now, poll_s)
