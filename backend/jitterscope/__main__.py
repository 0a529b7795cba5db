"""`python -m jitterscope`."""

from jitterscope.cli import main

if __name__ == "__main__":
    main()
