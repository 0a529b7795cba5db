"""Answers in the terminal, without server and database: a module and a command of `cli.py` each."""
