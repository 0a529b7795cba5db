"""Whether a pooled connection still leads to the database: its socket shows it, and a ping only in doubt."""

import select
import time

import psycopg
from sqlalchemy import event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import InvalidatePoolError
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.pool import ConnectionPoolEntry, PoolProxiedConnection

# A machine that loses its power closes no socket: a connection that was idle for so long is pinged.
_IDLE_SECONDS = 5.0
_RETURNED = "returned_seconds"


def try_before_use(engine: AsyncEngine) -> None:
    """Has dead connections replaced when they are taken from the pool, so that no request finds out.

    A database that ends or restarts closes its sockets, which is seen here without a round trip. SQLAlchemy's
    `pool_pre_ping` takes one for each use, which on a busy event loop waits as long as a question's own.
    """
    dialect = engine.sync_engine.dialect

    def taken(connection: DBAPIConnection, entry: ConnectionPoolEntry, _: PoolProxiedConnection) -> None:
        idle_seconds = time.monotonic() - entry.info.get(_RETURNED, 0)
        if idle_seconds < _IDLE_SECONDS and _is_silent(entry.driver_connection):
            return
        try:
            dialect.do_ping(connection)
        except psycopg.Error as error:
            raise InvalidatePoolError(str(error)) from error

    def returned(_: DBAPIConnection | None, entry: ConnectionPoolEntry) -> None:
        entry.info[_RETURNED] = time.monotonic()

    event.listen(engine.sync_engine, "checkout", taken)
    event.listen(engine.sync_engine, "checkin", returned)


def _is_silent(connection: object) -> bool:
    """Whether nothing has arrived since the last answer: no farewell, no end of the stream, no notice."""
    if not isinstance(connection, psycopg.AsyncConnection) or connection.closed:
        return False
    arrivals = select.poll()
    arrivals.register(connection.fileno(), select.POLLIN)
    return not arrivals.poll(0)
