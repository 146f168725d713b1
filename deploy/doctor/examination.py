"""Runs all checks at once, so that one that fails or hangs keeps none of the others from telling what it sees."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from deploy.doctor.finding import Finding, Level, unchecked, wrong
from deploy.doctor.installation import Installation, NotReachedError

#: What one check may take; its own questions have shorter limits.
CHECK_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Check:
    """One thing to look at."""

    name: str
    look: Callable[[Installation], Iterator[Finding]]


@dataclass(frozen=True, slots=True)
class Report:
    """What one check has found."""

    name: str
    findings: list[Finding]

    @property
    def is_wrong(self) -> bool:
        """Tell whether anything is wrong, not only worth a warning."""
        return any(finding.level is Level.WRONG for finding in self.findings)


def examine(installation: Installation, checks: Sequence[Check], seconds: float = CHECK_SECONDS) -> Iterator[Report]:
    """Give the reports in the order of the checks; takes that long at most."""
    under_way = [_UnderWay(check, installation) for check in checks]
    deadline = time.monotonic() + seconds
    for each in under_way:
        yield each.report(deadline, seconds)


class _UnderWay:
    """A check in a thread of its own, which nobody waits for in the end."""

    def __init__(self, check: Check, installation: Installation) -> None:
        self._check = check
        self._findings: list[Finding] = []
        self._thread = threading.Thread(target=self._look, args=(installation,), name=check.name, daemon=True)
        self._thread.start()

    def report(self, deadline: float, seconds: float) -> Report:
        self._thread.join(max(0.0, deadline - time.monotonic()))
        findings = list(self._findings)
        if self._thread.is_alive():
            findings.append(
                wrong(f"This check has not ended within {seconds:.0f} s.", "Look at what it asks: something hangs.")
            )
        return Report(self._check.name, findings)

    def _look(self, installation: Installation) -> None:
        try:
            for finding in self._check.look(installation):
                self._findings.append(finding)
        except NotReachedError as error:
            self._findings.append(unchecked(str(error)))
        except Exception as error:  # noqa: BLE001 - whatever it is, the other checks go on
            # Without the error's text, which could quote anything.
            self._findings.append(
                wrong(f"This check has failed itself, with {type(error).__name__}.", "Report it as a defect.")
            )
