"""Waiting for notices, which anybody may send who may connect."""

import asyncio

import psycopg

from jitterscope.settings import Settings
from jitterscope.store.loads import PROGRESS_CHANNEL
from jitterscope.store.watch import TraceWatch


async def hear(payloads: list[str], settings: Settings) -> bool:
    """Whether somebody who waits for trace 7 is woken after all the payloads."""
    watch = TraceWatch(settings)
    async with watch.running():
        with watch.changes(7) as changed, psycopg.connect(settings.conninfo, autocommit=True) as sender:
            while not changed.is_set():
                # The listener may not be there yet, so the last one is repeated.
                for payload in payloads:
                    sender.execute("SELECT pg_notify(%s, %s)", (PROGRESS_CHANNEL, payload))
                await asyncio.sleep(0.02)
            return changed.is_set()


def test_notices_that_make_no_sense_do_not_end_the_watch(database_url: str) -> None:
    assert database_url
    settings = Settings()
    payloads = ["", "seven", "-7", "1" * 30, "9" * 5000, "7"]
    assert asyncio.run(asyncio.wait_for(hear(payloads, settings), timeout=20))
