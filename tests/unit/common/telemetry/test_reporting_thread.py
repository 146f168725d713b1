"""Figures are read off once a second, and at the end."""

from common.telemetry.catalogue import publisher as catalogue
from common.telemetry.metrics_source import ProcessMetricsSource
from common.telemetry.polling_collector import PollingCollector
from common.telemetry.reporting_thread import ReportingThread
from common.telemetry.samples import SampleSet
from tests.polling import eventually


class _Counted:
    def __init__(self) -> None:
        self.outages = 0

    def collect(self, readings: SampleSet) -> None:
        readings.add(catalogue.OUTAGES, self.outages)


def _outages(board: ProcessMetricsSource) -> float | None:
    return next((one.value for one in board.readings() if one.metric == catalogue.OUTAGES.name), None)


def test_the_board_has_the_figures_of_now_and_the_last_ones_at_the_end() -> None:
    board, counted = ProcessMetricsSource("publisher"), _Counted()
    thread = ReportingThread(board, [counted.collect], every_seconds=0.01)
    thread.start()
    counted.outages = 1
    eventually(lambda: _outages(board) == 1)
    counted.outages = 2
    thread.close()
    assert _outages(board) == 2


def test_a_defect_in_a_collector_does_not_end_the_thread() -> None:
    board, rounds = ProcessMetricsSource("publisher"), iter([1, 0, 3])

    def collect(readings: SampleSet) -> None:
        readings.add(catalogue.OUTAGES, 1 / next(rounds))

    thread = ReportingThread(board, [collect], every_seconds=0.01)
    thread.start()
    eventually(lambda: _outages(board) == 1 / 3)
    thread.close()


def test_slow_readings_are_given_while_they_are_fresh_and_an_outage_gives_none() -> None:
    answers: list[float | None] = [5.0]

    def ask(readings: SampleSet) -> None:
        if answers[0] is None:
            raise ConnectionError
        readings.add(catalogue.BACKLOG, answers[0])

    def given() -> list[float]:
        readings = SampleSet()
        slow.collect(readings)
        return [one.value for one in readings.all]

    slow = PollingCollector(ask, (ConnectionError,), every_seconds=0.02)
    with slow:
        eventually(lambda: given() == [5.0])
        answers[0] = None
        eventually(lambda: not given())
        answers[0] = 6.0
        eventually(lambda: given() == [6.0])
