"""The users of the screens of one flow in a range of days (contract, section 3, Analytics).

A user is a distinct device id, and all counts are of these days alone. *Started* and *completed* are the users with
`flow_started` of the flow, and those of them with `flow_completed` of it too, so that the rate never exceeds 1. A
screen is *reached* by the users with `screen_viewed` or `screen_completed` of it and *completed* by those with the
latter, for any flow of these events, since a screen is in one flow only; `median_seconds` is the median, over the
users with both, of the first completion minus the first view, which can be negative. With an experiment only its events
count, and each variant has a funnel of its own.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from pyroaring import BitMap
from sqlalchemy import Row
from sqlalchemy.orm import Session

from common.errors import FlowNotFoundError
from management_api.analytics.dates import DateRange
from management_api.analytics.filters import check_experiment
from management_api.analytics.schemas import FunnelQuery, FunnelScreenView, FunnelView, VariantFunnelView
from management_api.auth.access import FLOW_WITH_DOCUMENT, Caller, get_for_read
from management_api.db.models.flows import Flow
from management_api.rollups.reading import DaysToRead, FirstSeen, LeastTimes, earliest, read_rollups, union
from management_api.rollups.rollup import COMPLETED, DAY_MS, SCREEN_COMPLETED, STARTED, VIEWED, Breakdown
from management_api.rollups.storage import day_of

#: A screen of the live document.
_Screen = Mapping[str, Any]


def analyse_funnel(session: Session, caller: Caller, query: FunnelQuery, dates: DateRange) -> FunnelView:
    """Count the users of a flow. Raises FlowNotFoundError, ForbiddenError, NotFoundError (the experiment)."""
    flow = get_for_read(session, caller, Flow, query.flow_id, FLOW_WITH_DOCUMENT)
    if query.project_id not in {None, flow.project_id}:
        raise FlowNotFoundError
    if query.experiment_id is not None:
        check_experiment(session, flow.project_id, query.experiment_id)
    screens = flow.document["screens"]
    screen_ids = [screen["id"] for screen in screens]
    by_variant = _read_users(session, flow, query.experiment_id, dates, screen_ids)
    variants = sorted(by_variant, key=lambda variant: (variant is None, variant or ""))
    return FunnelView(
        flow_id=flow.id,
        first=dates.first,
        to=dates.last,
        **_counts(_merge(list(by_variant.values()), screen_ids), screens),
        variants=None
        if query.experiment_id is None
        else [VariantFunnelView(variant=variant, **_counts(by_variant[variant], screens)) for variant in variants],
    )


class _FunnelUsers(NamedTuple):
    """The devices of a funnel; `views` and `completions` are the first ones of each device, by screen."""

    started: BitMap
    completed: BitMap
    views: dict[str, FirstSeen]
    completions: dict[str, FirstSeen]


def _read_users(
    session: Session, flow: Row[Any], experiment_id: str | None, dates: DateRange, screen_ids: Sequence[str]
) -> dict[str | None, _FunnelUsers]:
    """Read the devices by variant. Without an experiment the rollups have no variant, so all are under None."""
    by_flow: defaultdict[tuple[str | None, str], list[BitMap]] = defaultdict(list)
    by_screen: defaultdict[tuple[str | None, str, str], LeastTimes] = defaultdict(LeastTimes)
    for variant, event_type, rollup in read_rollups(
        session,
        ("variant", "event_type"),
        flow.project_id,
        (Breakdown.FLOW if experiment_id is None else Breakdown.FULL,),
        DaysToRead(dates.first, dates.last),
        {"flow_id": [flow.id], "event_type": (STARTED, COMPLETED), **_experiment_filter(experiment_id)},
    ):
        by_flow[variant, event_type].append(rollup.devices)
    for variant, screen_id, event_type, day, rollup in read_rollups(
        session,
        ("variant", "screen_id", "event_type", "day"),
        flow.project_id,
        (Breakdown.SCREEN if experiment_id is None else Breakdown.FULL,),
        DaysToRead(dates.first, dates.last),
        {"screen_id": screen_ids, "event_type": (VIEWED, SCREEN_COMPLETED), **_experiment_filter(experiment_id)},
        with_times=True,
    ):
        by_screen[variant, screen_id, event_type].add(day_of(day) * DAY_MS, rollup)
    return {
        variant: _FunnelUsers(
            union(by_flow[variant, STARTED]),
            union(by_flow[variant, COMPLETED]),
            {screen_id: by_screen[variant, screen_id, VIEWED].first() for screen_id in screen_ids},
            {screen_id: by_screen[variant, screen_id, SCREEN_COMPLETED].first() for screen_id in screen_ids},
        )
        for variant in {key[0] for key in (*by_flow, *by_screen)}
    }


def _experiment_filter(experiment_id: str | None) -> dict[str, Sequence[str]]:
    return {} if experiment_id is None else {"experiment_id": [experiment_id]}


def _merge(funnels: Sequence[_FunnelUsers], screen_ids: Sequence[str]) -> _FunnelUsers:
    """Return the devices of all variants together."""
    return _FunnelUsers(
        BitMap().union(*(funnel.started for funnel in funnels)),
        BitMap().union(*(funnel.completed for funnel in funnels)),
        {screen_id: earliest([funnel.views[screen_id] for funnel in funnels]) for screen_id in screen_ids},
        {screen_id: earliest([funnel.completions[screen_id] for funnel in funnels]) for screen_id in screen_ids},
    )


def _counts(funnel: _FunnelUsers, screens: Sequence[_Screen]) -> dict[str, Any]:
    """Return the members that the funnel of a flow and that of a variant have in common."""
    started, completed = len(funnel.started), len(funnel.started & funnel.completed)
    return {
        "started": started,
        "completed": completed,
        "completion_rate": completed / started if started else 0.0,
        "screens": [
            _count_screen(order, screen, funnel.views[screen["id"]], funnel.completions[screen["id"]])
            for order, screen in enumerate(screens)
        ],
    }


def _count_screen(order: int, screen: _Screen, views: FirstSeen, completions: FirstSeen) -> FunnelScreenView:
    reached, completed = views.devices.union_cardinality(completions.devices), len(completions.devices)
    viewed_at, completed_at = views.in_both(completions)
    return FunnelScreenView(
        screen_id=screen["id"],
        type=screen["type"],
        name=screen["name"],
        order=order,
        reached=reached,
        completed=completed,
        drop_off=reached - completed,
        drop_off_rate=(reached - completed) / reached if reached else 0.0,
        median_seconds=float(np.median(completed_at - viewed_at)) / 1000 if len(viewed_at) else None,
    )
