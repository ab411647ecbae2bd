"""What runs in the debuggee before the probe does: sent as text, never imported by the host.

Python 3.8 syntax and the standard library.
"""
