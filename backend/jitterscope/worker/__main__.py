"""`python -m jitterscope.worker`"""

from jitterscope.worker.run import main

if __name__ == "__main__":
    main()
