"""Runs scripts one after another, each in a fork of this process, which has imported what they have in common.

`python forking.py MODULE…` reads a line of JSON for each script from its standard input, and answers with the status
that it ended with. Nothing but the standard library is needed: any program's own Python can run this file.
"""

from __future__ import annotations

import json
import os
import runpy
import sys
from importlib import import_module
from typing import Any


def become(asked: dict[str, Any]) -> None:
    """Go on as a process that was started with these arguments, files and environment."""
    os.environ.clear()
    os.environ.update(asked["environment"])
    for number, path in enumerate(asked["files"]):
        mode = os.O_RDONLY if number == 0 else os.O_WRONLY
        os.dup2(os.open(path, mode), number)
    sys.argv = [asked["script"], *asked["arguments"]]
    runpy.run_path(asked["script"], run_name="__main__")


def serve() -> None:
    """Until there is nothing more to read. What this process was told by, the scripts do not see."""
    asking, telling = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    for line in asking:
        child = os.fork()
        if child == 0:
            become(json.loads(line))
            return
        _, ended = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(ended), file=telling, flush=True)


if __name__ == "__main__":
    for module in sys.argv[1:]:
        import_module(module)
    serve()
