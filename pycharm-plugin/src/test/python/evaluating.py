"""A debuggee without a debugger: a line {"expression": …} is answered by a line {"text": …}."""

import json
import sys

import torch

answers, sys.stdout = sys.stdout, sys.stderr


def stop() -> None:
    """Be the frame that is evaluated in."""
    model = torch.nn.Linear(3, 2)
    model(torch.ones(3)).sum().backward()
    for line in sys.stdin:
        try:
            answer = {"text": str(eval(json.loads(line)["expression"], globals(), locals()))}  # noqa: S307
        except Exception as error:  # noqa: BLE001 - as a debugger: whatever it is
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)


stop()
