"""Puts up a worker's figures once a second: read in its event loop, since they are the loop's, written in a thread."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from common.telemetry.metrics_source import MetricsWriter
from common.telemetry.process_metrics import ProcessFigures
from common.telemetry.samples import SampleSet, report_of
from edge_api.background_tasks import BackgroundTasks
from edge_api.figures.edge_figures import EdgeFigures

EVERY_SECONDS = 1.0


@asynccontextmanager
async def figures_reported(
    desk: MetricsWriter | None, figures: EdgeFigures, *, every_seconds: float = EVERY_SECONDS
) -> AsyncIterator[None]:
    """Report for the length of the block, and once more at its end; without a desk, never."""
    if desk is None:
        yield
        return
    reporting = _Reporting(desk, figures, every_seconds)
    tasks = BackgroundTasks()
    tasks.start("figures", reporting.run)
    try:
        yield
    finally:
        await tasks.stop()
        await reporting.report()
        desk.close()


class _Reporting:
    def __init__(self, desk: MetricsWriter, figures: EdgeFigures, every_seconds: float) -> None:
        self._desk = desk
        self._figures = figures
        self._every_seconds = every_seconds
        self._process_figures = ProcessFigures("edge")

    async def run(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            due_at = loop.time() + self._every_seconds
            await asyncio.sleep(self._every_seconds)
            self._figures.loop_delay = max(0.0, loop.time() - due_at)
            await self.report()

    async def report(self) -> None:
        readings = SampleSet()
        self._figures.collect(readings)
        await asyncio.to_thread(self._post, readings)

    def _post(self, readings: SampleSet) -> None:
        # To look at as many open files as there are clients would keep the loop from them.
        self._process_figures.collect(readings)
        self._desk.post(report_of(readings))
