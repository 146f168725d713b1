"""Estimate the duration of an experiment from the users of the last weeks and the smallest lift that it should find."""

import math
from datetime import timedelta

from sqlalchemy.orm import Session

from common.timestamps import utc_now
from management_api.auth.access import Caller, check_may_read
from management_api.experiment_statistics.comparison import users_to_find_lift
from management_api.experiments.schemas import EstimateQuery, EstimateView
from management_api.rollups.reading import DaysToRead, DeviceUnion, read_rollups
from management_api.rollups.rollup import Breakdown

#: Long enough for the rhythm of weeks.
OBSERVED_DAYS = 28


def estimate_experiment(session: Session, caller: Caller, query: EstimateQuery) -> EstimateView:
    """Estimate users and days. Raises ProjectNotFoundError, ForbiddenError.

    A user who comes back during the experiment is one user, so the users of a day are those of all observed days
    divided by their number.
    """
    check_may_read(session, caller, query.project_id)
    today = utc_now().date()
    days = DaysToRead(today - timedelta(days=OBSERVED_DAYS - 1), today)
    seen, converted, first = DeviceUnion(), DeviceUnion(), today
    breakdowns = (Breakdown.ALL, Breakdown.EXPOSURE)
    for day, rollup in read_rollups(session, ("day",), query.project_id, breakdowns, days, {}):
        seen.add(rollup.devices)
        first = min(first, day)
    types = {"event_type": (query.primary_event,)}
    for (rollup,) in read_rollups(session, (), query.project_id, (Breakdown.FLOW,), days, types):
        converted.add(rollup.devices)
    users = seen.devices()
    users_per_day = len(users) / ((today - first).days + 1)
    rate = users.intersection_cardinality(converted.devices()) / len(users) if users else None
    needed = None if rate is None else users_to_find_lift(rate, query.lift)
    entering = users_per_day * query.traffic_percentage / 100 * query.smallest_weight / 100
    return EstimateView(
        users_per_day=users_per_day,
        baseline_rate=rate,
        users_per_variant=needed,
        days=math.ceil(needed / entering) if needed is not None and entering else None,
    )
