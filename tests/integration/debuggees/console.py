"""Stops before torch is loaded, in a method, in a comprehension, and in a forked process."""

import os
import sys

print("before")  # @bp before_torch

import torch  # noqa: E402


class Trainer:
    def __init__(self) -> None:
        self.model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Linear(4, 2))
        self.__hidden = torch.nn.Linear(2, 2)

    def fit(self) -> int:
        self.model[0](torch.ones(1, 3)).sum().backward()
        return int(self.__hidden.in_features)  # @bp method


def plain() -> str:
    word = "plain"
    return word  # noqa: RET504  # @bp without_tensors


torch.manual_seed(0)
trainer = Trainer()
print(trainer.fit(), plain())
found = [
    layer.in_features  # @bp comprehension
    for layer in (trainer.model[0],)
]
print(found, sorted(name for name in vars(sys.modules["builtins"]) if "grad" in name))
sys.stdout.flush()
child = os.fork()
if not child:
    os._exit(trainer.model[0].in_features)  # @bp child
print("child", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
