"""Programs of a few lines that several tests of the command line run."""

PLAIN = """\
import sys

x = 1
# a comment
print("end", len(sys.argv))  # @bp end
"""
TRAINING = """\
import os
import sys
import time

import torch

layer = torch.nn.Linear(3, 2)
layer(torch.ones(1, 3)).sum().backward()


def hostile():
    raise ValueError("two\\nlines \\x1b[31mred\\x1b[0m \\u202e")


print("end", flush=True)  # @bp here
"""
