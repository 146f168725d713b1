"""A Valkey of a test's own, or of several tests that come one after the other."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from deploy.local.state_folder import StateFolder
from deploy.local.valkey_server import ValkeyServer
from tests.running_server import RunningServer


@contextmanager
def own_valkey(folder: Path) -> Iterator[RunningServer]:
    """Run a server on a folder for the length of the block."""
    state = StateFolder(folder)
    state.make()
    server = RunningServer(ValkeyServer(state), folder / "valkey.log")
    try:
        server.start()
        yield server
    finally:
        server.stop()
