"""HTTP face of subscriptions: `/api/v1/subscriptions`."""

from __future__ import annotations

from fastapi import APIRouter

from provgraph.late_routes import LateRouter
from provgraph.traces.subscriptions import Subscription, Subscriptions
from provgraph.wire.service import SubscriptionRequest, SubscriptionView


def subscription_router(subscriptions: Subscriptions) -> APIRouter:
    router = LateRouter(prefix="/api/v1", tags=["traces"])

    @router.get("/subscriptions")
    async def listed() -> list[SubscriptionView]:
        """Who is told when an answer loses its evidence, the oldest first."""
        return [_view(subscription) for subscription in subscriptions.listed()]

    @router.post("/subscriptions", status_code=201)
    async def subscribe(body: SubscriptionRequest) -> SubscriptionView:
        """Have each sentence of an answer that loses its evidence, now or later, posted to an address, signed as
        Standard Webhooks has it."""
        return _view(await subscriptions.add(body.session, body.url))

    @router.delete("/subscriptions/{id}")
    async def unsubscribe(id: str) -> SubscriptionView:
        """Tell this address nothing more."""
        return _view(subscriptions.remove(id))

    return router


def _view(subscription: Subscription) -> SubscriptionView:
    fields = subscription.model_dump(exclude={"reported"})
    return SubscriptionView(**fields, fallen=sorted(set(subscription.reported.values())))
