"""The state folder: all that a local stack keeps between two runs (ONBOARDING_STATE_DIR, default `.local/`).

Delete the folder for a fresh start. Other users cannot enter it. Made by root, they can pass through but not list it,
because PostgreSQL's data folder inside belongs to an unprivileged account. Each secret is a file of mode 0600.
"""

import base64
import errno
import os
import secrets
import tempfile
from pathlib import Path

from cli.demo.files import create_if_missing
from common.settings.types import ASSIGNMENT_KEY_BYTES, DIGEST_KEY_BYTES, MASTER_KEY_BYTES
from deploy.local.errors import StackError
from deploy.local.supervision.file_lock import read_owner, try_lock, write_owner

MASTER_KEY_FILE = "master.key"
ASSIGNMENT_KEY_FILE = "assignment.key"


class StateFolder:
    """The folder of one stack; the constructor does not touch the disk."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()

    @property
    def demo_file(self) -> Path:
        """The keys and URLs of the running stack for clients (contract, section 6)."""
        return self.path / "demo.json"

    @property
    def metrics_targets_file(self) -> Path:
        """The metrics endpoints of the running stack, for Prometheus."""
        return self.path / "metrics-targets.json"

    @property
    def processes_file(self) -> Path:
        """The process ids of the running stack by name, for people and tests."""
        return self.path / "processes.json"

    def make(self) -> None:
        """Create the folder unless it exists. Raises StackError when it cannot be written."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self.path.chmod(0o711 if os.geteuid() == 0 else 0o700)
            self.subfolder("locks")
        except OSError as error:
            raise StackError(f"the state folder {self.path} cannot be written: {error.strerror}") from error

    def subfolder(self, name: str) -> Path:
        """Return a folder inside, created if necessary."""
        folder = self.path / name
        folder.mkdir(mode=0o700, exist_ok=True)
        return folder

    def lock_file(self, name: str) -> Path:
        """Return the lock file of a process."""
        return self.path / "locks" / f"{name}.lock"

    def lock(self) -> int:
        """Lock the folder for this launcher, until it ends. Raises StackError when another stack runs on it."""
        file = self.lock_file("launcher")
        lock = try_lock(file)
        if lock is None:
            raise StackError(f"another stack (process {read_owner(file)}) is running on the state folder {self.path}")
        write_owner(lock, os.getpid())
        return lock

    def secret(self, name: str) -> str:
        """Return a random password, created at its first use."""
        return self._secret(name, secrets.token_urlsafe(32))

    def master_key(self) -> str:
        """Return the master key, created at its first use, in base64."""
        return self._secret(MASTER_KEY_FILE, _random_key(MASTER_KEY_BYTES))

    def assignment_key(self) -> str:
        """Return the key that signs assignment tokens, created at its first use, in base64."""
        return self._secret(ASSIGNMENT_KEY_FILE, _random_key(ASSIGNMENT_KEY_BYTES))

    def device_digest_key(self) -> str:
        """Return the key of the digests of erased devices, created at its first use, in base64."""
        return self._secret("device-digest.key", _random_key(DIGEST_KEY_BYTES))

    def existing_secret(self, name: str) -> str | None:
        """Return a secret that exists, else None."""
        try:
            return (self.path / name).read_text().strip()
        except FileNotFoundError:
            return None

    def _secret(self, name: str, proposal: str) -> str:
        file = self.path / name
        create_if_missing(file, proposal.encode())
        return file.read_text().strip()


def _random_key(length: int) -> str:
    return base64.b64encode(secrets.token_bytes(length)).decode()


def is_full(error: OSError) -> bool:
    """Return whether the cause is a full disk, a used quota, or a limit of file size."""
    return error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def has_room(folder: Path) -> bool:
    """Return whether the disk of the folder has room for a megabyte, by trying."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(1024 * 1024))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        return not is_full(error)
    return True
