"""What is kept: rows in PostgreSQL, files in a folder."""
