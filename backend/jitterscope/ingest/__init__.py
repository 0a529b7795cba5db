"""The way in: receiving a file, and loading it from a limited child process."""
