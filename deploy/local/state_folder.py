"""The state folder: everything that a local stack keeps between two runs (ONBOARDING_STATE_DIR, default `.local/`).

Deleting the folder gives a fresh start. It is closed to other users; as root they may pass through it (never list it),
because PostgreSQL's data folder below belongs to an unprivileged account. Every secret is a file of mode 0600.
"""

import base64
import errno
import os
import secrets
import tempfile
from pathlib import Path

from common.settings.types import ASSIGNMENT_KEY_BYTES, MASTER_KEY_BYTES
from deploy.local.errors import StackError
from deploy.local.file_lock import read_owner, try_lock
from deploy.local.file_lock import write_owner as note_owner

MASTER_KEY_FILE = "master.key"
ASSIGNMENT_KEY_FILE = "assignment.key"


class StateFolder:
    """The folder of one stack; making the object touches nothing."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()

    @property
    def demo_file(self) -> Path:
        """What a client needs to try the running stack (contract, section 6)."""
        return self.path / "demo.json"

    @property
    def metrics_targets_file(self) -> Path:
        """Where the processes of a running stack show their metrics, for Prometheus."""
        return self.path / "metrics-targets.json"

    @property
    def processes_file(self) -> Path:
        """Process ids of the running stack by name, for people and tests."""
        return self.path / "processes.json"

    def make(self) -> None:
        """Make the folder where it is missing. Raises StackError when it cannot be written."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self.path.chmod(0o711 if os.geteuid() == 0 else 0o700)
            self.subfolder("locks")
        except OSError as error:
            raise StackError(f"the state folder {self.path} cannot be written: {error.strerror}") from error

    def subfolder(self, name: str) -> Path:
        """Give a folder inside, made when missing."""
        folder = self.path / name
        folder.mkdir(mode=0o700, exist_ok=True)
        return folder

    def lock_file(self, name: str) -> Path:
        """Give the lock file of one of our processes."""
        return self.path / "locks" / f"{name}.lock"

    def take(self) -> int:
        """Take the folder for this launcher, until it ends. Raises StackError when another stack runs on it."""
        file = self.lock_file("launcher")
        lock = try_lock(file)
        if lock is None:
            raise StackError(f"another stack (process {read_owner(file)}) is running on the state folder {self.path}")
        note_owner(lock, os.getpid())
        return lock

    def secret(self, name: str) -> str:
        """Give a random password that is made at its first use."""
        return self._made(name, secrets.token_urlsafe(32))

    def master_key(self) -> str:
        """Give the master key that is made at its first use, in base64."""
        return self._made(MASTER_KEY_FILE, _random_key(MASTER_KEY_BYTES))

    def assignment_key(self) -> str:
        """Give the key that signs assignment tokens, made at its first use, in base64."""
        return self._made(ASSIGNMENT_KEY_FILE, _random_key(ASSIGNMENT_KEY_BYTES))

    def kept(self, name: str) -> str | None:
        """Give a secret that was made already; None when it was not."""
        try:
            return (self.path / name).read_text().strip()
        except FileNotFoundError:
            return None

    def _made(self, name: str, proposal: str) -> str:
        file = self.path / name
        keep_first(file, proposal.encode())
        return file.read_text().strip()


def _random_key(length: int) -> str:
    return base64.b64encode(secrets.token_bytes(length)).decode()


def keep_first(file: Path, content: bytes) -> None:
    """Make a file of mode 0600 if there is none. Of several at once one wins; an interrupted one leaves none."""
    if file.exists():
        return
    draft = _draft(file, content)
    try:
        os.link(draft, file)
    except FileExistsError:
        return
    finally:
        draft.unlink()


def replace_file(file: Path, content: bytes) -> None:
    """Write a file of mode 0600 so that a reader sees the old content or the new, never a part."""
    draft = _draft(file, content)
    try:
        draft.replace(file)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def is_full(error: OSError) -> bool:
    """Return whether the error is that of a full disk, a quota that is used up, or a limit of the size of files."""
    return error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def has_room(folder: Path) -> bool:
    """Return whether the disk of the folder takes a megabyte more, by trying."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(1024 * 1024))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        return not is_full(error)
    return True


def _draft(file: Path, content: bytes) -> Path:
    descriptor, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    try:
        with os.fdopen(descriptor, "wb") as draft:
            draft.write(content)
            draft.flush()
            os.fsync(draft.fileno())
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return Path(name)
