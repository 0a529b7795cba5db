"""All attacks: a file each, and a line here."""

from attack import Attack

from attacks import clients, parameters

ATTACKS: list[Attack] = [
    parameters.ATTACK,
    clients.ATTACK,
]
