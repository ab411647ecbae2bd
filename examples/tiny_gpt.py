"""A GPT-like transformer that learns to write this docstring, character by character.

Look at: `wte.weight` and `lm_head.weight` are one tied tensor: one row with both names, counted
once. The positions `wpe` are sinusoids and frozen. Before the first `backward()` nothing has a
gradient; after it everything but `wpe` does.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

CONTEXT, WIDTH, HEADS, LAYERS = 32, 64, 4, 2


class SelfAttention(nn.Module):
    """Causal self-attention."""

    def __init__(self) -> None:
        super().__init__()
        self.c_attn = nn.Linear(WIDTH, 3 * WIDTH)
        self.c_proj = nn.Linear(WIDTH, WIDTH)

    def forward(self, x: Tensor) -> Tensor:
        """[batch, time, width], where a time sees itself and those before it."""
        batch, time, _ = x.shape
        parts = self.c_attn(x).view(batch, time, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        mixed = nn.functional.scaled_dot_product_attention(*parts, is_causal=True)
        found: Tensor = self.c_proj(mixed.transpose(1, 2).reshape(batch, time, WIDTH))
        return found


class Block(nn.Module):
    """Attention and a two-layer perceptron, each with its LayerNorm and a residual."""

    def __init__(self) -> None:
        super().__init__()
        self.ln_1 = nn.LayerNorm(WIDTH)
        self.attn = SelfAttention()
        self.ln_2 = nn.LayerNorm(WIDTH)
        self.mlp = nn.Sequential(
            nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH)
        )

    def forward(self, x: Tensor) -> Tensor:
        """[batch, time, width]."""
        x = x + self.attn(self.ln_1(x))
        found: Tensor = x + self.mlp(self.ln_2(x))
        return found


class GPT(nn.Module):
    """Predicts the next character."""

    def __init__(self, vocabulary: int) -> None:
        super().__init__()
        self.wte = nn.Embedding(vocabulary, WIDTH)
        self.wpe = nn.Embedding.from_pretrained(sinusoids(), freeze=True)
        self.h = nn.ModuleList(Block() for _ in range(LAYERS))
        self.ln_f = nn.LayerNorm(WIDTH)
        self.lm_head = nn.Linear(WIDTH, vocabulary, bias=False)
        nn.init.normal_(self.wte.weight, std=0.02)
        self.lm_head.weight = self.wte.weight

    def forward(self, idx: Tensor) -> Tensor:
        """Scores, [batch, time, vocabulary], of the character after each one of `idx`."""
        x = self.wte(idx) + self.wpe(torch.arange(idx.shape[1]))
        for block in self.h:
            x = block(x)
        found: Tensor = self.lm_head(self.ln_f(x))
        return found


def sinusoids() -> Tensor:
    """Positions as float32 [context, width]: sines and cosines (Vaswani et al., 2017)."""
    position = torch.arange(CONTEXT)[:, None]
    angle = position * torch.exp(torch.arange(0, WIDTH, 2) * (-math.log(10_000) / WIDTH))
    return torch.stack((angle.sin(), angle.cos()), dim=2).flatten(1)


def batch() -> tuple[Tensor, int]:
    """Windows of the docstring above, int64 [batch, context + 1], and its alphabet's size."""
    text = __doc__ or ""
    alphabet = sorted(set(text))
    codes = torch.tensor([alphabet.index(character) for character in text])
    return codes.unfold(0, CONTEXT + 1, CONTEXT // 2), len(alphabet)


def train(steps: int = 2) -> GPT:
    """A model after `steps` steps."""
    torch.manual_seed(0)
    windows, vocabulary = batch()
    model = GPT(vocabulary)
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=3e-3)
    for step in range(steps):
        logits = model(windows[:, :-1])
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), windows[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()  # @bp before backward
        optimizer.step()  # @bp after backward
        print(f"step {step}: loss {loss.item():.4f}")
    return model


if __name__ == "__main__":
    train()
