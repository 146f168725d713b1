"""The stack that has run on a state folder, as the other commands of `onboarding` find it."""

from pathlib import Path

from common.settings.sources import read_settings
from deploy.local.postgresql_server import PostgresqlServer
from deploy.local.settings import StackSettings
from deploy.local.state_folder import ASSIGNMENT_KEY_FILE, MASTER_KEY_FILE, StateFolder
from deploy.local.valkey_server import ValkeyServer


class LocalStack:
    """The addresses and keys of a stack; None for those that no run has made yet."""

    def __init__(self, state_dir: Path) -> None:
        self._state = StateFolder(state_dir)
        self._settings = read_settings(StackSettings)

    @property
    def database_url(self) -> str | None:
        """The URL of the embedded PostgreSQL."""
        server = PostgresqlServer(self._state)
        return server.url if server.load_port() else None

    @property
    def redis_url(self) -> str | None:
        """The URL of the embedded Valkey, as its administrator."""
        server = ValkeyServer(self._state)
        return server.url if server.load_port() else None

    @property
    def master_key(self) -> str | None:
        """The master key."""
        return self._state.existing_secret(MASTER_KEY_FILE)

    @property
    def assignment_key(self) -> str | None:
        """The key of assignment tokens."""
        return self._state.existing_secret(ASSIGNMENT_KEY_FILE)

    @property
    def spool_folder(self) -> Path:
        """The folder of the spool of the edge."""
        return self._state.path / "edge-spool"

    @property
    def edge_url(self) -> str:
        """The URL of the edge."""
        return self._settings.edge_url

    @property
    def management_url(self) -> str:
        """The URL of the management service."""
        return self._settings.management_url
