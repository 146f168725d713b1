"""The installation that is looked at: where its servers and services are, and how they are asked, with patience."""

import json
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg
from pydantic import SecretStr
from redis import Redis
from redis.exceptions import RedisError

from common.errors import OnboardingError, SettingsError
from common.redis.connect import connect
from common.settings.shared import DatabaseSettings
from deploy.local.server_addresses import database_address, redis_address
from deploy.local.server_failures import first_line
from deploy.local.stack_settings import StackSettings
from management_api.database.transactions import Database

#: How long a server or a service may take for one answer.
PATIENCE_SECONDS = 5

Answer = dict[str, Any]


class NotReachedError(OnboardingError):
    """Something could not be asked; the check of its own tells of it, all others only that they could not look."""


@dataclass(frozen=True, slots=True)
class Installation:
    """One installation, as its settings and the person at the terminal describe it."""

    settings: StackSettings
    edge_urls: Sequence[str] = ()
    management_urls: Sequence[str] = ()

    @property
    def database_url(self) -> str:
        """Where PostgreSQL is. Raises NotReachedError where nothing says it."""
        return _said(lambda: database_address(self.settings))

    @property
    def redis_url(self) -> str:
        """Where Redis is. Raises NotReachedError as above."""
        return _said(lambda: redis_address(self.settings))

    @contextmanager
    def postgresql(self) -> Iterator[psycopg.Cursor[tuple[Any, ...]]]:
        """Lend a transaction that changes nothing. Raises NotReachedError."""
        try:
            with psycopg.connect(self.database_url, connect_timeout=PATIENCE_SECONDS) as connection:
                # For this transaction alone: behind a pooler, others use the same session.
                connection.execute("SET TRANSACTION READ ONLY")
                connection.execute(f"SET LOCAL statement_timeout = '{PATIENCE_SECONDS}s'")
                with connection.cursor() as cursor:
                    yield cursor
                connection.rollback()
        except psycopg.OperationalError as error:
            raise NotReachedError(f"PostgreSQL cannot be asked: {first_line(error)}.") from error
        except (psycopg.errors.UndefinedTable, psycopg.errors.UndefinedColumn) as error:
            raise NotReachedError("The database does not have the tables of this release.") from error

    @contextmanager
    def database(self) -> Iterator[Database]:
        """Lend PostgreSQL as the service knows it."""
        settings = DatabaseSettings(
            database_url=SecretStr(self.database_url),
            database_pool_size=2,
            database_statement_timeout_ms=PATIENCE_SECONDS * 1000,
        )
        database = Database(settings)
        try:
            yield database
        finally:
            database.close()

    @contextmanager
    def redis(self) -> Iterator[Redis]:
        """Lend Redis. Raises NotReachedError."""
        client = connect(self.redis_url, reply_seconds=PATIENCE_SECONDS, connect_seconds=PATIENCE_SECONDS, protocol=2)
        try:
            yield client
        except RedisError as error:
            raise NotReachedError(f"Redis cannot be asked: {first_line(error)}.") from error
        finally:
            client.close()


def asked(url: str, path: str) -> tuple[int, Answer]:
    """Ask a service over HTTP; gives the status and the JSON of the answer. Raises NotReachedError."""
    request = urllib.request.Request(url.rstrip("/") + path)  # noqa: S310 - the person at the terminal names it
    # The way that its balancer takes, which is not through a proxy of this shell's.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        try:
            with opener.open(request, timeout=PATIENCE_SECONDS) as answer:
                return answer.status, _object(answer.read())
        except urllib.error.HTTPError as error:
            with error:
                return error.code, _object(error.read())
    except (OSError, ValueError) as error:
        raise NotReachedError(f"{url} does not answer: {first_line(error)}.") from error


def _object(body: bytes) -> Answer:
    try:
        found = json.loads(body)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _said(address: Callable[[], str]) -> str:
    try:
        return address()
    except SettingsError as error:
        raise NotReachedError(f"{error}.") from error
