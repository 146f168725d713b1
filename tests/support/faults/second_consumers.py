"""Event consumers beside that of the stack, which are started again when they are killed."""

import random
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.support.servers.service_process import StartedProcess


class SecondConsumers:
    """A number of further consumers until the end of a `with` block."""

    def __init__(self, count: int, environment: Mapping[str, str], log_file: Path) -> None:
        self._environment = environment
        self._log_file = log_file
        self._processes = [self._start() for _ in range(count)]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in self._processes:
            process.kill()

    def kill_one(self) -> None:
        """Send SIGKILL to a consumer, and start another in its place."""
        number = random.randrange(len(self._processes))
        self._processes[number].kill()
        self._processes[number] = self._start()

    def _start(self) -> StartedProcess:
        return StartedProcess(
            "management_api.event_consumer.main", "ConsumerSettings", self._environment, self._log_file
        )
