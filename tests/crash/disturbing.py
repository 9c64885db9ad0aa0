"""Kills and cuts at random moments, the same for one seed, while something else goes on."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from crash.deployment import Deployment
from servers.provgraph_server import ProvGraphServer

Say = Callable[[str], None]


@dataclass(frozen=True)
class Pace:
    """Seconds from one disturbance to the next, and how long what was killed stays dead; each at most."""

    between_s: float
    dead_s: float


@dataclass
class Disturber:
    """`kills` disturbances, each part and each network in turn in a random order; then none."""

    deployment: Deployment
    kills: int
    pace: Pace
    seed: int
    say: Say = lambda _: None
    done: Counter[str] = field(default_factory=Counter)

    def run(self, stop: threading.Event) -> None:
        chance = random.Random(self.seed)
        victims = self._victims(chance)
        for _ in range(self.kills):
            if stop.wait(chance.uniform(0.1, self.pace.between_s)):
                return
            victim = next(victims)
            self.say(f"{victim}: gone")
            self.done[victim] += 1
            self._disturb(victim, chance.uniform(0, self.pace.dead_s))

    def _victims(self, chance: random.Random) -> Iterator[str]:
        names = [*self.deployment.parts, *self.deployment.networks, "slow store"]
        while True:
            chance.shuffle(names)
            yield from names

    def _disturb(self, victim: str, seconds: float) -> None:
        if part := self.deployment.parts.get(victim):
            part.kill()
            time.sleep(seconds)
            part.start(wait=not isinstance(part, ProvGraphServer))
            return
        network = self.deployment.networks.get(victim, self.deployment.networks["network-to-store"])
        if victim == "slow store":
            network.delay_s = 0.2
        else:
            network.refuses = True
            network.cut()
        time.sleep(seconds)
        network.refuses, network.delay_s = False, 0.0


@contextmanager
def disturbed(disturber: Disturber) -> Iterator[threading.Thread]:
    """Disturbances go on beside what is done within; all of them have come to their end when it is left."""
    stop = threading.Event()
    thread = threading.Thread(target=disturber.run, args=(stop,), name="disturber")
    thread.start()
    try:
        yield thread
    except BaseException:
        stop.set()
        raise
    finally:
        thread.join()
