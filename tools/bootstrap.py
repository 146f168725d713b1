"""Makes the virtual environment of the project and keeps it equal to the lock files; needs the standard library only.

Every make target runs it first. An interrupted run is repeated: the stamp of a complete environment is written last.
"""

import argparse
import ast
import fcntl
import hashlib
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: The kinds of environment, each a lock file in requirements/, with the kinds that have all of its packages.
KINDS = {"runtime": ("runtime", "dev"), "dev": ("dev",), "load": ("load",)}
#: pip's settings by uv's variables: uv does not read pip's configuration.
_UV_VARIABLES = {"index-url": "UV_DEFAULT_INDEX", "extra-index-url": "UV_INDEX", "cert": "SSL_CERT_FILE"}
_CAUSES = {
    "the disk is full": r"No space left on device|Disk quota exceeded",
    "is there a network?": r"name resolution|dns error|[Cc]onnect|timed out|No matching distribution",
}


class SetupError(Exception):
    """The environment cannot be made; the message is one line."""


def main(arguments: list[str]) -> int:
    """Bring the environment up to date and return the exit code."""
    parser = argparse.ArgumentParser(description="Make the virtual environment of the project, or update it.")
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--venv", type=Path, required=True)
    options = parser.parse_args(arguments)
    try:
        update(options.venv.absolute(), options.kind)
    except (SetupError, OSError) as error:
        sys.stderr.write(f"setup: {error}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("setup: interrupted\n")
        return 130
    return 0


def update(venv: Path, kind: str) -> None:
    """Make or update the environment, unless it is complete. Raises SetupError and OSError."""
    if is_complete(venv, kind):
        return
    venv.mkdir(parents=True, exist_ok=True)
    folder = os.open(venv, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)  # until this process ends: two make targets may start at once
    if is_complete(venv, kind):
        return
    python, stamp = venv / "bin" / "python", stamp_of(venv)
    if not stamp.exists() or stamp.read_text().splitlines()[:1] != [_identity(venv)]:
        _make_venv(venv)
    stamp.write_text(_identity(venv))
    lock = f"requirements/{kind}.txt"
    _report(f"installing {lock}")
    build = ("--no-deps", "--require-hashes", "--requirement", str(ROOT / "requirements" / "build.txt"))
    _run([*_pip(python), *build])
    _install(python, "--no-deps", "--require-hashes", "--requirement", str(ROOT / lock))
    _install(python, "--no-deps", "--no-build-isolation", "--editable", str(ROOT))
    stamp.write_text(fingerprint(venv, kind))


def is_complete(venv: Path, kind: str) -> bool:
    """Return whether the environment has all packages of that kind, as the lock files name them now."""
    stamp = stamp_of(venv)
    return stamp.exists() and stamp.read_text() in [fingerprint(venv, larger) for larger in KINDS[kind]]


def stamp_of(venv: Path) -> Path:
    """Return the file that identifies a complete environment."""
    return venv / "bootstrap.stamp"


def fingerprint(venv: Path, kind: str) -> str:
    """Return the stamp of a complete environment: its identity, and a digest of the files that it is made from."""
    sources = (f"requirements/{kind}.txt", "requirements/build.txt", "pyproject.toml", "tools/bootstrap.py")
    digest = hashlib.sha256(b"".join((ROOT / source).read_bytes() for source in sources))
    return f"{_identity(venv)}\n{kind} {digest.hexdigest()}\n"


def _identity(venv: Path) -> str:
    """Name what an environment is bound to: it breaks when it is moved or its Python changes."""
    return " ".join(f"{sys.version} {sys.base_prefix} {venv} {ROOT}".split())


def _make_venv(venv: Path) -> None:
    version = ".".join(map(str, sys.version_info[:3]))
    _report(f"making {venv} with Python {version}")
    if not all(map(importlib.util.find_spec, ("venv", "ensurepip"))):
        package = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
        raise SetupError(f"{sys.executable} cannot make environments: install {package}, or name a Python with PYTHON=")
    # In two steps, because venv hides the messages of ensurepip.
    _run([sys.executable, "-m", "venv", "--clear", "--without-pip", str(venv)])
    _run([str(venv / "bin" / "python"), "-m", "ensurepip", "--default-pip"])


def _install(python: Path, *arguments: str) -> None:
    """Install with uv, which takes seconds, or with pip where uv cannot."""
    uv = [str(python.with_name("uv")), "pip", "install", "--quiet", "--python", str(python)]
    try:
        _run([*uv, *arguments], _uv_environment(python))
    except SetupError as error:
        if "the disk is full" in str(error):
            raise
        _report(f"uv failed: {error}; trying pip, which takes a minute")
        _run([*_pip(python), *arguments])


def _pip(python: Path) -> list[str]:
    options = ("--quiet", "--no-input", "--disable-pip-version-check", "--no-compile", "--retries", "1")
    return [str(python), "-m", "pip", "install", *options]


def _uv_environment(python: Path) -> dict[str, str]:
    """Return the variables that configure uv like pip; variables of the user's environment win."""
    listed = _run([str(python), "-m", "pip", "--disable-pip-version-check", "config", "list"])
    settings = dict(line.split("=", 1) for line in listed.splitlines() if "=" in line)
    # Hashes are pinned: a package may come from any index.
    variables = {"UV_INDEX_STRATEGY": "unsafe-best-match"}
    for section in ("global", "install", ":env:"):
        for option, variable in _UV_VARIABLES.items():
            if f"{section}.{option}" in settings:
                variables[variable] = " ".join(ast.literal_eval(settings[f"{section}.{option}"]).split())
    return variables | os.environ


def _run(command: list[str], environment: dict[str, str] | None = None) -> str:
    """Run a command quietly and return its output. Raises SetupError with the line that names the cause."""
    process = subprocess.run(
        command,
        env=environment,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if process.returncode != 0:
        raise SetupError(explain(process.stdout) or f"{command[0]} ended with {process.returncode}")
    return process.stdout


def explain(output: str) -> str:
    """Return the line of a failed command's output that names the cause, with a hint at common ones."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith("error")] or lines[-1:]
    hints = [f" ({cause})" for cause, pattern in _CAUSES.items() if re.search(pattern, output)]
    return "".join(errors[-1:] + hints[:1])


def _report(line: str) -> None:
    """Write to standard error: standard output belongs to the command that follows."""
    sys.stderr.write(f"setup: {line}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
