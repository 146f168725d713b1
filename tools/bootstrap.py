"""Makes the virtual environment of the project and keeps it equal to the lock files; needs the standard library only.

Every make target runs it first. An interrupted run is repeated: the stamp of a complete environment is written last.
"""

import argparse
import ast
import fcntl
import hashlib
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: The kinds of environment, each a lock file in requirements/, with the kinds that have all of its packages.
KINDS = {"runtime": ("runtime", "dev"), "dev": ("dev",), "load": ("load",)}
#: pip's settings by uv's variables: uv does not read pip's configuration.
_UV_VARIABLES = {"index-url": "UV_DEFAULT_INDEX", "extra-index-url": "UV_INDEX", "cert": "SSL_CERT_FILE"}
_DISK_IS_FULL = "the disk is full"
_CAUSES = {
    _DISK_IS_FULL: r"No space left on device|Disk quota exceeded",
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
        _report(str(error))
        return 1
    except KeyboardInterrupt:
        _report("interrupted")
        return 130
    return 0


def update(venv: Path, kind: str) -> None:
    """Create or update the environment, unless it is complete. Raises SetupError and OSError."""
    if is_complete(venv, kind):
        return
    venv.mkdir(parents=True, exist_ok=True)
    # Locked until this process ends: two make targets may start at once. The folder outlives `venv --clear`.
    fcntl.flock(os.open(venv, os.O_RDONLY), fcntl.LOCK_EX)
    if is_complete(venv, kind):
        return
    stamp = stamp_of(venv)
    if not stamp.exists() or stamp.read_text().splitlines()[:1] != [_identity(venv)]:
        _make_venv(venv)
    stamp.write_text(_identity(venv))
    _install(venv, f"requirements/{kind}.txt")
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
    """Return the line that names Python and the folders: moved or with another Python, an environment is broken."""
    return " ".join(f"{sys.version} {sys.base_prefix} {venv} {ROOT}".split())


def _make_venv(venv: Path) -> None:
    _report(f"making {venv} with Python {sys.version.split()[0]}")
    if find_spec("venv") is None or (find_spec("pip") or find_spec("ensurepip")) is None:
        package = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
        raise SetupError(f"{sys.executable} cannot make environments: install {package}, or name a Python with PYTHON=")
    _run([sys.executable, "-m", "venv", "--clear", "--without-pip", str(venv)])
    if find_spec("pip") is None:
        _run([str(venv / "bin" / "python"), "-m", "ensurepip"])


def _install(venv: Path, lock: str) -> None:
    """Install the packages, and the project itself as a link to this clone: by uv, which takes seconds, else by pip."""
    _report(f"installing {lock}")
    python = str(venv / "bin" / "python")
    # The pip of the running Python needs no copy in the environment, which would take seconds. Some have no pip.
    pip = [sys.executable, "-m", "pip", "--python", python] if find_spec("pip") else [python, "-m", "pip"]
    pip += ["--no-input", "--disable-pip-version-check"]
    pip_install = [*pip, "install", "--quiet", "--no-user", "--no-compile", "--retries", "1", "--no-deps"]
    _run([*pip_install, "--require-hashes", "--requirement", "requirements/build.txt"])
    uv_install = [str(venv / "bin" / "uv"), "pip", "install", "--quiet", "--python", python, "--no-deps"]
    uv_environment = uv_variables(_run([*pip, "config", "list"]))
    for wanted in (("--require-hashes", "--requirement", lock), ("--no-build-isolation", "--editable", ".")):
        try:
            _run([*uv_install, *wanted], uv_environment | os.environ)
        except SetupError as error:
            if _DISK_IS_FULL in str(error):
                raise
            _report(f"uv failed: {error}; trying pip, which takes a minute")
            _run([*pip_install, *wanted])


def uv_variables(pip_config: str) -> dict[str, str]:
    """Return the variables that configure uv like pip."""
    settings = dict(line.split("=", 1) for line in pip_config.splitlines() if "=" in line)
    # Hashes are pinned: a package may come from any index.
    variables = {"UV_INDEX_STRATEGY": "unsafe-best-match"}
    for section in ("global", "install", ":env:"):
        for option, variable in _UV_VARIABLES.items():
            if f"{section}.{option}" in settings:
                variables[variable] = " ".join(ast.literal_eval(settings[f"{section}.{option}"]).split())
    return variables


def _run(command: list[str], environment: dict[str, str] | None = None) -> str:
    """Run a command in the clone and return its output. Raises SetupError with the line that names the cause."""
    done = subprocess.run(
        command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    output, errors = (text.decode(errors="replace") for text in (done.stdout, done.stderr))
    if done.returncode != 0:
        raise SetupError(explain(output + errors) or f"{command[0]} ended with {done.returncode}")
    return output


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
