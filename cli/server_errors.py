"""Errors of PostgreSQL and Redis as the one line that the person at the terminal can use."""

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.error import URLError

import psycopg
import redis
import sqlalchemy.exc

from common.errors import UnavailableError
from deploy.local.errors import StackError


@contextmanager
def server_errors_as_one_line() -> Iterator[None]:
    """Turn the errors of a server that is away or refuses us into a StackError."""
    try:
        yield
    except (sqlalchemy.exc.DBAPIError, psycopg.Error, UnavailableError) as error:
        cause = error.__cause__ if isinstance(error, UnavailableError) else error
        cause = cause.orig if isinstance(cause, sqlalchemy.exc.DBAPIError) else cause
        raise StackError(f"PostgreSQL: {first_line(cause or error)}") from error
    except redis.RedisError as error:
        raise StackError(f"Redis: {first_line(error)}") from error


def first_line(error: BaseException) -> str:
    """Give what an error says in its first line, else its name; of one that stands for another, what that one says."""
    if isinstance(error, URLError) and isinstance(error.reason, BaseException):
        return first_line(error.reason)
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return text.strip().splitlines()[0] if text.strip() else type(error).__name__
