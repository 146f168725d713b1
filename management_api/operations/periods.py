"""The days that statistics are about: UTC calendar days, the last one today (contract, section 3)."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum


class Period(StrEnum):
    """The periods that may be asked for."""

    DAY = "1d"
    WEEK = "7d"
    MONTH = "30d"
    QUARTER = "90d"

    @property
    def length(self) -> int:
        """How many days the period has."""
        return int(self.value.removesuffix("d"))


@dataclass(frozen=True, slots=True)
class Window:
    """A run of UTC days, the first and the last included."""

    first: date
    last: date

    @classmethod
    def of(cls, period: Period, today: date) -> "Window":
        """Give the period that ends with today."""
        return cls(today - timedelta(days=period.length - 1), today)

    @property
    def days(self) -> list[date]:
        """Every day, ascending."""
        return [self.first + timedelta(days=number) for number in range((self.last - self.first).days + 1)]

    @property
    def start(self) -> datetime:
        """The first moment."""
        return datetime.combine(self.first, time(), UTC)

    @property
    def end(self) -> datetime:
        """The first moment after it."""
        return datetime.combine(self.last + timedelta(days=1), time(), UTC)
