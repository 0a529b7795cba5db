"""`make torture`: attacks the product in every way we know, and fails if a promise turns out false.

torture/run.py                    the short form of each attack, as `make test` runs it
torture/run.py --long [NAME...]   all of each attack; takes an hour or so
torture/run.py --list             what there is
"""

import argparse
import sys
import time

from attack import Attack, Extent
from attacks import ATTACKS

SHOWN_FAILURES = 20


def main() -> int:
    arguments = parse_arguments()
    chosen = [attack for attack in ATTACKS if not arguments.names or attack.name in arguments.names]
    if arguments.list:
        for attack in ATTACKS:
            print(f"{attack.name:<20} {attack.promise}")
        return 0
    extent = Extent(is_long=arguments.long, seed=arguments.seed)
    broken = [attack.name for attack in chosen if not is_survived(attack, extent)]
    if broken:
        print(f"broken: {', '.join(broken)}", file=sys.stderr)
    return 1 if broken else 0


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Attacks the product.")
    parser.add_argument("names", nargs="*", choices=[[], *(attack.name for attack in ATTACKS)])
    parser.add_argument("--long", action="store_true", help="run all of each attack")
    parser.add_argument("--seed", type=int, default=1, help="try other inputs")
    parser.add_argument("--list", action="store_true", help="name the attacks and end")
    return parser.parse_args()


def is_survived(attack: Attack, extent: Extent) -> bool:
    if attack.is_only_long and not extent.is_long:
        return True
    began = time.monotonic()
    outcome = attack.run(extent)
    seconds = time.monotonic() - began
    print(
        f"{attack.name}: {outcome.tried} tried, {len(outcome.failures)} broken, {seconds:.1f} s", flush=True
    )
    for name, value in outcome.figures:
        print(f"    {name:<40} {value:>16}")
    for failure in outcome.failures[:SHOWN_FAILURES]:
        print(f"    broken: {failure}", file=sys.stderr)
    if len(outcome.failures) > SHOWN_FAILURES:
        print(f"    … and {len(outcome.failures) - SHOWN_FAILURES} more", file=sys.stderr)
    return not outcome.failures and outcome.tried > 0


if __name__ == "__main__":
    sys.exit(main())
