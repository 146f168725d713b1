"""One PostgreSQL for a whole test run: a process keeps it while the run lasts, and stops it however the run ends.

The first worker that needs a database starts the keeper, and the workers end at different times; so the keeper belongs
to none of them and watches the process of the run itself.
"""

import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path

from deploy.local.postgresql_server import PostgresqlServer, delete_data
from deploy.local.state_folder import StateFolder, replace_file
from deploy.local.supervision.file_lock import try_lock
from tests.support.polling import eventually
from tests.support.servers.running_server import RunningServer

_FOREVER = float("inf")


def shared_postgresql(run_folder: Path, run_process: int) -> str:
    """Return the URL of the run's PostgreSQL; the first call starts it."""
    url_file = run_folder / "postgresql.url"
    log_file = run_folder / "postgresql.log"
    lock = eventually(lambda: try_lock(run_folder / "postgresql.lock"), within=60)
    try:
        if not url_file.exists():
            _start_keeper(url_file, log_file, run_process)
            eventually(url_file.exists, within=60)
        return url_file.read_text()
    finally:
        os.close(lock)


def _start_keeper(url_file: Path, log_file: Path, run_process: int) -> None:
    log = os.open(log_file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        os.posix_spawn(
            sys.executable,
            [
                sys.executable,
                "-m",
                "tests.support.databases.postgres_session",
                str(url_file),
                str(log_file),
                str(run_process),
            ],
            {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
            file_actions=[(os.POSIX_SPAWN_DUP2, log, 1), (os.POSIX_SPAWN_DUP2, log, 2)],
            # Ctrl-C at the terminal is for the run; the keeper follows by itself.
            setsid=True,
        )
    finally:
        os.close(log)


def _keep(url_file: Path, log_file: Path, run_process: int) -> None:
    folder = Path(tempfile.mkdtemp(prefix="onboarding-tests-"))
    state = StateFolder(folder)
    state.make()
    server = RunningServer(PostgresqlServer(state, throwaway=True), log_file)
    try:
        server.start()
        replace_file(url_file, server.url.encode())
        eventually(lambda: not _is_alive(run_process), within=_FOREVER)
    finally:
        server.stop()
        # As root under a closed TMPDIR the data lies outside the state folder.
        delete_data(state)
        shutil.rmtree(folder)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def _leave(_signal: int, _frame: object) -> None:
    sys.exit(0)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, _leave)
    _keep(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
