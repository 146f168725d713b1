"""A pool that lends a connection for a short read as it is, without what SQLAlchemy does around one it hands out."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import psycopg
from sqlalchemy.pool import ManagesConnection, QueuePool

from management_api.database.closed_connections import end_transaction, has_something_to_read


class LendingPool(QueuePool):
    """SQLAlchemy's pool; what is lent and what is handed out are the same connections, and count alike."""

    @contextmanager
    def lent(self) -> Iterator[ManagesConnection]:
        """Lend a connection. Raises what `Engine.raw_connection` raises.

        A proxy, a finalizer and two rounds of events for each loan take as long as a short statement. So only what has
        to be opened, or may have been closed by the server, is handed out by SQLAlchemy.
        """
        entry = self._do_get()
        driver = cast("psycopg.Connection[Any] | None", entry.dbapi_connection)
        if driver is None or has_something_to_read(driver):
            self._do_return_conn(entry)
            with _handed_out(self) as proxy:
                yield proxy
            return
        try:
            yield entry
        finally:
            try:
                end_transaction(driver)
            except psycopg.Error:
                entry.invalidate()
            self._do_return_conn(entry)


@contextmanager
def _handed_out(pool: QueuePool) -> Iterator[ManagesConnection]:
    proxy = pool.connect()
    try:
        yield proxy
    finally:
        if cast("psycopg.Connection[Any]", proxy.driver_connection).closed:
            proxy.invalidate()
        proxy.close()
