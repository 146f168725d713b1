"""Hooks for schemathesis: formats of values that the document does not have, and the share that is sent."""

import os
from collections import Counter
from datetime import UTC, date, datetime
from typing import Any

import schemathesis
from hypothesis import strategies as st
from schemathesis.generation.meta import CoveragePhaseData

Case = schemathesis.Case[Any]
_MOMENTS = st.datetimes(datetime(2000, 1, 1), datetime(2026, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - hypothesis adds the zone
_LABELS = st.from_regex(r"[a-z]([a-z0-9-]{0,20}[a-z0-9])?", fullmatch=True)

# An event may neither be older than 2000 nor lie in the future, which no format expresses.
schemathesis.openapi.format("date-time", _MOMENTS.map(lambda moment: moment.isoformat().replace("+00:00", "Z")))
# Analytics are asked of days from 2000 on, less than 400 of them.
schemathesis.openapi.format("date", st.dates(date(2026, 1, 1), date(2026, 12, 31)).map(date.isoformat))
# A custom domain has at least two labels.
schemathesis.openapi.format("hostname", st.lists(_LABELS, min_size=2, max_size=4).map(".".join))


class Shares:
    """The requests at the bounds of the document that are sent: of each operation and kind the first, then every nth.

    A kind is for instance a value of a wrong type, of which there are hundreds.
    """

    def __init__(self) -> None:
        self._apart = int(os.environ["SCHEMATHESIS_COVERAGE_APART"])
        self._seen = Counter[tuple[str, str]]()

    def take(self, case: Case) -> bool:
        if case.meta is None or not isinstance(case.meta.phase.data, CoveragePhaseData):
            return True
        kind = case.operation.label, case.meta.phase.data.scenario.value
        self._seen[kind] += 1
        return (self._seen[kind] - 1) % self._apart == 0


_SHARES = Shares()


@schemathesis.hook
def filter_case(_context: schemathesis.HookContext, case: Case) -> bool:
    """Return whether a case is sent: it is valid for the service, too, and within the share."""
    return not (_names_no_period(case) or _names_a_partner(case) or _is_of_translations(case)) and _SHARES.take(case)


def _is_positive(case: Case) -> bool:
    return case.meta is not None and case.meta.generation.mode is schemathesis.GenerationMode.POSITIVE


def _names_a_partner(case: Case) -> bool:
    """Return whether a valid case names a partner, which must exist, or the focal point of what is no image."""
    if not case.path.startswith("/api/media") or not _is_positive(case):
        return False
    members = {**(case.query or {}), **(case.body if isinstance(case.body, dict) else {})}
    return any(members.get(name) is not None for name in ("dark_media_id", "poster_media_id", "focal_point"))


def _is_of_translations(case: Case) -> bool:
    """Return whether a valid case names a language, which the project must have, or sends a file."""
    return "/translations" in case.path and _is_positive(case) and ("locale" in (case.query or {}))


def _names_no_period(case: Case) -> bool:
    """Return whether a valid case has neither a name nor two ordered ends of a period, which OpenAPI cannot exclude."""
    ends = [str((case.query or {})[name]) for name in ("from", "to") if name in (case.query or {})]
    return _is_positive(case) and bool(ends) and ("period" in case.query or len(ends) == 1 or ends[0] > ends[1])
