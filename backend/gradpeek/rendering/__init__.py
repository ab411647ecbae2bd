"""Turns what the inspector found into text, HTML and JSON; pure."""
