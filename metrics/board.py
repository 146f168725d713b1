"""Where figures are put up for whoever shows them. A scrape reads what is there, and so waits for no worker."""

import time
from typing import Protocol

from metrics.catalogue import every_process as catalogue
from metrics.catalogue.whole import CATALOGUE
from metrics.declaration import Process
from metrics.merging import merge
from metrics.process_figures import build_info
from metrics.readings import Reading, Readings, Report


class Board(Protocol):
    """What a page is made of."""

    def readings(self) -> list[Reading]:
        """Give what is put up now, of all workers together."""
        ...


class Desk(Protocol):
    """Where one worker puts up its figures."""

    def post(self, report: Report) -> None:
        """Put them up in place of those before. Raises nothing: figures are never a reason not to serve."""
        ...

    def close(self) -> None:
        """Leave the last ones."""
        ...


class OwnBoard:
    """The board of a process that has one worker, itself."""

    def __init__(self, process: Process) -> None:
        self._process: Process = process
        self._latest: Report | None = None

    def post(self, report: Report) -> None:
        """Put a report up."""
        self._latest = report

    def close(self) -> None:
        """Leave it."""

    def readings(self) -> list[Reading]:
        """Give the latest."""
        latest = self._latest
        own = Readings()
        build_info(self._process, own)
        if latest is not None:
            own.add(catalogue.FIGURES_AGE, time.monotonic() - latest.taken_at, self._process)
        return merge(CATALOGUE, [*(latest.readings if latest is not None else ()), *own.all])
