"""Backups and restores that are killed at any moment, and given again."""

import os
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from attack import SAMPLES, Attack, Extent, Outcome
from product import Json, Product, clean_environment

COMMAND_SECONDS = 120.0
# Python starts before there is anything to kill.
EARLIEST_SHARE = 0.3
SHORT_SAMPLES = 3
# A restore starts a PostgreSQL, which a backup beside the service does not.
RESTORE_FACTOR = 2.0
# What differs between two servers, or between two loads of the same file.
OWN_TO_A_LOAD = ("ready_at", "url")
PARTS = ("timeline?width=1600", "latencies/kinds", "event-types", "events?limit=100")


@dataclass(frozen=True)
class Done:
    code: int
    text: str
    seconds: float


def run(extent: Extent) -> Outcome:
    outcome = Outcome()
    choose = random.Random(extent.seed)  # noqa: S311 (the same moments in every run)
    kills = extent.pick(1, 25)
    sample_count = extent.pick(SHORT_SAMPLES, 100)
    with tempfile.TemporaryDirectory(prefix="torture-backups-") as name:
        folder = Path(name)
        with Product(folder / "source") as product:
            samples = sorted(SAMPLES.glob("*.zst"), key=lambda path: path.stat().st_size)
            for path in samples[:sample_count]:
                product.load(path, path.name)
            told = facts_of(product)
            good = folder / "good"
            began = command(product.data, "backup", good)
            outcome.require(
                holds=began.code == 0,
                otherwise=f"the first backup failed: {began.text}",
            )
            for number in range(kills):
                moment = choose.uniform(EARLIEST_SHARE, 1.0) * began.seconds
                kill_backup(outcome, product.data, folder / f"backup-{number}", moment)
        for number in range(kills):
            moment = choose.uniform(EARLIEST_SHARE, 1.0) * RESTORE_FACTOR * began.seconds
            kill_restore(outcome, good, folder / f"target-{number}" / "data", moment)
        with Product(folder / f"target-{kills - 1}") as restored:
            outcome.require(
                holds=facts_of(restored) == told,
                otherwise="a restored service does not answer the same",
            )
    outcome.figures += [
        ("answers that a restored service gave, too", str(len(told))),
        ("a backup beside the service", f"{began.seconds:.1f} s"),
    ]
    return outcome


def kill_backup(outcome: Outcome, data: Path, folder: Path, moment: float) -> None:
    """Whatever a kill left behind, the next backup is whole."""
    kill_command(data, "backup", folder, moment)
    outcome.tried += 1
    for arguments in (("backup", folder), ("verify", folder)):
        done = command(data, *arguments)
        outcome.require(
            holds=done.code == 0,
            otherwise=f"{arguments} after {moment:.2f} s: {done.text}",
        )


def kill_restore(outcome: Outcome, backup: Path, data: Path, moment: float) -> None:
    kill_command(data, "restore", backup, moment)
    outcome.tried += 1
    for arguments in (("restore", backup), ("verify",)):
        done = command(data, *arguments)
        outcome.require(
            holds=done.code == 0,
            otherwise=f"{arguments} after {moment:.2f} s: {done.text}",
        )


def facts_of(product: Product) -> dict[str, Json]:
    """What each trace is and shows, once all are loaded."""
    facts: dict[str, Json] = {}
    for item in product.ask("/api/v1/traces?limit=1000")["items"]:
        trace = product.wait(item["id"])
        facts[trace["id"]] = {name: value for name, value in trace.items() if name not in OWN_TO_A_LOAD}
        for part in PARTS:
            body = product.request("GET", f"/api/v1/traces/{trace['id']}/{part}").body
            # Permalinks are absolute, and each server has an address of its own.
            facts[f"{trace['id']} {part}"] = body.replace(product.url.encode(), b"")
    return facts


def command(data: Path, name: str, *arguments: Path) -> Done:
    began = time.monotonic()
    done = subprocess.run(
        command_line(data, name, *arguments),
        env=clean_environment(),
        capture_output=True,
        text=True,
        timeout=COMMAND_SECONDS,
        check=False,
    )
    return Done(done.returncode, (done.stdout + done.stderr).strip(), time.monotonic() - began)


def kill_command(data: Path, name: str, folder: Path, moment: float) -> None:
    process = subprocess.Popen(
        command_line(data, name, folder),
        env=clean_environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        process.wait(moment)
    except subprocess.TimeoutExpired:
        process.kill()
    process.wait()


def command_line(data: Path, name: str, *arguments: Path) -> list[str]:
    return [
        sys.executable,
        "-m",
        "jitterscope",
        name,
        *map(os.fspath, arguments),
        "--data",
        str(data),
    ]


ATTACK = Attack(
    "backups",
    "A backup or a restore that is killed at any moment can be given again, and is whole then.",
    run,
)
