"""Programs of a test as an ordinary user, also where the tests run as root."""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

_ROOT = Path(__file__).parents[2]
_NOBODY = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all")
#: For a Python below a folder that only root may enter. Reading is all that it permits.
_READER = (*_NOBODY[:-1], "--inh-caps=-all,+dac_read_search", "--ambient-caps=+dac_read_search")


def run_python_as_ordinary_user(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python with these arguments, and return its output."""
    return _run([*_account(), sys.executable, *arguments])


@cache
def _account() -> tuple[str, ...]:
    if os.geteuid() != 0:
        return ()
    # A Python that cannot read its own modules takes those of another one.
    probe = f"import json; assert json.__file__ == {json.__file__!r}"
    can_start = _run([*_NOBODY, sys.executable, "-c", probe]).returncode == 0
    return _NOBODY if can_start else _READER


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    environment = {"PYTHONPATH": str(_ROOT), "PATH": os.defpath, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, env=environment, cwd="/", capture_output=True, text=True, check=False)  # noqa: S603
