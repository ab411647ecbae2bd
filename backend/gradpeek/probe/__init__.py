"""The probe: runs inside the debuggee at a stop, reads gradients and changes nothing.

It uses the standard library and the torch that the program has loaded, is written in Python 3.8
syntax, and reaches the debuggee as text (see `gradpeek.injection`).
"""
