"""Answers as pages that need nothing else, and as text for a mail."""
