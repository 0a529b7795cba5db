"""All attacks: a file each, and a line here."""

from attack import Attack

ATTACKS: list[Attack] = []
