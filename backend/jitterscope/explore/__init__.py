"""The read path: one use case a file."""
