"""Why is `cx.grad` None? The name now means another tensor than the one that requires grad.

Look at: after `backward()` the leaves `ox`, `cy1` and `cd` have gradients. `cx` has none: since
`cx = cx * 6000` it is a non-leaf, and its gradient went on to the tensor that `ox` still names.
"""

from __future__ import annotations

import torch


def main() -> None:
    """Compute one loss, and print where its gradients are."""
    torch.manual_seed(0)
    cx, cy1 = torch.rand(1, requires_grad=True), torch.rand(1, requires_grad=True)
    cd = torch.rand(1, requires_grad=True)
    ox = cx
    cx, cy = cx * 6000, cy1 * 4000
    loss = ((cx - cy) * cd).sum()
    loss.backward()
    print("ox.grad", ox.grad, "cy1.grad", cy1.grad, "cd.grad", cd.grad)  # @bp after backward


if __name__ == "__main__":
    main()
