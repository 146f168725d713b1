"""Which of PostgreSQL's errors mean "not now", and which are defects."""

import psycopg
import pytest
from psycopg import errors
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from management_api.db.transient_errors import is_transient


def wrapped(error: psycopg.Error, *, invalidated: bool = False) -> DBAPIError:
    kind = OperationalError if isinstance(error, psycopg.OperationalError) else DBAPIError
    return kind("SELECT 1", None, error, connection_invalidated=invalidated)


@pytest.mark.parametrize(
    "kind",
    [
        errors.AdminShutdown,
        errors.CannotConnectNow,
        errors.ConnectionFailure,
        errors.CrashShutdown,
        errors.DeadlockDetected,
        errors.DiskFull,
        errors.IdleInTransactionSessionTimeout,
        errors.LockNotAvailable,
        errors.OutOfMemory,
        errors.QueryCanceled,
        errors.ReadOnlySqlTransaction,
        errors.SerializationFailure,
        errors.TooManyConnections,
        psycopg.OperationalError,
    ],
)
def test_transient_error_is_an_outage(kind: type[psycopg.Error]) -> None:
    assert is_transient(wrapped(kind("refused")))
    assert is_transient(kind("refused"))


@pytest.mark.parametrize(
    "kind",
    [
        errors.CheckViolation,
        errors.DataCorrupted,
        errors.ForeignKeyViolation,
        errors.InFailedSqlTransaction,
        errors.ProgramLimitExceeded,
        errors.SyntaxError,
        errors.UndefinedTable,
        errors.UniqueViolation,
        errors.UntranslatableCharacter,
        psycopg.ProgrammingError,
    ],
)
def test_permanent_error_is_no_outage(kind: type[psycopg.Error]) -> None:
    assert not is_transient(wrapped(kind("refused")))
    assert not is_transient(kind("refused"))


def test_lost_connection_is_an_outage_with_any_message() -> None:
    assert is_transient(wrapped(psycopg.InterfaceError("the connection is closed"), invalidated=True))


def test_an_exhausted_pool_is_an_outage() -> None:
    assert is_transient(PoolTimeoutError("none free"))
