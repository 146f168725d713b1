"""Checks run in parallel: one that fails or hangs does not stop the others."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.doctor.installation import Installation, UnreachableError
from cli.doctor.result import Level, Result
from cli.doctor.runner import Check, Report, run_checks
from cli.settings import CommandSettings
from common.errors import UnavailableError


@pytest.fixture
def installation(tmp_path: Path) -> Installation:
    """Return an installation without any server."""
    return Installation(CommandSettings(state_dir=tmp_path))


def healthy(_installation: Installation) -> Iterator[Result]:
    yield Result.ok("All is well.")


def defective(_installation: Installation) -> Iterator[Result]:
    yield Result.warning("Something is odd.", "Look.")
    raise LookupError("s3cret")


def unreachable(_installation: Installation) -> Iterator[Result]:
    yield from ()
    raise UnreachableError("The server does not respond.")


def full(_installation: Installation) -> Iterator[Result]:
    yield from ()
    raise UnavailableError("The database is not available.")


def test_hanging_or_failing_check_does_not_stop_the_others(installation: Installation) -> None:
    for_ever = threading.Event()

    def hanging(_installation: Installation) -> Iterator[Result]:
        for_ever.wait()
        yield Result.ok("Never said.")

    checks = [
        Check("a", hanging),
        Check("b", defective),
        Check("c", unreachable),
        Check("d", healthy),
        Check("e", full),
    ]
    reports = list(run_checks(installation, checks, seconds=0.2))
    for_ever.set()
    assert reports == [
        Report(
            "a", [Result.error("This check has not ended within 0 s.", "Check the server that it queries: it hangs.")]
        ),
        Report(
            "b",
            [
                Result.warning("Something is odd.", "Look."),
                Result.error("This check itself failed, with LookupError.", "Report it as a defect."),
            ],
        ),
        Report("c", [Result(Level.NOT_CHECKED, "The server does not respond.")]),
        Report("d", [Result.ok("All is well.")]),
        Report("e", [Result(Level.NOT_CHECKED, "The database is not available.")]),
    ]


@pytest.mark.parametrize(
    ("level", "has_error"),
    [(Level.OK, False), (Level.NOT_CHECKED, False), (Level.WARNING, False), (Level.ERROR, True)],
)
def test_only_the_level_error_counts_as_an_error(level: Level, has_error: bool) -> None:  # noqa: FBT001 - a case
    assert Report("a", [Result.ok("Fine."), Result(level, "A message.")]).has_error is has_error
