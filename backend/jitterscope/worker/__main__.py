"""`python -m jitterscope.worker`"""

from jitterscope.loading import loading_modules

with loading_modules():
    from jitterscope.worker.run import main

if __name__ == "__main__":
    main()
