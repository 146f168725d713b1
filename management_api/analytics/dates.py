"""The UTC days that a query is about: a period that ends today, or the first and the last day (contract, section 3)."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from common.errors import Detail, InvalidRequestError
from management_api.http.fields import Rule, field_error, one_of
from management_api.http.requests import RequestModel

#: A hundred years: events are of the year 2000 at the earliest, so one query may be about all of them.
MAX_DAYS = 36_525
_YEARS = range(2000, 3000)
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class Period(StrEnum):
    """The periods that can be requested."""

    DAY = "1d"
    WEEK = "7d"
    MONTH = "30d"
    QUARTER = "90d"

    @property
    def length(self) -> int:
        """The number of days."""
        return int(self.value.removesuffix("d"))


@dataclass(frozen=True, slots=True)
class DateRange:
    """The UTC days from the first to the last, both included."""

    first: date
    last: date

    @classmethod
    def from_period(cls, period: Period, today: date) -> "DateRange":
        """Return the days of the period that ends today."""
        return cls(today - timedelta(days=period.length - 1), today)

    @property
    def days(self) -> list[date]:
        """Every day, ascending."""
        return [self.first + timedelta(days=number) for number in range((self.last - self.first).days + 1)]

    @property
    def start(self) -> datetime:
        """The first moment of the first day."""
        return midnight(self.first)

    @property
    def end(self) -> datetime:
        """The first moment after the last day."""
        return midnight(self.last + timedelta(days=1))


def midnight(day: date) -> datetime:
    """Return the first moment of a UTC day."""
    return datetime.combine(day, time(), UTC)


def _parse_day(value: object) -> date:
    try:
        day = date.fromisoformat(value) if isinstance(value, str) and _DAY.fullmatch(value) else None
    except ValueError:
        day = None
    if day is None or day.year not in _YEARS:
        raise field_error("must be a date, as 2026-11-20")
    return day


_DAY_SCHEMA = {
    "type": "string",
    "format": "date",
    "description": (
        "A UTC day from the year 2000 on. `from` and `to` come together, both included, less than "
        f"{MAX_DAYS} days apart, and without `period`"
    ),
    "examples": ["2026-11-20"],
}
Day = Annotated[date, Rule(_parse_day, _DAY_SCHEMA)]


class DatesQuery(RequestModel):
    """Base of queries about a range of days."""

    period: Annotated[Period, one_of(Period)] | None = None
    first: Annotated[Day | None, Field(alias="from")] = None
    to: Day | None = None

    def dates(self, today: date) -> DateRange:
        """Return the days of the query, by default those of the last week. Raises InvalidRequestError."""
        return self.requested_dates(today) or DateRange.from_period(Period.WEEK, today)

    def requested_dates(self, today: date) -> DateRange | None:
        """Return the days of the query, None when it names none. Raises InvalidRequestError."""
        if self.first is None and self.to is None:
            return None if self.period is None else DateRange.from_period(self.period, today)
        if self.period is not None:
            raise InvalidRequestError([Detail.invalid("period", "must not be given together with from and to")])
        if self.first is None or self.to is None:
            raise InvalidRequestError([Detail.missing("from" if self.first is None else "to")])
        if self.first > self.to:
            raise InvalidRequestError([Detail.invalid("from", "must not be after to")])
        if (self.to - self.first).days >= MAX_DAYS:
            raise InvalidRequestError([Detail.invalid("to", f"must be less than {MAX_DAYS} days after from")])
        return DateRange(self.first, self.to)
