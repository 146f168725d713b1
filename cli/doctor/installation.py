"""The examined installation: the addresses of its servers and services, and connections to them with timeouts."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg
import urllib3
from pydantic import SecretStr
from redis import Redis
from redis.exceptions import RedisError

from cli import connections
from cli.settings import CommandSettings
from common.errors import OnboardingError, SettingsError, first_line
from common.redis.connect import connect
from common.settings.shared import DatabaseSettings
from management_api.db.engine import Database

#: Timeout of one request to a server or a service.
TIMEOUT_SECONDS = 5

JsonObject = dict[str, Any]


class UnreachableError(OnboardingError):
    """A server or service cannot be reached. Its own check reports an error, all others "not checked"."""


@dataclass(frozen=True, slots=True)
class Installation:
    """An installation, by its settings and the URLs of the command line."""

    settings: CommandSettings
    edge_urls: Sequence[str] = ()
    management_urls: Sequence[str] = ()

    @property
    def database_url(self) -> str:
        """The URL of PostgreSQL. Raises UnreachableError when none is set."""
        return _configured(lambda: connections.database_url(self.settings))

    @property
    def redis_url(self) -> str:
        """The URL of Redis. Raises UnreachableError when none is set."""
        return _configured(lambda: connections.redis_url(self.settings))

    @property
    def is_known(self) -> bool:
        """Whether the settings, or a local stack, name PostgreSQL."""
        try:
            return bool(self.database_url)
        except UnreachableError:
            return False

    @contextmanager
    def postgresql(self) -> Iterator[psycopg.Cursor[tuple[Any, ...]]]:
        """Open a read-only transaction. Raises UnreachableError."""
        try:
            with psycopg.connect(self.database_url, connect_timeout=TIMEOUT_SECONDS) as connection:
                # For this transaction only: behind a pooler, other clients use the same session.
                connection.execute("SET TRANSACTION READ ONLY")
                connection.execute(f"SET LOCAL statement_timeout = '{TIMEOUT_SECONDS}s'")
                with connection.cursor() as cursor:
                    yield cursor
                connection.rollback()
        except psycopg.OperationalError as error:
            raise UnreachableError(f"PostgreSQL cannot be queried: {first_line(error)}.") from error
        except (psycopg.errors.UndefinedTable, psycopg.errors.UndefinedColumn) as error:
            raise UnreachableError("The database does not have the tables of this release.") from error

    @contextmanager
    def database(self) -> Iterator[Database]:
        """Open the database with the classes of the service."""
        settings = DatabaseSettings(
            database_url=SecretStr(self.database_url),
            database_pool_size=2,
            database_statement_timeout_ms=TIMEOUT_SECONDS * 1000,
        )
        database = Database(settings)
        try:
            yield database
        finally:
            database.close()

    @contextmanager
    def redis(self) -> Iterator[Redis]:
        """Open Redis. Raises UnreachableError."""
        client = connect(self.redis_url, reply_seconds=TIMEOUT_SECONDS, connect_seconds=TIMEOUT_SECONDS, protocol=2)
        try:
            yield client
        except RedisError as error:
            raise UnreachableError(f"Redis cannot be queried: {first_line(error)}.") from error
        finally:
            client.close()


def get_status(url: str, path: str) -> int:
    """Return the status of a response. Raises UnreachableError."""
    return _get(url, path).status


def _get(url: str, path: str) -> urllib3.BaseHTTPResponse:
    try:
        # urllib3 ignores the proxy of this shell's environment; the load balancer does not use it either.
        return urllib3.request("GET", url.rstrip("/") + path, timeout=float(TIMEOUT_SECONDS), retries=False)
    except urllib3.exceptions.HTTPError as error:
        raise UnreachableError(f"{url} does not answer: {first_line(error.__cause__ or error)}.") from error


def get_json(url: str, path: str) -> tuple[int, JsonObject]:
    """Return the status and the JSON object of a response. Raises UnreachableError."""
    response = _get(url, path)
    try:
        body = response.json()
    except ValueError:
        body = {}
    return response.status, body if isinstance(body, dict) else {}


def _configured(url: Callable[[], str]) -> str:
    try:
        return url()
    except SettingsError as error:
        raise UnreachableError(f"{error}.") from error
