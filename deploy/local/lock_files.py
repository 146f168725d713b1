"""Writes the lock files: every package pinned by hash, for every platform and Python, without naming any registry."""

import subprocess
import sys
from pathlib import Path

_OPTIONS = ("--universal", "--python-version", "3.11", "--generate-hashes", "--no-header", "--no-annotate", "--quiet")
#: uv gets a lock of its own, which pip installs before anything else.
_INSTALLER = "uv"


def main() -> None:
    """Write all four; versions that are locked already stay, unless `--upgrade` is given."""
    extra = tuple(sys.argv[1:])
    _compile("requirements.lock", "pyproject.toml", *extra)
    _compile("requirements-dev.lock", "pyproject.toml", "--extra", "dev", "--constraint", "requirements.lock", *extra)
    _compile("requirements-load.lock", "--group", "load", *extra)
    _compile("requirements-installer.lock", "-", *extra, given=_INSTALLER)


def _compile(target: str, *options: str, given: str = "") -> None:
    uv = Path(sys.executable).with_name("uv")
    command = (str(uv), "pip", "compile", *_OPTIONS, "--output-file", target, *options)
    subprocess.run(command, input=given, text=True, check=True)


if __name__ == "__main__":
    main()
