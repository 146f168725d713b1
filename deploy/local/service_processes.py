"""The processes of the service as the stack runs them, each with its own settings and secrets only."""

import json
import os
import signal
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from cli.demo.files import replace_file
from cli.demo.identity import AUDIENCE, ISSUER
from common.settings.sources import FILE_SUFFIX
from deploy.local.loopback_ports import LOOPBACK, free_port, is_free
from deploy.local.settings import StackSettings
from deploy.local.state_folder import StateFolder
from deploy.local.supervision.process_spec import ProcessSpec, StopStep
from edge_api.settings import EdgeSettings
from management_api.event_consumer.settings import ConsumerSettings
from management_api.settings import ManagementSettings
from publisher.settings import PublisherSettings

#: The processes with a user in Redis.
REDIS_PROCESSES = ("edge", "management", "publisher", "consumer")

_REPLICA = "ONBOARDING_ANALYTICS_DATABASE_URL"
#: Passed only to the processes that need them, as values or as names of files.
_SECRETS = (
    "ONBOARDING_DATABASE_URL",
    "ONBOARDING_REDIS_URL",
    "ONBOARDING_MASTER_KEY",
    "ONBOARDING_ASSIGNMENT_KEYS",
    "ONBOARDING_RATE_LIMIT_DIGEST_KEY",
    "ONBOARDING_DEVICE_DIGEST_KEYS",
    _REPLICA,
)
_SNAPSHOT_FOLDER = "ONBOARDING_EDGE_SNAPSHOT_FOLDER"
_DASHBOARD_URL = "ONBOARDING_DASHBOARD_URL"
_EDGE_URL = "ONBOARDING_EDGE_PUBLIC_URL"
_STACK_HOST = "ONBOARDING_STACK_HOST"
_SPOOL_FOLDER = "ONBOARDING_EDGE_SPOOL_FOLDER"
_MEDIA_STORE = "ONBOARDING_MEDIA_STORE"
#: A process finishes its requests before it exits.
_STOP_STEPS = (StopStep(signal.SIGTERM, 15),)


@dataclass(frozen=True, slots=True)
class Connections:
    """The URLs of the two servers, embedded or not."""

    database_url: str = field(repr=False)
    redis_url: str = field(repr=False)
    #: The URLs of processes with their own user in Redis; all others use `redis_url`.
    redis_urls: Mapping[str, str] = field(default_factory=dict, repr=False)

    def redis_url_for(self, process: str) -> str:
        """Return the URL for a process."""
        return self.redis_urls.get(process, self.redis_url)


#: The defaults of the settings.
DEFAULT_METRICS_PORTS: Mapping[str, int] = {
    "edge": EdgeSettings.model_fields["edge_metrics_port"].default,
    "management": ManagementSettings.model_fields["management_metrics_port"].default,
    "publisher": PublisherSettings.model_fields["publisher_metrics_port"].default,
    "consumer": ConsumerSettings.model_fields["consumer_metrics_port"].default,
}


class MetricsPorts:
    """The default ports, or free ones where another stack uses them; a variable of the environment takes precedence."""

    def __init__(
        self, environment: Mapping[str, str] = os.environ, defaults: Mapping[str, int] = DEFAULT_METRICS_PORTS
    ) -> None:
        self._ports = {
            process: environment.get(_variable(process)) or str(port if is_free(port) else free_port())
            for process, port in defaults.items()
        }

    def variables(self, process: str) -> dict[str, str]:
        """Return the setting of a process."""
        return {_variable(process): self._ports[process]}

    def urls(self) -> dict[str, str]:
        """Return the URLs of the pages, by process."""
        return {process: f"http://{LOOPBACK}:{port}/metrics" for process, port in self._ports.items() if port != "0"}

    def write_targets(self, state: StateFolder) -> None:
        """Write the targets for `file_sd_configs` of Prometheus."""
        targets = [
            {"targets": [f"{LOOPBACK}:{port}"], "labels": {"job": f"onboarding-{process}"}}
            for process, port in self._ports.items()
            if port != "0"
        ]
        replace_file(state.metrics_targets_file, json.dumps(targets, indent=2).encode() + b"\n")


def _variable(process: str) -> str:
    return f"ONBOARDING_{process.upper()}_METRICS_PORT"


class ProcessSpecs:
    """The specs of the processes."""

    def __init__(
        self, settings: StackSettings, state: StateFolder, connections: Connections, jwks_file: Path, token: str = ""
    ) -> None:
        self._settings = settings
        self._state = state
        self._database = {"ONBOARDING_DATABASE_URL": connections.database_url}
        self._connections = connections
        self._jwks_file = jwks_file
        self._token = token
        self.metrics = MetricsPorts()

    def migrate(self) -> ProcessSpec:
        """Return the spec of the migration, which ends by itself."""
        return self._spec("migrate", self._database)

    def publisher(self) -> ProcessSpec:
        """Return the spec of the publisher."""
        own = {**self._master_key(), **self._edge_url(), **self.metrics.variables("publisher")}
        return self._spec("publisher", self._database, self._redis("publisher"), own)

    def consumer(self) -> ProcessSpec:
        """Return the spec of the event consumer."""
        ports = self.metrics.variables("consumer")
        settings = {**self._device_digest_keys(), **self._media_store()}
        return self._spec("consumer", self._database, self._redis("consumer"), settings, ports)

    def edge(self) -> ProcessSpec:
        """Return the spec of the edge."""
        ports = {**self._listen("EDGE"), **self.metrics.variables("edge")}
        folders = {
            _SNAPSHOT_FOLDER: os.environ.get(_SNAPSHOT_FOLDER) or str(self._state.path / "edge-snapshots"),
            _SPOOL_FOLDER: os.environ.get(_SPOOL_FOLDER) or str(self._state.path / "edge-spool"),
            **self._media_store(),
        }
        # The dashboard shows previews of pages in a frame.
        dashboard = {_DASHBOARD_URL: os.environ.get(_DASHBOARD_URL) or self._settings.public_management_url}
        keys = {**self._rate_limit_digest_key(), **self._assignment_keys()}
        return self._spec("edge", self._redis("edge"), keys, ports, folders, dashboard)

    def management(self) -> ProcessSpec:
        """Return the spec of the management service."""
        identity = {
            "ONBOARDING_IDENTITY_ISSUER": ISSUER,
            "ONBOARDING_IDENTITY_AUDIENCE": AUDIENCE,
            "ONBOARDING_IDENTITY_JWKS_FILE": str(self._jwks_file),
            "ONBOARDING_DASHBOARD_DEVELOPMENT_SIGN_IN": "true",
            "ONBOARDING_DASHBOARD_DEVELOPMENT_TOKEN": self._token,
        }
        edge = {**self._edge_url(), **self._media_store()}
        # A line for each request would move the link to the dashboard out of sight.
        log = {"ONBOARDING_LOG_LEVEL": os.environ.get("ONBOARDING_LOG_LEVEL") or "warning"}
        ports = {**self._listen("MANAGEMENT"), **self.metrics.variables("management")}
        rate_limits = {**self._redis("management"), **self._rate_limit_digest_key()}
        keys = {**self._master_key(), **self._assignment_keys()}
        replica = {name: os.environ[name] for name in (_REPLICA, _REPLICA + FILE_SUFFIX) if name in os.environ}
        return self._spec("management", self._database, replica, rate_limits, keys, identity, edge, ports, log)

    def _listen(self, service: str) -> dict[str, str]:
        port = getattr(self._settings, f"{service.lower()}_port")
        return {f"ONBOARDING_{service}_HOST": self._settings.stack_host, f"{service}_PORT": str(port)}

    def _edge_url(self) -> dict[str, str]:
        return {_EDGE_URL: os.environ.get(_EDGE_URL) or self._settings.public_edge_url}

    def _media_store(self) -> dict[str, str]:
        return {_MEDIA_STORE: os.environ.get(_MEDIA_STORE) or (self._state.path / "media").as_uri()}

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

    def _device_digest_keys(self) -> dict[str, str]:
        configured = self._settings.device_digest_keys
        keys = configured.get_secret_value() if configured else self._state.device_digest_key()
        return {"ONBOARDING_DEVICE_DIGEST_KEYS": keys}

    def _rate_limit_digest_key(self) -> dict[str, str]:
        configured = self._settings.rate_limit_digest_key
        key = configured.get_secret_value() if configured else self._state.secret("rate-limit-digest.key")
        return {"ONBOARDING_RATE_LIMIT_DIGEST_KEY": key}

    def _spec(self, command: str, *settings: dict[str, str]) -> ProcessSpec:
        environment = {
            name: value
            for name, value in os.environ.items()
            if name.removesuffix(FILE_SUFFIX) not in _SECRETS and name != _STACK_HOST
        }
        environment.setdefault("ONBOARDING_LOG_FORMAT", "console")
        for values in settings:
            environment |= values
        return ProcessSpec(
            name=command,
            # -P: modules in the current folder must not shadow those of the service.
            arguments=(sys.executable, "-P", "-m", "cli.main", command),
            environment=environment,
            lock_file=self._state.lock_file(command),
            stop_steps=_STOP_STEPS,
        )
