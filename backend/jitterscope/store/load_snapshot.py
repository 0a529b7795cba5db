"""What one load of a trace has stored, read in a transaction that begins when something is not at hand."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from psycopg import AsyncConnection

from jitterscope.store.database import Database
from jitterscope.store.part_cache import Load

_IS_READY = "SELECT FROM trace WHERE key = %s AND attempt = %s AND status = 'ready'"


class LoadGone(Exception):
    """The trace was deleted, or is loaded again, since it was found."""


@dataclass
class LoadSnapshot:
    """All that is read through it belongs together, whoever deletes meanwhile."""

    _database: Database
    _load: Load
    _transaction: AsyncExitStack
    _connection: AsyncConnection | None = None

    async def connection(self) -> AsyncConnection:
        """The connection of the one transaction.

        Raises: LoadGone, StatementTooSlow, DatabaseUnavailable.
        """
        if self._connection is None:
            connection = await self._transaction.enter_async_context(self._database.snapshot_connection())
            if (await connection.execute(_IS_READY, self._load)).rowcount != 1:
                raise LoadGone
            self._connection = connection
        return self._connection


@asynccontextmanager
async def load_snapshot(database: Database, load: Load) -> AsyncIterator[LoadSnapshot]:
    """Ends the transaction with the block, if it has begun."""
    async with AsyncExitStack() as transaction:
        yield LoadSnapshot(database, load, transaction)
