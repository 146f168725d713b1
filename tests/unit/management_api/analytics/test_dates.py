"""The days of a period."""

from datetime import UTC, date, datetime

import pytest

from common.errors import InvalidRequestError
from management_api.analytics.dates import DateRange, Period
from management_api.analytics.statistics_schemas import StatisticsQuery
from management_api.http.requests import parse_query

TODAY = date(2026, 3, 2)


@pytest.mark.parametrize(("period", "days"), [("1d", 1), ("7d", 7), ("30d", 30), ("90d", 90)])
def test_period_has_its_number_of_days_and_ends_today(period: str, days: int) -> None:
    dates = DateRange.from_period(Period(period), TODAY)
    assert len(dates.days) == days
    assert dates.days == sorted(set(dates.days))
    assert (dates.days[0], dates.days[-1]) == (dates.first, TODAY)


def test_date_range_ends_at_the_start_of_the_next_day() -> None:
    dates = DateRange.from_period(Period.WEEK, TODAY)
    assert dates.start == datetime(2026, 2, 24, tzinfo=UTC)
    assert dates.end == datetime(2026, 3, 3, tzinfo=UTC)


def test_a_week_is_the_default_period() -> None:
    assert parse_query(StatisticsQuery, {}).period is Period.WEEK


@pytest.mark.parametrize("period", ["", "2d", "7", "7D", "all"])
def test_another_period_is_refused(period: str) -> None:
    with pytest.raises(InvalidRequestError, match="period must be one of 1d, 7d, 30d, 90d"):
        parse_query(StatisticsQuery, {"period": period})
