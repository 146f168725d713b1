"""Installs a lock file with uv, which takes seconds, or with pip where uv cannot; failures become one clear line."""

import os
import subprocess
import sys
from pathlib import Path

_NETWORK_COMPLAINTS = (
    "name resolution",
    "dns error",
    "NewConnectionError",
    "ConnectTimeout",
    "ConnectionError",
    "Connection refused",
    "Network is unreachable",
    "error sending request",
    "timed out",
    "ProxyError",
    "No matching distribution found",
)
_DISK_COMPLAINTS = ("No space left on device", "Disk quota exceeded")


class SetupError(Exception):
    """The environment cannot be made; the message is one line."""


class DiskFullError(SetupError):
    """Trying it another way would not help."""


def say(line: str) -> None:
    """Tell the person at the terminal; standard output belongs to the command that follows."""
    sys.stderr.write(f"setup: {line}\n")
    sys.stderr.flush()


def install_locked(python: Path, lock: Path, *, installer_lock: Path) -> None:
    """Install exactly what the lock file pins into the environment of that interpreter. Raises SetupError."""
    count = sum(1 for line in lock.read_text().splitlines() if "==" in line and not line.startswith(" "))
    say(f"installing {count} packages of {lock.name}")
    try:
        _install_with_uv(python, lock, installer_lock)
    except DiskFullError:
        raise
    except SetupError as error:
        # uv does not read pip's configuration, which may be the only thing that knows the way to a registry.
        say(f"uv could not ({error}); trying pip, which takes a minute")
        _install_with_pip(python, lock)


def run_step(command: list[str], environment: dict[str, str] | None = None) -> None:
    """Run a command quietly. Raises SetupError with the line that says what is wrong."""
    result = subprocess.run(
        command,
        env={**os.environ, **(environment or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if result.returncode != 0:
        is_full = any(complaint in result.stdout for complaint in _DISK_COMPLAINTS)
        raise (DiskFullError if is_full else SetupError)(explain(result.stdout))


def explain(output: str) -> str:
    """Turn the output of a failed command into one line."""
    lines = [line.strip() for line in output.splitlines() if line.strip()] or ["it ended without a word"]
    for complaint in _DISK_COMPLAINTS:
        if complaint in output:
            return f"the disk is full ({complaint})"
    for complaint in _NETWORK_COMPLAINTS:
        if complaint in output:
            return f"packages cannot be downloaded, is there a network? ({complaint})"
    return next((line for line in lines if line.lower().startswith("error")), lines[-1])


def _install_with_uv(python: Path, lock: Path, installer_lock: Path) -> None:
    uv = python.with_name("uv")
    if not uv.exists():
        _install_with_pip(python, installer_lock)
    run_step(
        [str(uv), "pip", "install", "--quiet", "--python", str(python), "--require-hashes", "--requirement", str(lock)],
        # The caches may lie on another disk than the environment: copying is then no cause for a warning.
        {"UV_PYTHON_DOWNLOADS": "never", "UV_LINK_MODE": os.environ.get("UV_LINK_MODE", "hardlink")},
    )


def _install_with_pip(python: Path, lock: Path) -> None:
    run_step(
        [
            *(str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"),
            *("--retries", "1", "--no-deps", "--require-hashes", "--requirement", str(lock)),
        ]
    )
