"""Turns what the inspector found into text; pure."""
