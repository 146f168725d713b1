"""The part of a chore that works on one project after the other: a project that fails stops no other."""

import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import structlog

from common.errors import OnboardingError
from management_api.db.transient_errors import describe_error, is_outage

log = structlog.stdlib.get_logger(__name__)

#: A project, and the part of it that is worked on.
Part = TypeVar("Part", bound=tuple[Any, ...])


class FailedProjectsError(OnboardingError):
    """A chore failed for some projects, and was done for all others."""

    def __init__(self, reasons: Mapping[str, str]) -> None:
        first = next(iter(reasons))
        super().__init__(f"{len(reasons)} failed, the first for {first}: {reasons[first]}")


def for_each_project(chore: str, parts: Iterable[Part], work: Callable[..., object], *, stop: threading.Event) -> None:
    """Call `work` with each part, which begins with the id of its project, until the stop is set.

    Logs the error of a part. Raises FailedProjectsError at the end, from the first error, and UnavailableError at once
    while PostgreSQL is unavailable.
    """
    reasons: dict[str, str] = {}
    cause: Exception | None = None
    for part in parts:
        if stop.is_set():
            break
        try:
            work(*part)
        except Exception as error:
            if is_outage(error):
                raise
            name, reason = describe_error(error)
            log.warning("maintenance.project_failed", chore=chore, project_id=part[0], error=name, reason=reason)
            reasons.setdefault(part[0], f"{name}: {reason}")
            cause = cause or error
    if reasons:
        raise FailedProjectsError(reasons) from cause
