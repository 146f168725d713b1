"""Runs the command `onboarding` in the process of the test, which saves a second for Python and its imports."""

import contextlib
import io
import os
import signal
import subprocess
import sys

import pytest

from cli.main import main


def run_command(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command with arguments and variables, and return its exit code and output.

    Settings of the environment of the tests are left out, so the command has those of `environment` only.
    """
    stdout, stderr = io.StringIO(), io.StringIO()
    interrupt = signal.getsignal(signal.SIGINT)
    with pytest.MonkeyPatch.context() as patch:
        for variable in [name for name in os.environ if name.startswith("ONBOARDING_")]:
            patch.delenv(variable)
        for variable, value in {"COLUMNS": "200", **environment}.items():
            patch.setenv(variable, value)
        patch.setattr(sys, "argv", ["onboarding", *arguments])
        try:
            with (
                contextlib.redirect_stdout(stdout),
                contextlib.redirect_stderr(stderr),
                pytest.raises(SystemExit) as ended,
            ):
                main()
        finally:
            signal.signal(signal.SIGINT, interrupt)
    code = ended.value.code
    assert code is None or isinstance(code, int)
    return subprocess.CompletedProcess(arguments, code or 0, stdout.getvalue(), stderr.getvalue())
