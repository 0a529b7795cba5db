"""All attacks: a file each, and a line here."""

from attack import Attack

from attacks import backups, clients, crowd, faults, kills, parameters

ATTACKS: list[Attack] = [
    parameters.ATTACK,
    crowd.ATTACK,
    clients.ATTACK,
    faults.ATTACK,
    kills.ATTACK,
    backups.ATTACK,
]
