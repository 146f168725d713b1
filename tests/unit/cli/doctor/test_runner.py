"""Checks run in parallel: one that fails or hangs does not stop the others."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.doctor.finding import Finding, Level, warning, well, wrong
from cli.doctor.installation import Installation, UnreachableError
from cli.doctor.runner import Check, Report, run_checks
from deploy.local.settings import StackSettings


@pytest.fixture
def installation(tmp_path: Path) -> Installation:
    """Return an installation without any server."""
    return Installation(StackSettings(state_dir=tmp_path))


def content(_installation: Installation) -> Iterator[Finding]:
    yield well("All is well.")


def defective(_installation: Installation) -> Iterator[Finding]:
    yield warning("Something is odd.", "Look.")
    raise LookupError("s3cret")


def cut_off(_installation: Installation) -> Iterator[Finding]:
    yield from ()
    raise UnreachableError("Nobody answers.")


def test_hanging_or_failing_check_does_not_stop_the_others(installation: Installation) -> None:
    for_ever = threading.Event()

    def hanging(_installation: Installation) -> Iterator[Finding]:
        for_ever.wait()
        yield well("Never said.")

    checks = [Check("a", hanging), Check("b", defective), Check("c", cut_off), Check("d", content)]
    reports = list(run_checks(installation, checks, seconds=0.2))
    for_ever.set()
    assert reports == [
        Report("a", [wrong("This check has not ended within 0 s.", "Look at the server it asks: it hangs.")]),
        Report(
            "b",
            [
                warning("Something is odd.", "Look."),
                wrong("This check has failed itself, with LookupError.", "Report it as a defect."),
            ],
        ),
        Report("c", [Finding(Level.UNCHECKED, "Nobody answers.")]),
        Report("d", [well("All is well.")]),
    ]


@pytest.mark.parametrize(
    ("level", "is_wrong"),
    [(Level.WELL, False), (Level.UNCHECKED, False), (Level.WARNING, False), (Level.WRONG, True)],
)
def test_only_a_wrong_finding_makes_a_report_wrong(level: Level, is_wrong: bool) -> None:  # noqa: FBT001 - a case
    assert Report("a", [well("Well."), Finding(level, "So it is.")]).is_wrong is is_wrong
