"""Where figures are put up for whoever shows them. A scrape reads what is there, and so waits for no worker."""

import time
from typing import Protocol

from common.telemetry.catalogue import process as catalogue
from common.telemetry.catalogue.complete import CATALOGUE
from common.telemetry.declaration import Process
from common.telemetry.merging import merge
from common.telemetry.process_metrics import build_info
from common.telemetry.samples import Report, Sample, SampleSet


class MetricsSource(Protocol):
    """What a page is made of."""

    def readings(self) -> list[Sample]:
        """Give what is put up now, of all workers together."""
        ...


class MetricsWriter(Protocol):
    """Where one worker puts up its figures."""

    def post(self, report: Report) -> None:
        """Put them up in place of those before. Raises nothing: figures are never a reason not to serve."""
        ...

    def close(self) -> None:
        """Leave the last ones."""
        ...


class ProcessMetricsSource:
    """The board of a process that has one worker, itself."""

    def __init__(self, process: Process) -> None:
        self._process: Process = process
        self._latest: Report | None = None

    def post(self, report: Report) -> None:
        """Put a report up."""
        self._latest = report

    def close(self) -> None:
        """Leave it."""

    def readings(self) -> list[Sample]:
        """Give the latest."""
        latest = self._latest
        own = SampleSet()
        build_info(self._process, own)
        if latest is not None:
            own.add(catalogue.METRICS_AGE, time.monotonic() - latest.taken_at, self._process)
        return merge(CATALOGUE, [*(latest.readings if latest is not None else ()), *own.all])
