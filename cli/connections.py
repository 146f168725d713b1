"""The servers and keys that commands work with: from the settings, or else from the local stack."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
import redis
import sqlalchemy.exc
from pydantic import SecretStr

from cli.errors import CommandError, ServerUnavailableError
from cli.processes.local_stack import find_local_stack, has_stack
from cli.settings import CommandSettings
from common.errors import SettingsError, UnavailableError, first_line
from common.settings.shared import DatabaseSettings
from management_api.db.engine import Database
from management_api.db.transient_errors import is_transient

_REDIS_OUTAGES = (redis.ConnectionError, redis.TimeoutError)


def database_url(settings: CommandSettings) -> str:
    """Return the URL of PostgreSQL. Raises SettingsError where neither the settings nor a local stack have one."""
    if settings.database_url is not None:
        return settings.database_url.get_secret_value()
    stack = find_local_stack(settings.state_dir)
    return _found(stack.database_url if stack else None, "ONBOARDING_DATABASE_URL", settings)


def redis_url(settings: CommandSettings) -> str:
    """Return the URL of Redis. Raises SettingsError where neither the settings nor a local stack have one."""
    if settings.redis_url is not None:
        return settings.redis_url.get_secret_value()
    stack = find_local_stack(settings.state_dir)
    return _found(stack.redis_url if stack else None, "ONBOARDING_REDIS_URL", settings)


def master_key(settings: CommandSettings) -> SecretStr:
    """Return the master key. Raises SettingsError where neither the settings nor a local stack have one."""
    if settings.master_key is not None:
        return settings.master_key
    stack = find_local_stack(settings.state_dir)
    return SecretStr(_found(stack.master_key if stack else None, "ONBOARDING_MASTER_KEY", settings))


def assignment_keys(settings: CommandSettings) -> SecretStr:
    """Return the keys of assignment tokens. Raises SettingsError where neither settings nor a local stack have them."""
    if settings.assignment_keys is not None:
        return settings.assignment_keys
    stack = find_local_stack(settings.state_dir)
    return SecretStr(_found(stack.assignment_key if stack else None, "ONBOARDING_ASSIGNMENT_KEYS", settings))


def spool_folder(settings: CommandSettings) -> Path | None:
    """Return the folder of the spools of this machine's edges; None where none is set and this is no clone."""
    stack = find_local_stack(settings.state_dir)
    return settings.edge_spool_folder or (stack.spool_folder if stack else None)


@contextmanager
def open_database(settings: CommandSettings) -> Iterator[Database]:
    """Open PostgreSQL for a command; its errors are one line."""
    url = SecretStr(database_url(settings))
    with server_errors_as_one_line(), closing(Database(DatabaseSettings(database_url=url))) as database:
        yield database


@contextmanager
def server_errors_as_one_line() -> Iterator[None]:
    """Turn errors of PostgreSQL and Redis into a CommandError, or a ServerUnavailableError."""
    try:
        yield
    except (sqlalchemy.exc.DBAPIError, psycopg.Error, UnavailableError) as error:
        is_unavailable = isinstance(error, UnavailableError) or is_transient(error)
        cause = error.__cause__ if isinstance(error, UnavailableError) else error
        cause = cause.orig if isinstance(cause, sqlalchemy.exc.DBAPIError) else cause
        kind = ServerUnavailableError if is_unavailable else CommandError
        raise kind(f"PostgreSQL: {first_line(cause or error)}") from error
    except redis.RedisError as error:
        is_unavailable = isinstance(error, _REDIS_OUTAGES) and not isinstance(error, redis.AuthenticationError)
        kind = ServerUnavailableError if is_unavailable else CommandError
        raise kind(f"Redis: {first_line(error)}") from error


def _found(value: str | None, variable: str, settings: CommandSettings) -> str:
    if value is None:
        folder = settings.state_dir.absolute()
        stack = f", and no local stack has run on {folder} (ONBOARDING_STATE_DIR)" if has_stack() else ""
        raise SettingsError(f"{variable} is not set{stack}")
    return value
