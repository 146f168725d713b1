"""Makes the virtual environment and keeps it equal to the lock files; the standard library is all it has.

It may be interrupted anywhere and started twice at once: a lock lets one work at a time, and the stamp that says "done"
is written last.
"""

import argparse
import fcntl
import hashlib
import importlib.util
import os
import shlex
import sys
import sysconfig
from pathlib import Path

from deploy.local.package_installation import SetupError, install_locked, run_step, say

ROOT = Path(__file__).parents[2]
#: Which lock file each kind of environment is installed from.
LOCKS = {
    "runtime": ROOT / "requirements.lock",
    "dev": ROOT / "requirements-dev.lock",
    "load": ROOT / "requirements-load.lock",
}
#: Which kinds hold all of a kind, itself among them.
_CONTAINED_IN = {"runtime": ("runtime", "dev"), "dev": ("dev",), "load": ("load",)}

_SCRIPT = """\
#!/bin/sh
exec {python} -P -m cli.main "$@"
"""


def main(arguments: list[str]) -> int:
    """Bring the environment up to date and give the exit code; failures are one line on standard error."""
    parser = argparse.ArgumentParser(description="Make the virtual environment of the project, or update it.")
    parser.add_argument("kind", choices=sorted(LOCKS))
    parser.add_argument("--venv", type=Path, required=True)
    options = parser.parse_args(arguments)
    try:
        _bring_up_to_date(options.venv.absolute(), options.kind)
    except SetupError as error:
        sys.stderr.write(f"setup: {error}\n")
        return 1
    except OSError as error:
        sys.stderr.write(f"setup: {error.strerror}: {error.filename or options.venv}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("setup: interrupted\n")
        return 130
    return 0


def _bring_up_to_date(venv: Path, kind: str) -> None:
    if _is_done(venv, kind):
        return
    venv.mkdir(parents=True, exist_ok=True)
    # The folder itself is locked: it outlives `venv --clear`, which would delete a lock file inside it.
    folder = os.open(venv, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        if not _is_done(venv, kind):
            _install(venv, kind)
    finally:
        os.close(folder)


def _install(venv: Path, kind: str) -> None:
    python = venv / "bin" / "python"
    made = venv / "made.stamp"
    if not python.exists() or not made.exists() or made.read_text() != _interpreter():
        _make_venv(venv)
        made.write_text(_interpreter())
    install_locked(python, LOCKS[kind], installer_lock=ROOT / "requirements-installer.lock")
    _link_project(venv, python)
    _stamp(venv, kind).write_text(_fingerprint(kind))


def _make_venv(venv: Path) -> None:
    version = ".".join(map(str, sys.version_info[:3]))
    say(f"making {venv} with Python {version}")
    for module in ("venv", "ensurepip"):
        if importlib.util.find_spec(module) is None:
            package = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
            raise SetupError(
                f"{sys.executable} has no {module} module: install {package}, or name another Python with PYTHON=..."
            )
    # In two steps, because venv keeps what ensurepip has to say to itself.
    run_step([sys.executable, "-m", "venv", "--clear", "--without-pip", str(venv)])
    run_step([str(venv / "bin" / "python"), "-m", "ensurepip", "--default-pip"])


def _link_project(venv: Path, python: Path) -> None:
    """Make the project importable and its command callable: an editable install that needs no build, so no download."""
    names = {"base": str(venv), "platbase": str(venv)}
    packages = Path(sysconfig.get_path("purelib", "venv", vars=names))
    (packages / "onboarding.pth").write_text(f"{ROOT}\n")
    command = venv / "bin" / "onboarding"
    command.write_text(_SCRIPT.format(python=shlex.quote(str(python))))
    command.chmod(0o755)


def _is_done(venv: Path, kind: str) -> bool:
    """Tell whether the environment is of this kind or a larger one, and in date."""
    stamps = ((each, _stamp(venv, each)) for each in _CONTAINED_IN[kind])
    return any(stamp.exists() and stamp.read_text() == _fingerprint(each) for each, stamp in stamps)


def _stamp(venv: Path, kind: str) -> Path:
    return venv / f"{kind}.stamp"


def _fingerprint(kind: str) -> str:
    digest = hashlib.sha256(_interpreter().encode())
    for file in (LOCKS[kind], Path(__file__)):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _interpreter() -> str:
    """Name what an environment is bound to: it breaks when it is moved or its Python changes."""
    return f"{sys.version} {sys.base_prefix} {ROOT}"
