"""A client of the Debug Adapter Protocol; it knows debuggees and frames, and no gradients."""
