"""The complete local stack, in the foreground: servers, schema, processes and the demo project."""

import os
import time
from collections.abc import Callable
from typing import Protocol

from cli.demo.api_client import ApiClient
from cli.demo.history import store_demo_history
from cli.demo.identity import DevelopmentIdentity
from cli.demo.project import DEMO_EMAIL, is_at_edge, is_published, page_url, seed_demo_project
from deploy.local.dashboard_link import dashboard_line, report_when_built
from deploy.local.errors import StackError
from deploy.local.loopback_ports import is_free
from deploy.local.postgresql_server import PostgresqlServer
from deploy.local.service_processes import REDIS_PROCESSES, Connections, ProcessSpecs
from deploy.local.settings import StackSettings
from deploy.local.startup_summary import startup_summary, write_demo_file
from deploy.local.state_folder import StateFolder
from deploy.local.supervision.file_lock import is_locked, read_owner
from deploy.local.supervision.log_writer import STANDARD_ERROR, STANDARD_OUTPUT, LogWriter
from deploy.local.supervision.process_spec import ProcessSpec
from deploy.local.supervision.shutdown import Shutdown
from deploy.local.supervision.supervisor import Supervisor
from deploy.local.valkey_server import ValkeyServer
from management_api.dashboard.files import DashboardFiles

_SERVER_SECONDS = 60.0
_PROCESS_SECONDS = 60.0
_EARLIER_RUN_SECONDS = 30.0


class EmbeddedServer(Protocol):
    """PostgreSQL or Valkey."""

    @property
    def name(self) -> str:
        """The name of its process."""

    @property
    def url(self) -> str:
        """Its URL, after :meth:`spec`."""

    def spec(self) -> ProcessSpec:
        """Prepare its folder and return the spec."""

    def is_ready(self) -> bool:
        """Return whether it responds."""


class Stack:
    """One stack on one state folder."""

    def __init__(self, settings: StackSettings, state: StateFolder, shutdown: Shutdown) -> None:
        self._settings = settings
        self._state = state
        self._shutdown = shutdown
        # Standard error, because standard output is for the logs and the summary.
        self._progress = LogWriter(STANDARD_ERROR)
        self._log = LogWriter(STANDARD_OUTPUT)
        self._supervisor = Supervisor(state, shutdown, self._log)

    def run(self, started_at: float | None) -> None:
        """Start all processes and keep them running. Raises StopRequested or StackError when all of them have ended."""
        self._state.make()
        lock = self._state.lock()
        try:
            # A program that waits for the file must not read that of the last run.
            self._state.demo_file.unlink(missing_ok=True)
            self._wait_for_earlier_run()
            self._check_ports()
            self._start(started_at)
            self._supervisor.run()
        finally:
            self._supervisor.stop()
            self._progress.close()
            os.close(lock)

    def _start(self, started_at: float | None) -> None:
        identity = DevelopmentIdentity(self._state.subfolder("identity"))
        identity.write_jwks()
        connections = self._start_servers()
        token = identity.token(DEMO_EMAIL)
        specs = ProcessSpecs(self._settings, self._state, connections, identity.jwks_file, token)
        self._report("bringing the database to the current schema")
        self._supervisor.run_to_end(specs.migrate())
        self._supervisor.add(specs.publisher(), specs.consumer())
        self._supervisor.add(specs.management(), specs.edge())
        self._wait_until_ready("management", self._settings.management_url)
        self._wait_until_ready("edge", self._settings.edge_url)
        demo = seed_demo_project(self._settings.management_url, token)
        self._report("giving the demo project thirty days of users")
        store_demo_history(self._settings.management_url, token, demo.project_id, connections.database_url)
        # All clients of this machine share one address, whose rate limit polling the edge would use up.
        self._until("the demo project to be published", lambda: is_published(connections.redis_url, demo.project_id))
        self._until("the demo project at the edge", lambda: is_at_edge(self._settings.edge_url, demo))
        write_demo_file(self._state, self._settings, demo, token)
        specs.metrics.write_targets(self._state)
        page = page_url(self._settings.public_edge_url, demo)
        files = DashboardFiles()
        dashboard = dashboard_line(self._settings, token)
        shown = dashboard if files.is_built else None
        self._log.write(
            startup_summary(self._state, self._settings, demo, shown, page, specs.metrics.urls(), started_at)
        )
        if shown is None:
            report_when_built(files, lambda: self._log.write(dashboard))

    def _start_servers(self) -> Connections:
        postgresql, valkey = PostgresqlServer(self._state), ValkeyServer(self._state)
        external_database, external_redis = self._settings.database_url, self._settings.redis_url
        embedded: list[EmbeddedServer] = []
        if external_database is None:
            embedded.append(postgresql)
        if external_redis is None:
            embedded.append(valkey)
        for server in embedded:
            self._report(f"starting {server.name}")
            self._supervisor.add(server.spec())
        for server in embedded:
            self._supervisor.run_until(server.is_ready, server.name, within=_SERVER_SECONDS)
        return Connections(
            database_url=external_database.get_secret_value() if external_database else postgresql.url,
            redis_url=external_redis.get_secret_value() if external_redis else valkey.url,
            redis_urls={} if external_redis else {process: valkey.url_for(process) for process in REDIS_PROCESSES},
        )

    def _wait_for_earlier_run(self) -> None:
        """Wait for the children of a launcher that was killed, which exit by themselves."""
        locks = [file for file in self._state.subfolder("locks").iterdir() if file.name != "launcher.lock"]
        deadline = time.monotonic() + _EARLIER_RUN_SECONDS
        is_reported = False
        while left := [file for file in locks if is_locked(file)]:
            names = ", ".join(f"{file.stem} (process {read_owner(file)})" for file in left)
            if time.monotonic() > deadline:
                raise StackError(f"an earlier run has left {names} behind; stop it and try again")
            if not is_reported:
                self._report(f"waiting for an earlier run to end: {names}")
                is_reported = True
            self._shutdown.check()
            time.sleep(0.05)

    def _check_ports(self) -> None:
        ports = {"EDGE_PORT": self._settings.edge_port, "MANAGEMENT_PORT": self._settings.management_port}
        if self._settings.edge_port == self._settings.management_port:
            raise StackError(f"EDGE_PORT and MANAGEMENT_PORT are both {self._settings.edge_port}")
        for variable, port in ports.items():
            if not is_free(port):
                raise StackError(f"port {port} is in use; choose another with {variable}=...")

    def _wait_until_ready(self, name: str, url: str) -> None:
        self._until(name, ApiClient(url).is_ready)

    def _report(self, line: str) -> None:
        """Print a step of the start."""
        self._progress.write(f"stack       | {line}")

    def _until(self, name: str, condition: Callable[[], bool]) -> None:
        self._report(f"waiting for {name}")
        self._supervisor.run_until(condition, name, within=_PROCESS_SECONDS)
