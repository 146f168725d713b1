"""One PostgreSQL for a whole test run."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from deploy.local.postgresql_server import PostgresqlServer, delete_data
from deploy.local.state_folder import StateFolder
from tests.support.servers.running_server import RunningServer
from tests.support.servers.shared_server import own_server, shared_server


def shared_postgresql(run_folder: Path) -> str:
    """Return the URL of the PostgreSQL of the run; the first call starts it."""
    return shared_server(run_folder, "tests.support.databases.postgres_session")


@contextmanager
def _serve(log_file: Path) -> Iterator[str]:
    folder = Path(tempfile.mkdtemp(prefix="onboarding-tests-"))
    state = StateFolder(folder)
    state.make()
    server = RunningServer(PostgresqlServer(state, throwaway=True), log_file)
    try:
        server.start()
        yield server.url
    finally:
        server.stop()
        # As root under a closed TMPDIR the data lies outside the state folder.
        delete_data(state)
        shutil.rmtree(folder)


if __name__ == "__main__":
    own_server(_serve)
