"""Modules whose names try to be markup, icons, links, commands and more lines than one."""

import torch
from torch import nn

NAMES = [
    "<img src=x onerror=alert(1)>",
    "<script>alert(2)</script>",
    "$(zap) icon",
    "[click](command:workbench.action.quit)",
    "![x](https://example.invalid/x.png)",
    "two\nlines\r\ttabs",
    "rtl \u202egnp.exe",
    "`code` **bold** | cell | <b>b</b>",
    "&lt;b&gt; &amp; \\u003c",
    "x" * 10_000,
]


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        for name in NAMES:
            self._modules[name] = nn.Linear(1, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for module in self._modules.values():
            x = module(x)
        return x


Net.__name__ = Net.__qualname__ = "<i>Net</i> $(flame) [a](command:b)"


def main() -> None:
    torch.manual_seed(0)
    model = Net()
    model(torch.ones(1, 1)).sum().backward()
    print("done")  # @bp after backward
    print("end")


main()
