"""The product's own processes as the stack runs them, each with the settings that it needs and no other's secrets."""

import os
import signal
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from common.settings.sources import FILE_SUFFIX
from deploy.local.identity import AUDIENCE, ISSUER
from deploy.local.metrics_ports import MetricsPorts
from deploy.local.process_spec import ProcessSpec, StopStep
from deploy.local.settings import StackSettings
from deploy.local.state_folder import StateFolder

#: The processes that speak to Redis; each has a user of its own there.
REDIS_PROCESSES = ("edge", "management", "publisher", "consumer")

_REPLICA = "ONBOARDING_ANALYTICS_DATABASE_URL"
#: Handed to each process that needs them, and taken from all others, as values and as names of files.
_SECRETS = (
    "ONBOARDING_DATABASE_URL",
    "ONBOARDING_REDIS_URL",
    "ONBOARDING_MASTER_KEY",
    "ONBOARDING_ASSIGNMENT_KEYS",
    "ONBOARDING_RATE_LIMIT_DIGEST_KEY",
    _REPLICA,
)
_SNAPSHOT_FOLDER = "ONBOARDING_EDGE_SNAPSHOT_FOLDER"
_SPOOL_FOLDER = "ONBOARDING_EDGE_SPOOL_FOLDER"
#: Requests under way are answered before a process leaves.
_STOP_STEPS = (StopStep(signal.SIGTERM, 15),)


@dataclass(frozen=True, slots=True)
class Connections:
    """Where the two servers are, embedded or not."""

    database_url: str = field(repr=False)
    redis_url: str = field(repr=False)
    #: The URLs of processes that have a user of their own in Redis; the others use `redis_url`.
    redis_urls: Mapping[str, str] = field(default_factory=dict, repr=False)

    def redis_url_for(self, process: str) -> str:
        """Return the URL that one of our processes uses."""
        return self.redis_urls.get(process, self.redis_url)


class ProcessSpecs:
    """Says how each process of the stack is started."""

    def __init__(self, settings: StackSettings, state: StateFolder, connections: Connections, jwks_file: Path) -> None:
        self._settings = settings
        self._state = state
        self._database = {"ONBOARDING_DATABASE_URL": connections.database_url}
        self._connections = connections
        self._jwks_file = jwks_file
        self.metrics = MetricsPorts()

    def migrate(self) -> ProcessSpec:
        """Bring the database to the current schema, and end."""
        return self._program("migrate", self._database)

    def publisher(self) -> ProcessSpec:
        """Bring changed projects to Redis."""
        own = {**self._master_key(), **self.metrics.variables("publisher")}
        return self._program("publisher", self._database, self._redis("publisher"), own)

    def consumer(self) -> ProcessSpec:
        """Bring events from Redis to PostgreSQL."""
        ports = self.metrics.variables("consumer")
        return self._program("consumer", self._database, self._redis("consumer"), ports)

    def edge(self) -> ProcessSpec:
        """Answer devices."""
        ports = {"EDGE_PORT": str(self._settings.edge_port), **self.metrics.variables("edge")}
        folders = {
            _SNAPSHOT_FOLDER: os.environ.get(_SNAPSHOT_FOLDER) or str(self._state.path / "edge-snapshots"),
            _SPOOL_FOLDER: os.environ.get(_SPOOL_FOLDER) or str(self._state.path / "edge-spool"),
        }
        keys = {**self._rate_limit_digest_key(), **self._assignment_keys()}
        return self._program("edge", self._redis("edge"), keys, ports, folders)

    def management(self) -> ProcessSpec:
        """Answer dashboards."""
        identity = {
            "ONBOARDING_IDENTITY_ISSUER": ISSUER,
            "ONBOARDING_IDENTITY_AUDIENCE": AUDIENCE,
            "ONBOARDING_IDENTITY_JWKS_FILE": str(self._jwks_file),
        }
        ports = {"MANAGEMENT_PORT": str(self._settings.management_port), **self.metrics.variables("management")}
        rate_limits = {**self._redis("management"), **self._rate_limit_digest_key()}
        keys = {**self._master_key(), **self._assignment_keys()}
        replica = {name: os.environ[name] for name in (_REPLICA, _REPLICA + FILE_SUFFIX) if name in os.environ}
        return self._program("management", self._database, replica, rate_limits, keys, identity, ports)

    def _redis(self, process: str) -> dict[str, str]:
        return {"ONBOARDING_REDIS_URL": self._connections.redis_url_for(process)}

    def _master_key(self) -> dict[str, str]:
        configured = self._settings.master_key
        key = configured.get_secret_value() if configured else self._state.master_key()
        return {"ONBOARDING_MASTER_KEY": key}

    def _assignment_keys(self) -> dict[str, str]:
        configured = self._settings.assignment_keys
        keys = configured.get_secret_value() if configured else self._state.assignment_key()
        return {"ONBOARDING_ASSIGNMENT_KEYS": keys}

    def _rate_limit_digest_key(self) -> dict[str, str]:
        configured = self._settings.rate_limit_digest_key
        key = configured.get_secret_value() if configured else self._state.secret("rate-limit-digest.key")
        return {"ONBOARDING_RATE_LIMIT_DIGEST_KEY": key}

    def _program(self, command: str, *settings: dict[str, str]) -> ProcessSpec:
        environment = {
            name: value for name, value in os.environ.items() if name.removesuffix(FILE_SUFFIX) not in _SECRETS
        }
        environment.setdefault("ONBOARDING_LOG_FORMAT", "console")
        for each in settings:
            environment |= each
        return ProcessSpec(
            name=command,
            # -P: a folder of ours that happens to be named like one of the current folder's must not be shadowed by it.
            arguments=(sys.executable, "-P", "-m", "cli.main", command),
            environment=environment,
            lock_file=self._state.lock_file(command),
            stop_steps=_STOP_STEPS,
        )
