"""`python -m crash`, in the folder of the tests: the long form of the crash suite.

Prints what dies and when, and in the end whether anything was lost or doubled, as a line and as JSON.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path

from crash.corpus import townsfolk
from crash.disturbing import Pace
from crash.suite import Plan, crashed
from servers.openai_server import openai_server


def main() -> int:
    given = _arguments()
    pace = Pace(between_s=given.between, dead_s=given.dead)
    amounts = given.documents, given.sentences, given.workers, given.kills
    plan = Plan(*amounts, pace, given.seed, given.patience, given.clients)
    begun = time.monotonic()

    def say(words: str) -> None:
        print(f"{time.monotonic() - begun:7.1f} s  {words}", file=sys.stderr, flush=True)

    with tempfile.TemporaryDirectory(prefix="provgraph-crash-") as temporary, openai_server() as model:
        model.answer(townsfolk(given.model_delay))
        outcome = crashed(plan, given.folder or Path(temporary), model, say)
    states = [job["state"] for job in outcome.jobs]
    print(
        f"{sum(outcome.kills.values())} disturbances in {outcome.seconds:.0f} s, {len(states)} jobs, "
        f"{outcome.quads:,} quads, {len(outcome.lost)} lost, {len(outcome.extra)} too many, "
        f"{sum(outcome.asked.values())} questions {dict(outcome.asked)}, {len(outcome.faults)} faults"
    )
    for line in [*outcome.lost[:10], *outcome.extra[:10], *outcome.faults[:20]]:
        print(f"    {line}")
    told = {**vars(outcome), "jobs": states, "lost": len(outcome.lost), "extra": len(outcome.extra)}
    print(json.dumps({**told, "plan": asdict(plan), "sound": outcome.sound}))
    return 0 if outcome.sound else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m crash", description=__doc__)
    parser.add_argument("--documents", type=int, default=60)
    parser.add_argument("--sentences", type=int, default=40)
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--clients", type=int, default=4, help="how many ask meanwhile")
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--between", type=float, default=4.0, help="seconds between disturbances, at most")
    parser.add_argument(
        "--dead", type=float, default=2.0, help="seconds that what was killed stays dead, at most"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--model-delay", type=float, default=0.1, help="seconds that an answer takes")
    parser.add_argument(
        "--patience", type=float, default=1800.0, help="seconds after which a client gives up"
    )
    parser.add_argument("--folder", type=Path, help="keep logs and data there")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
