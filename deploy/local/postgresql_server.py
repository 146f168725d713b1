"""The embedded PostgreSQL: made once by initdb, then started on the loopback with a password from the state folder."""

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
    # No socket file: its path would have to be short, and reachable by the unprivileged account.
    "unix_socket_directories": "",
    "max_connections": "200",
    "shared_buffers": "128MB",
    "log_checkpoints": "off",
    # Neither statements nor the values in them belong in a log.
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "timezone": "UTC",
    "log_timezone": "UTC",
}
#: For tests, where a machine that crashes takes the data's worth with it.
THROWAWAY_SETTINGS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "shared_buffers": "64MB",
    "autovacuum": "off",
}
#: SIGTERM would wait for every client to leave; SIGINT ends their transactions, SIGQUIT leaves it to crash recovery.
_STOP_STEPS = (StopStep(signal.SIGINT, 15), StopStep(signal.SIGQUIT, 5))


class PostgresqlServer:
    """PostgreSQL on one state folder."""

    name = "postgresql"

    def __init__(
        self, state: StateFolder, *, throwaway: bool = False, settings: Mapping[str, str] | None = None
    ) -> None:
        """Choose the server of a state folder; `settings` are PostgreSQL's, beside and before those it has here."""
        self._state = state
        self._settings = {**_SETTINGS, **(THROWAWAY_SETTINGS if throwaway else {}), **(settings or {})}
        self._throwaway = throwaway
        self._port = 0

    @property
    def url(self) -> str:
        """Where the server listens since :meth:`program` or :meth:`find`, with the password."""
        return self._url(_DATABASE)

    def program(self) -> ProcessSpec:
        """Prepare the data folder and a port, and say what to run. Raises StackError."""
        home = find_paths(self._state)
        if not (home.data / "PG_VERSION").exists():
            self._initialise(home)
        self._port = remembered_port(self._port_file)
        settings = {**self._settings, "port": str(self._port)}
        options = tuple(option for name, value in settings.items() for option in ("-c", f"{name}={value}"))
        return ProcessSpec(
            name=self.name,
            arguments=(str(home.programs / "postgres"), "-D", str(home.data), *options),
            environment=bare_environment(),
            lock_file=self._state.lock_file(self.name),
            stop_steps=_STOP_STEPS,
            account=home.account,
            folder=home.folder,
        )

    def find(self) -> bool:
        """Learn where a server that another process runs on this folder listens; tells whether one ever did."""
        self._port = noted_port(self._port_file) or 0
        return self._port > 0

    def is_ready(self) -> bool:
        """Tell whether the server answers; the first time that it does, our database is made."""
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

    def _initialise(self, home: PostgresPaths) -> None:
        """Make the data folder under another name first: initdb that is interrupted leaves nothing that looks whole."""
        for leftover in home.folder.glob("draft-*"):
            shutil.rmtree(leftover)
        draft = Path(tempfile.mkdtemp(prefix="draft-", dir=home.folder))
        try:
            self._run_initdb(home, draft)
            (draft / "data").rename(home.data)
        finally:
            shutil.rmtree(draft, ignore_errors=True)

    def _run_initdb(self, home: PostgresPaths, draft: Path) -> None:
        password_file = draft / "password"
        password_file.touch(mode=0o600)
        password_file.write_text(self._password())
        if home.account is not None:
            for path in (draft, password_file):
                shutil.chown(path, home.account.user, home.account.group)
        options = (*_INITDB_OPTIONS, f"--pwfile={password_file}", *(("--no-sync",) if self._throwaway else ()))
        result = run_briefly(
            (str(home.programs / "initdb"), "-D", str(draft / "data"), *options), home.account, home.folder
        )
        if result.returncode != 0:
            raise StackError(f"PostgreSQL's data folder cannot be made: {_complaint(result.stdout)}")


def _complaint(output: str) -> str:
    """Pick the line that says what is wrong: the tidying up that initdb reports after it does not."""
    lines = [line for line in output.splitlines() if line.strip()]
    telling = [line for line in lines if "error:" in line or "FATAL" in line or "No space left" in line]
    return (telling or lines or ["it says nothing"])[0].strip()
