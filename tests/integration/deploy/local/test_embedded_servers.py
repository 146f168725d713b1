"""The embedded PostgreSQL and Valkey: as root and not, through deaths and interruptions."""

import os
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from deploy.local.errors import StillRunningError
from deploy.local.postgresql_server import PostgresqlServer, delete_data, find_paths
from deploy.local.state_folder import StateFolder
from tests.support.ordinary_user import run_python_as_ordinary_user
from tests.support.servers.running_server import RunningServer

pytestmark = pytest.mark.slow

_START_AND_STOP = """
import sys, tempfile
from pathlib import Path
from deploy.local.postgresql_server import PostgresqlServer
from deploy.local.state_folder import StateFolder
from tests.support.servers.running_server import RunningServer
with tempfile.TemporaryDirectory() as folder:
    state = StateFolder(Path(folder) / "state")
    state.make()
    server = RunningServer(PostgresqlServer(state, throwaway=True), Path(folder) / "log")
    server.start()
    server.stop()
print("started and stopped")
"""


@pytest.fixture
def state(tmp_path: Path) -> Iterator[StateFolder]:
    folder = StateFolder(tmp_path / "state")
    folder.make()
    yield folder
    delete_data(folder)


@pytest.fixture
def postgresql(state: StateFolder, tmp_path: Path) -> Iterator[RunningServer]:
    server = RunningServer(PostgresqlServer(state), tmp_path / "postgresql.log")
    yield server
    server.stop()


def test_postgresql_keeps_its_data_when_it_is_stopped(postgresql: RunningServer) -> None:
    postgresql.start()
    _write_row(postgresql.url)
    postgresql.stop()
    postgresql.start()
    assert _rows(postgresql.url) == [(1,)]


def test_postgresql_comes_back_after_a_kill_with_clients_connected(postgresql: RunningServer) -> None:
    postgresql.start()
    _write_row(postgresql.url)
    with closing(psycopg.connect(postgresql.url, autocommit=True)) as connection:
        connection.execute("SELECT 1")
        os.kill(postgresql.pid, signal.SIGKILL)
        postgresql.wait()
        postgresql.start()
    assert _rows(postgresql.url) == [(1,)]


def test_no_second_server_starts_on_the_same_data(
    postgresql: RunningServer, state: StateFolder, tmp_path: Path
) -> None:
    postgresql.start()
    second = RunningServer(PostgresqlServer(state, throwaway=True), tmp_path / "second.log")
    with pytest.raises(AssertionError, match="still running") as caught:
        second.start(within=0.2)
    assert isinstance(caught.value.__cause__, StillRunningError)
    with psycopg.connect(postgresql.url) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)


def test_interrupted_initdb_is_repeated(state: StateFolder) -> None:
    # The folder after a kill -9 in the middle of initdb.
    leftover = find_paths(state).folder / "draft-interrupted" / "data"
    leftover.mkdir(parents=True)
    (leftover / "PG_VERSION").write_text("18\n")
    PostgresqlServer(state, throwaway=True).spec()
    assert (find_paths(state).data / "PG_VERSION").exists()
    assert not leftover.exists()


def test_deleted_state_folder_means_a_fresh_start(
    state: StateFolder, postgresql: RunningServer, tmp_path: Path
) -> None:
    postgresql.start()
    _write_row(postgresql.url)
    postgresql.stop()
    old_home = find_paths(state).folder
    state.path.rename(tmp_path / "deleted")

    fresh = StateFolder(state.path)
    fresh.make()
    server = RunningServer(PostgresqlServer(fresh, throwaway=True), tmp_path / "fresh.log")
    server.start()
    try:
        with pytest.raises(psycopg.errors.UndefinedTable):
            _rows(server.url)
    finally:
        server.stop()
        delete_data(StateFolder(tmp_path / "deleted"))
    assert find_paths(fresh).folder != old_home or old_home.parent == fresh.path


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has to change the account")
def test_as_root_postgresql_runs_unprivileged_even_below_a_closed_folder(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    state = StateFolder(closed / "state")
    state.make()
    server = RunningServer(PostgresqlServer(state, throwaway=True), tmp_path / "log")
    try:
        server.start()
        assert Path(f"/proc/{server.pid}").stat().st_uid != 0
        assert find_paths(state).data.stat().st_uid != 0
        assert closed.stat().st_mode & 0o777 == 0o700
    finally:
        server.stop()
        delete_data(state)


def test_ordinary_user_needs_no_privileges() -> None:
    ended = run_python_as_ordinary_user("-c", _START_AND_STOP)
    assert ended.stdout == "started and stopped\n", ended.stderr


def _write_row(url: str) -> None:
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE kept (number integer)")
        connection.execute("INSERT INTO kept VALUES (1)")


def _rows(url: str) -> list[tuple[int]]:
    with psycopg.connect(url) as connection:
        return connection.execute("SELECT number FROM kept").fetchall()
