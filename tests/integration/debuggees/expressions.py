"""A stop in a method, with expressions to evaluate there and in its caller."""

import torch

model = torch.nn.Linear(9, 9)
evaluations: list[str] = []


def recorded(name: str) -> torch.nn.Module:
    evaluations.append(name)
    return torch.nn.Linear(7, 7)


class HostileError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no text")


def fail() -> None:
    raise HostileError


class _Parts:
    def __init__(self) -> None:
        self.encoder = torch.nn.Linear(5, 5)


class _Trainer:
    __shared = torch.nn.Linear(6, 6)

    def __init__(self) -> None:
        self.__secret = torch.nn.Linear(4, 4)
        self.parts = _Parts()

    def fit(self) -> None:
        model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU(), torch.nn.Linear(2, 3))
        first = model[0]
        model(torch.ones(2)).sum().backward()
        print(sorted(locals()), self.__secret is not self.__shared)  # @bp fit


def caller() -> None:
    mine = torch.nn.Linear(8, 8)
    trainer = _Trainer()
    trainer.fit()
    print(sorted(locals()), mine.in_features)


caller()
print("evaluations", evaluations, sorted(name for name in globals() if name[:2] != "__"))
