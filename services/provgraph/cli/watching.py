"""`provgraph watch`: what happens to the evidence under an answer, or to the rows of a saved query, as it happens."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

import click
import httpx2

from provgraph.cli.connection import Service, Target, connect
from provgraph.cli.options import (
    collection_option,
    counted,
    format_option,
    private_option,
    show,
    target_options,
)
from provgraph.cli.terminal import complain, json_line, say, shortened
from provgraph.errors import InvalidInput, Unavailable
from provgraph.traces.fallen import fallen

if TYPE_CHECKING:
    from provgraph.adapters.webhooks import Webhook

Json = dict[str, Any]
SUBSCRIPTIONS: Final = "/api/v1/subscriptions"
State = Mapping[str, Json]
"""What is the case now, each with a key by which it is known again."""


@click.command()
@click.argument("session", default="")
@click.option(
    "--saved", default="", metavar="NAME", help="Watch the rows of a saved query instead of an answer."
)
@click.option("--param", "parameters", multiple=True, metavar="NAME=VALUE", help="A parameter of the query.")
@click.option(
    "--every", default=10.0, show_default=True, type=click.FloatRange(0.1), help="Seconds between checks."
)
@click.option("--webhook", default="", metavar="URL", help="Send each event to this address too, signed.")
@private_option
@click.option(
    "--subscribe",
    is_flag=True,
    help="Have the service itself send events to --webhook, until --unsubscribe.",
)
@click.option(
    "--subscriptions",
    is_flag=True,
    help="List the subscriptions: what the service sends, and to which address.",
)
@click.option("--unsubscribe", default="", metavar="ID", help="End a subscription.")
@click.option(
    "--once",
    is_flag=True,
    help="Report the current state and exit, with status 1 if a sentence has lost its evidence.",
)
@collection_option
@format_option("text", "json")
@target_options()
def watch(target: Target, session: str, every: float, once: bool, style: str, **chosen: Any) -> None:
    """Report each sentence of SESSION that loses its evidence, and why: deleted, changed or contradicted.

    With --saved, report the rows of a saved query that appear or disappear. Runs until Ctrl-C.
    """
    if chosen["subscribe"] or chosen["subscriptions"] or chosen["unsubscribe"]:
        with connect(target) as service:
            show(
                _subscribed(service, session, chosen),
                style,
                _subscription_lines,
                "There are no subscriptions.",
            )
        return
    saved = chosen["saved"]
    if bool(session) == bool(saved):
        raise click.UsageError("Name one session, or a saved query with --saved.")
    hook = _webhook(target, chosen["webhook"], chosen["allow_private"])

    def look() -> State:
        """Connected for this look only: a folder is open to other commands between two."""
        with connect(target) as service:
            return _rows(service, chosen) if saved else fallen(_trace(service, session))

    before = look()
    if once or not saved:
        _tell("row" if saved else "fell", before.values(), style, hook)
    if once:
        if not before:
            say("There are no such rows." if saved else "Every sentence has its evidence.", err=True)
        raise SystemExit(bool(before) and not saved)
    say("Watching. Ctrl-C ends it.", err=True)
    for now in _looks(look, every):
        came = [now[key] for key in now if key not in before]
        went = [before[key] for key in before if key not in now]
        _tell("new" if saved else "fell", came, style, hook)
        _tell("gone" if saved else "stands again", went, style, hook)
        before = now


def _subscribed(service: Service, session: str, chosen: Json) -> list[Json]:
    """The subscriptions that there are, or the one that was made or ended."""
    if ended := chosen["unsubscribe"]:
        return [service.json("DELETE", f"{SUBSCRIPTIONS}/{quote(ended, safe='')}")]
    if chosen["subscriptions"]:
        known: list[Json] = service.get(SUBSCRIPTIONS).json()
        return known
    if not (session and chosen["webhook"]) or chosen["saved"]:
        raise click.UsageError("Name a session and an address: watch SESSION --webhook URL --subscribe.")
    return [service.json("POST", SUBSCRIPTIONS, {"session": session, "url": chosen["webhook"]})]


def _subscription_lines(known: list[Json]) -> Iterator[str]:
    for each in known:
        yield f"{each['id']}  {each['url']}"
        yield f"    {each['session']}: {counted(each['sent'], 'event')} sent"
        if each["problem"]:
            yield f"    last event: {each['problem']}"


def _looks(look: Callable[[], State], every: float) -> Iterator[State]:
    """One look after another; a service that is away is told of once, and looked for until it is there again."""
    is_away = False
    while True:
        time.sleep(every)
        try:
            yield look()
            is_away = False
        except (Unavailable, httpx2.TransportError) as error:
            if not is_away:
                complain(f"Error: {error}")
            is_away = True


def _trace(service: Service, session: str) -> Json:
    trace: Json = service.json("GET", f"/api/v1/traces/{quote(session, safe=':')}")
    return trace


def _rows(service: Service, chosen: Json) -> State:
    pairs = [text.partition("=") for text in chosen["parameters"]]
    if wrong := [name for name, equals, _ in pairs if not (name and equals)]:
        raise InvalidInput(f"{wrong[0]!r} is not a parameter. Write --param NAME=VALUE.")
    query = {name: value for name, _, value in pairs} | {"collection": chosen["collection"], "format": "json"}
    found = service.json("GET", f"/api/v1/queries/{quote(chosen['saved'], safe='')}", None, **query)
    plain = [{name: cell["value"] for name, cell in row.items()} for row in found["results"]["bindings"]]
    return {json_line(row): row for row in plain}


def _tell(event: str, found: Iterable[Json], style: str, hook: Webhook | None) -> None:
    at = datetime.now(UTC).isoformat(timespec="seconds")
    for each in found:
        told = {"at": at, "event": event, **each}
        if hook:
            _send(hook, told)
        if style == "json":
            click.echo(json_line(told))
        elif "sentence" in each:
            say(f"{at}  sentence {each['sentence']} {event}: {each['reason']}")
            say(f"    “{shortened(each['text'])}”")
        else:
            say(f"{at}  {event}: {', '.join(f'{name}={value}' for name, value in each.items())}")


def _webhook(target: Target, url: str, allow_private: bool) -> Webhook | None:
    if not url:
        return None
    from provgraph.adapters.webhooks import Webhook  # time that other commands can save

    return Webhook(url, target.settings.webhook_secret, allow_private)


def _send(hook: Webhook, event: Json) -> None:
    """Whoever does not take one event may take the next."""
    try:
        hook.send(event)
    except Unavailable as error:
        complain(f"Error: {error}")
