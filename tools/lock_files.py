"""Writes the lock files: every package pinned by hash, for every platform and Python, without naming any registry."""

import subprocess
import sys
from pathlib import Path

_OPTIONS = ("--universal", "--python-version", "3.11", "--generate-hashes", "--no-header", "--no-annotate", "--quiet")
#: Each gets a lock of its own: pip installs uv before anything else, and what makes the wheel of an image.
_INSTALLER = "uv"
_BUILDER = "setuptools"


def main() -> None:
    """Write all; versions that are locked already stay, unless `--upgrade` is given."""
    extra = tuple(sys.argv[1:])
    all_that_runs = ("--constraint", "requirements.lock")
    _compile("requirements.lock", "pyproject.toml", "--extra", "local", *extra)
    _compile("requirements-image.lock", "pyproject.toml", "--extra", "tracing", *all_that_runs, *extra)
    extras = ("--extra", "local", "--extra", "tracing", "--extra", "dev")
    _compile("requirements-dev.lock", "pyproject.toml", *extras, *all_that_runs, *extra)
    _compile("requirements-load.lock", "--group", "load", *extra)
    _compile("requirements-installer.lock", "-", *extra, given=_INSTALLER)
    _compile("requirements-build.lock", "-", *extra, given=_BUILDER)


def _compile(target: str, *options: str, given: str = "") -> None:
    uv = Path(sys.executable).with_name("uv")
    command = (str(uv), "pip", "compile", *_OPTIONS, "--output-file", target, *options)
    subprocess.run(command, input=given, text=True, check=True)


if __name__ == "__main__":
    main()
