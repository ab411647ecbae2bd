"""The wire between host and probe: generated types and the codec."""
