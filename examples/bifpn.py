"""A BiFPN node: two feature maps fused with weights that are learned.

Look at: `w1` and `w2` are parameters that the module made itself with `nn.Parameter`. They stand
beside the layers, each with its value and its gradient.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn


class BiFPN(nn.Module):
    """Fast normalized fusion of two feature maps, as EfficientDet (Tan et al., 2020) has it."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.w1 = nn.Parameter(torch.rand(1))
        self.w2 = nn.Parameter(torch.rand(1))
        self.upsample = nn.Upsample(scale_factor=2)
        self.conv = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(channels)

    def forward(self, fine: Tensor, coarse: Tensor) -> Tensor:
        """A map like `fine`, [batch, channels, h, w], from it and one of half its size."""
        w1, w2 = self.w1.relu(), self.w2.relu()
        fused = (w1 * fine + w2 * self.upsample(coarse)) / (w1 + w2 + 1e-4)
        found: Tensor = self.norm(self.conv(fused))
        return found


def main() -> None:
    """Make one step towards a random map."""
    torch.manual_seed(0)
    bifpn = BiFPN(channels=8)
    optimizer = torch.optim.Adam(bifpn.parameters(), lr=0.01)
    fine, coarse = torch.rand(2, 8, 16, 16), torch.rand(2, 8, 8, 8)
    wanted = torch.rand(2, 8, 16, 16)
    loss = nn.functional.mse_loss(bifpn(fine, coarse), wanted)
    loss.backward()
    optimizer.step()  # @bp after backward
    print(f"w1 {bifpn.w1.item():.4f}, w2 {bifpn.w2.item():.4f}")


if __name__ == "__main__":
    main()
