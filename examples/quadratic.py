"""f(x) = a·x² + b: the gradient that autograd finds against the derivative 2·a·x.

Look at: after `backward()` the gradient of `x` is 2·a·x = 12. `a` and `b` are constants: nobody
asked for their gradients. `y` is what `x` was made into, a non-leaf.
"""

from __future__ import annotations

import torch


def main() -> None:
    """Compare both."""
    a, b = torch.tensor(2.0), torch.tensor(1.0)
    x = torch.tensor(3.0, requires_grad=True)
    y = a * x**2 + b
    y.backward()
    derivative = 2 * a * x.detach()  # @bp after backward
    assert x.grad is not None
    print(f"autograd {x.grad.item()}, 2ax {derivative.item()}")
    assert torch.equal(x.grad, derivative)


if __name__ == "__main__":
    main()
