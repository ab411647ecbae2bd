"""Explains gradients from facts that the probe read; pure, one rule a file."""
