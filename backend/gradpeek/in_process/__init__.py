"""The probe asked in its own process, for plain code, pdb, notebooks and debug consoles.

The one deliberate exception: nothing else on the host's side imports the probe.
"""
