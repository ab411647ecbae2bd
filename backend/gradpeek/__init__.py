"""GradPeek: each layer's weight and gradient at a breakpoint, and why a gradient is missing."""

__version__ = "0.1.0"
