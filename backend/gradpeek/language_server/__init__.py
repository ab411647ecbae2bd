"""The language server: what editors ask of GradPeek, answered over the Language Server Protocol."""
