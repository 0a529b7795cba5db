"""Makes a data folder ask every role for a password, also one of a release that asked for none."""

import os
import subprocess
from pathlib import Path

from jitterscope.embedded.binaries import Binaries
from jitterscope.embedded.errors import EmbeddedPostgresError
from jitterscope.embedded.passwords import Passwords, new_password
from jitterscope.embedded.roles import ADMIN

_RULES = """\
# Written by Jitterscope at every start; there is no network to listen on.
local all all scram-sha-256
"""

# Until then the superuser had the name that is now the product's. Nobody can rename the role of the
# session, so another superuser does it, for the time of the transaction.
_TAKE_OVER = """\
BEGIN;
DO $do$ DECLARE old name; BEGIN\
 SELECT rolname INTO old FROM pg_authid WHERE oid = 10;\
 IF old <> '{admin}' THEN\
 CREATE ROLE {admin}_heir SUPERUSER;\
 SET SESSION AUTHORIZATION {admin}_heir;\
 EXECUTE format('ALTER ROLE %I RENAME TO {admin}', old);\
 SET SESSION AUTHORIZATION {admin};\
 DROP ROLE {admin}_heir;\
 END IF; END $do$;
ALTER ROLE {admin} PASSWORD '{password}';
COMMIT;
"""

# Replaying the log after a crash is part of it.
_SECONDS = 300


def require_passwords(data: Path, binaries: Binaries, passwords: Passwords) -> None:
    """Brings the rules of `data` up to date, while no server runs in it.

    Nobody can reach the server before the superuser has a password: it is set by the server's program
    itself, alone and without a socket. Killed at any point, the next call does it again, because the
    rules are written last.

    Raises: EmbeddedPostgresError with the words of PostgreSQL if it fails.
    """
    rules = data / "pg_hba.conf"
    is_ours = rules.exists() and rules.read_text(encoding="utf-8") == _RULES
    if passwords.read(ADMIN) is None or not is_ours:
        password = passwords.read(ADMIN) or new_password()
        _set_admin_password(data, binaries, password)
        passwords.write(ADMIN, password)
    if not is_ours:
        _replace(rules, _RULES, binaries.identity.owner)


def _set_admin_password(data: Path, binaries: Binaries, password: str) -> None:
    done = subprocess.run(
        binaries.identity.command(
            binaries.postgres, "--single", "-D", str(data), "-c", "exit_on_error=on", "postgres"
        ),
        input=_TAKE_OVER.format(admin=ADMIN, password=password),
        capture_output=True,
        check=False,
        text=True,
        cwd="/",
        timeout=_SECONDS,
    )
    if done.returncode != 0:
        raise EmbeddedPostgresError(
            f"the superuser of {data} could not be given a password: {done.stderr.strip()[-2000:]}"
        )


def _replace(file: Path, text: str, owner: int) -> None:
    unfinished = file.with_name(f"{file.name}.new")
    unfinished.write_text(text, encoding="utf-8")
    unfinished.chmod(0o600)
    os.chown(unfinished, owner, -1)
    unfinished.replace(file)
