"""The embedded PostgreSQL: created once by initdb, then started on the loopback interface with a password."""

import shutil
import signal
import tempfile
from collections.abc import Mapping
from pathlib import Path

import psycopg
from psycopg import sql

from deploy.local.errors import StackError
from deploy.local.loopback_ports import LOOPBACK, noted_port, remembered_port
from deploy.local.postgres_paths import PostgresPaths, find_paths
from deploy.local.process_spec import ProcessSpec, StopStep, bare_environment, run_briefly
from deploy.local.state_folder import StateFolder

_USER = "onboarding"
_DATABASE = "onboarding"
_INITDB_OPTIONS = (
    f"--username={_USER}",
    "--auth-local=peer",
    "--auth-host=scram-sha-256",
    "--encoding=UTF8",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
)
_SETTINGS = {
    "listen_addresses": LOOPBACK,
    # No socket file: its path must be short, and the unprivileged account must be able to reach it.
    "unix_socket_directories": "",
    "max_connections": "200",
    "shared_buffers": "128MB",
    "log_checkpoints": "off",
    # Statements and their values must not be logged.
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "timezone": "UTC",
    "log_timezone": "UTC",
}
#: For tests, whose data may be lost in a crash of the machine.
THROWAWAY_SETTINGS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "shared_buffers": "64MB",
    "autovacuum": "off",
}
#: SIGTERM would wait for all clients; SIGINT ends their transactions, SIGQUIT needs crash recovery.
_STOP_STEPS = (StopStep(signal.SIGINT, 15), StopStep(signal.SIGQUIT, 5))


class PostgresqlServer:
    """PostgreSQL on one state folder."""

    name = "postgresql"

    def __init__(
        self, state: StateFolder, *, throwaway: bool = False, settings: Mapping[str, str] | None = None
    ) -> None:
        """Take the server of a state folder; `settings` are PostgreSQL's, and take precedence over those above."""
        self._state = state
        self._settings = {**_SETTINGS, **(THROWAWAY_SETTINGS if throwaway else {}), **(settings or {})}
        self._throwaway = throwaway
        self._port = 0

    @property
    def url(self) -> str:
        """The URL with the password, after :meth:`spec` or :meth:`load_port`."""
        return self._url(_DATABASE)

    def spec(self) -> ProcessSpec:
        """Prepare the data folder and a port, and return the spec. Raises StackError."""
        paths = find_paths(self._state)
        if not (paths.data / "PG_VERSION").exists():
            self._initialize(paths)
        self._port = remembered_port(self._port_file)
        settings = {**self._settings, "port": str(self._port)}
        options = tuple(option for name, value in settings.items() for option in ("-c", f"{name}={value}"))
        return ProcessSpec(
            name=self.name,
            arguments=(str(paths.programs / "postgres"), "-D", str(paths.data), *options),
            environment=bare_environment(),
            lock_file=self._state.lock_file(self.name),
            stop_steps=_STOP_STEPS,
            account=paths.account,
            folder=paths.folder,
        )

    def load_port(self) -> bool:
        """Read the port of a server that another process runs on this folder; return whether there is one."""
        self._port = noted_port(self._port_file) or 0
        return self._port > 0

    def is_ready(self) -> bool:
        """Return whether the server responds; create the database at the first response."""
        try:
            with psycopg.connect(self._url("postgres"), connect_timeout=2, autocommit=True) as connection:
                found = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [_DATABASE]).fetchone()
                if found is None:
                    connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(_DATABASE)))
        except psycopg.OperationalError:
            return False
        return True

    def _url(self, database: str) -> str:
        return f"postgresql://{_USER}:{self._password()}@{LOOPBACK}:{self._port}/{database}"

    @property
    def _port_file(self) -> Path:
        return self._state.path / "postgresql.port"

    def _password(self) -> str:
        return self._state.secret("postgresql.password")

    def _initialize(self, paths: PostgresPaths) -> None:
        """Create the data folder under another name first, so that an interrupted initdb leaves no incomplete one."""
        for leftover in paths.folder.glob("draft-*"):
            shutil.rmtree(leftover)
        draft = Path(tempfile.mkdtemp(prefix="draft-", dir=paths.folder))
        try:
            self._run_initdb(paths, draft)
            (draft / "data").rename(paths.data)
        finally:
            shutil.rmtree(draft, ignore_errors=True)

    def _run_initdb(self, paths: PostgresPaths, draft: Path) -> None:
        password_file = draft / "password"
        password_file.touch(mode=0o600)
        password_file.write_text(self._password())
        if paths.account is not None:
            for path in (draft, password_file):
                shutil.chown(path, paths.account.user, paths.account.group)
        options = (*_INITDB_OPTIONS, f"--pwfile={password_file}", *(("--no-sync",) if self._throwaway else ()))
        result = run_briefly(
            (str(paths.programs / "initdb"), "-D", str(draft / "data"), *options), paths.account, paths.folder
        )
        if result.returncode != 0:
            raise StackError(f"PostgreSQL's data folder cannot be made: {_cause(result.stdout)}")


def _cause(output: str) -> str:
    """Return the line with the cause, which initdb prints before the lines of its clean-up."""
    lines = [line for line in output.splitlines() if line.strip()]
    causes = [line for line in lines if "error:" in line or "FATAL" in line or "No space left" in line]
    return (causes or lines or ["it printed nothing"])[0].strip()
