"""Runs the checks in parallel, so that one that fails or hangs does not stop the others."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from cli.doctor.installation import Installation, UnreachableError
from cli.doctor.result import Level, Result
from common.errors import UnavailableError

#: Timeout of one check; its requests have shorter ones.
CHECK_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Check:
    """A named check."""

    name: str
    run: Callable[[Installation], Iterator[Result]]


@dataclass(frozen=True, slots=True)
class Report:
    """The results of one check."""

    name: str
    results: list[Result]

    @property
    def has_error(self) -> bool:
        """Whether a result is an error."""
        return any(result.level is Level.ERROR for result in self.results)


def run_checks(installation: Installation, checks: Sequence[Check], seconds: float = CHECK_SECONDS) -> Iterator[Report]:
    """Yield the reports in the order of the checks, within the given time."""
    running = [_RunningCheck(check, installation) for check in checks]
    deadline = time.monotonic() + seconds
    for check in running:
        yield check.report(deadline, seconds)


class _RunningCheck:
    """A check in a daemon thread, which is abandoned when it hangs."""

    def __init__(self, check: Check, installation: Installation) -> None:
        self._check = check
        self._results: list[Result] = []
        self._thread = threading.Thread(target=self._run, args=(installation,), name=check.name, daemon=True)
        self._thread.start()

    def report(self, deadline: float, seconds: float) -> Report:
        self._thread.join(max(0.0, deadline - time.monotonic()))
        results = list(self._results)
        if self._thread.is_alive():
            results.append(
                Result.error(
                    f"This check has not ended within {seconds:.0f} s.", "Check the server that it queries: it hangs."
                )
            )
        return Report(self._check.name, results)

    def _run(self, installation: Installation) -> None:
        try:
            for result in self._check.run(installation):
                self._results.append(result)
        except (UnreachableError, UnavailableError) as error:
            self._results.append(Result.not_checked(str(error)))
        except Exception as error:  # noqa: BLE001 - the other checks go on after any error
            # Without the error's text, which can contain secrets.
            self._results.append(
                Result.error(f"This check itself failed, with {type(error).__name__}.", "Report it as a defect.")
            )
