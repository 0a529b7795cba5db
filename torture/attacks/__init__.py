"""All attacks: a file each, and a line here."""

from attack import Attack

from attacks import (
    backups,
    bodies,
    clients,
    crowd,
    damaged_archives,
    damaged_dat,
    damaged_text,
    faults,
    kills,
    linear_time,
    other_events,
    parameters,
)

ATTACKS: list[Attack] = [
    damaged_archives.ATTACK,
    damaged_dat.ATTACK,
    damaged_text.ATTACK,
    other_events.ATTACK,
    linear_time.ATTACK,
    parameters.ATTACK,
    bodies.ATTACK,
    crowd.ATTACK,
    clients.ATTACK,
    faults.ATTACK,
    kills.ATTACK,
    backups.ATTACK,
]
