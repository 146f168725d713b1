"""tools/bootstrap.py: which environments are complete, and failures in one line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools.bootstrap import ROOT, fingerprint, is_complete, stamp_of

pytestmark = pytest.mark.slow


@pytest.fixture
def venv(tmp_path: Path) -> Path:
    """Return the folder of an environment with the packages for development."""
    stamp_of(tmp_path).write_text(fingerprint(tmp_path, "dev"))
    return tmp_path


def test_environment_for_development_serves_the_runtime_too(venv: Path) -> None:
    assert [is_complete(venv, kind) for kind in ("runtime", "dev", "load")] == [True, True, False]


def test_environment_of_the_runtime_is_not_enough_for_development(tmp_path: Path) -> None:
    stamp_of(tmp_path).write_text(fingerprint(tmp_path, "runtime"))
    assert [is_complete(tmp_path, kind) for kind in ("runtime", "dev")] == [True, False]


def test_environment_of_another_lock_file_is_not_complete(venv: Path) -> None:
    stamp_of(venv).write_text(fingerprint(venv, "dev").replace("dev ", "dev 0"))
    assert not is_complete(venv, "dev")


def test_bootstrap_without_an_index_fails_in_one_line_and_leaves_no_complete_environment(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "UV_"))}
    command = (sys.executable, ROOT / "tools" / "bootstrap.py", "--venv", tmp_path / "venv", "runtime")
    ended = subprocess.run(  # noqa: S603 - our own program
        command,
        env=environment | {"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull},
        capture_output=True,
        text=True,
        check=False,
    )
    progress, failure = ended.stderr.splitlines()[:-1], ended.stderr.splitlines()[-1]
    assert ended.returncode == 1
    assert [line.split()[1] for line in progress] == ["making", "installing"]
    assert failure.startswith("setup: ERROR: No matching distribution found")
    assert failure.endswith("(is there a network?)")
    assert not is_complete(tmp_path / "venv", "runtime")
