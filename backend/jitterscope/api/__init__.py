"""The HTTP edge: one router a file."""
