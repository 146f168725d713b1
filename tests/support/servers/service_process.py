"""A process of the service as a child of a test, started by its entry point."""

import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.support.servers.release import THIS_RELEASE, Release

_STOP_SECONDS = 20.0
#: Tests of the metrics set ports of their own.
_NO_METRICS = {"ONBOARDING_PUBLISHER_METRICS_PORT": "0", "ONBOARDING_CONSUMER_METRICS_PORT": "0"}

#: Starts a process as the command line does: read the settings, set up logging, run.
_PROGRAM = """
import importlib, sys
from common.logging import configure_logging
from common.settings.sources import read_settings
module, settings_class = sys.argv[1:]
settings_module = importlib.import_module(module.rpartition(".")[0] + ".settings")
own = read_settings(getattr(settings_module, settings_class))
configure_logging(own, module)
importlib.import_module(module).run(own)
"""


class StartedProcess:
    """A process that executes `run(settings)` of a module; a context manager that kills it."""

    def __init__(
        self,
        module: str,
        settings_class: str,
        environment: Mapping[str, str],
        log_file: Path,
        release: Release = THIS_RELEASE,
    ) -> None:
        with log_file.open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603 - our own code
                [release.python, "-P", "-c", _PROGRAM, module, settings_class],
                env=release.environment({**_NO_METRICS, **environment}),
                stdout=log,
                stderr=log,
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def kill(self) -> None:
        """Send SIGKILL; the process may have ended before."""
        self._process.kill()
        self._process.wait()

    def terminate(self) -> int:
        """Send SIGTERM and return the exit status."""
        self._process.send_signal(signal.SIGTERM)
        return self._process.wait(_STOP_SECONDS)
