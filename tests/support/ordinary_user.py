"""Programs of a test as an ordinary user, also where the tests run as root."""

import os
import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).parents[2]
#: The account `nobody`. It may read below closed folders, where the Python of root often is; nothing else is permitted.
_AS_NOBODY = (
    "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all,+dac_read_search",
    "--ambient-caps=+dac_read_search", "--bounding-set=-all,+dac_read_search",
)  # fmt: skip


def run_python_as_ordinary_user(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python with these arguments, and return its output."""
    return subprocess.run(  # noqa: S603 - our own programs
        [*(_AS_NOBODY if os.geteuid() == 0 else ()), sys.executable, *arguments],
        env={"PYTHONPATH": str(_ROOT), "PATH": os.defpath, "PYTHONDONTWRITEBYTECODE": "1"},
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )
