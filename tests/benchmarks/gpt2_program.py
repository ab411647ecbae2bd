"""The program of the benchmark of a stop: GPT-2 after a backward, or a small model for a trial."""

from __future__ import annotations

import sys
from typing import Any

import torch
from torch import nn


def gpt2() -> tuple[Any, Any]:
    """GPT-2 (124 M), randomly initialized, and its loss on 16 tokens."""
    from transformers import GPT2Config, GPT2LMHeadModel

    model = GPT2LMHeadModel(GPT2Config())
    tokens = torch.randint(model.config.vocab_size, (1, 16))
    return model, model(tokens, labels=tokens).loss


def small() -> tuple[Any, Any]:
    """Four layers and their loss."""
    model = nn.Sequential(*(nn.Linear(16, 16) for _ in range(4)))
    return model, model(torch.randn(2, 16)).square().mean()


def train(name: str) -> float:
    """Run one backward and stop."""
    model, loss = small() if name == "small" else gpt2()  # noqa: RUF059 - shown at the stop
    loss.backward()
    return float(loss)  # @stop


train(sys.argv[1])
