"""The users of the screens of one flow in a range of days (contract, section 3, Analytics).

A user is a distinct device id, and all counts are of these days alone. *Started* and *completed* are the users with
`flow_started` of the flow, and those of them with `flow_completed` of it too, so that the rate never exceeds 1. A
screen is *reached* by the users with `screen_viewed` or `screen_completed` of it and *completed* by those with the
latter, for any flow of these events, since a screen is in one flow only; `median_seconds` is the median, over the
users with both, of the first completion minus the first view, which can be negative. With an experiment only its events
count, and each variant has a funnel of its own.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
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
from management_api.rollups.flow_completion import FlowCompletion
from management_api.rollups.reading import DaysToRead, FirstMoments, earliest, read_rollups, union
from management_api.rollups.rollup import COMPLETED, SCREEN_COMPLETED, STARTED, VIEWED, Breakdown
from management_api.rollups.storage import day_of

#: A screen of the live document.
_Screen = Mapping[str, Any]
#: The members of a screen that are counted.
_ScreenCounts = Mapping[str, Any]
#: The times of so many devices are compared at once, because their moments take more memory than their times.
_DEVICES_AT_ONCE = 100_000


def analyse_funnel(session: Session, caller: Caller, query: FunnelQuery, dates: DateRange) -> FunnelView:
    """Count the users of a flow. Raises FlowNotFoundError, ForbiddenError, NotFoundError (the experiment)."""
    flow = get_for_read(session, caller, Flow, query.flow_id, FLOW_WITH_DOCUMENT)
    if query.project_id not in {None, flow.project_id}:
        raise FlowNotFoundError
    if query.experiment_id is not None:
        check_experiment(session, flow.project_id, query.experiment_id)
    screens = flow.document["screens"]
    screen_ids = [screen["id"] for screen in screens]
    flows = read_completion(session, flow, query.experiment_id, dates)
    # Of each variant, the counts of its screens. The devices of one screen are in memory at once.
    by_variant: defaultdict[str | None, dict[str, _ScreenCounts]] = defaultdict(dict)
    counts: dict[str, _ScreenCounts] = {}
    for screen_id, users in _read_screens(session, flow, query.experiment_id, dates, screen_ids):
        for variant, of_variant in users.items():
            by_variant[variant][screen_id] = _count_screen([of_variant])
        counts[screen_id] = _count_screen(users.values())
    total = total_completion(flows.values())
    variants = sorted({*flows, *by_variant}, key=lambda variant: (variant is None, variant or ""))
    return FunnelView(
        flow_id=flow.id,
        first=dates.first,
        to=dates.last,
        **_view(total, screens, counts),
        variants=None
        if query.experiment_id is None
        else [
            VariantFunnelView(
                variant=variant, **_view(flows.get(variant, FlowCompletion()), screens, by_variant[variant])
            )
            for variant in variants
        ],
    )


def read_completion(
    session: Session, flow: Row[Any], experiment_id: str | None, dates: DateRange
) -> dict[str | None, FlowCompletion]:
    """Read the devices that started and completed the flow by variant, which is None without an experiment."""
    found: defaultdict[str | None, FlowCompletion] = defaultdict(FlowCompletion)
    for variant, event_type, rollup in read_rollups(
        session,
        ("variant", "event_type"),
        flow.project_id,
        (Breakdown.FLOW if experiment_id is None else Breakdown.FULL,),
        DaysToRead(dates.first, dates.last),
        {"flow_id": [flow.id], "event_type": (STARTED, COMPLETED), **_experiment_filter(experiment_id)},
    ):
        found[variant].add(event_type, rollup.devices)
    return found


def total_completion(flows: Iterable[FlowCompletion]) -> FlowCompletion:
    """Return the devices that started and completed the flow in any variant."""
    total = FlowCompletion()
    for of_flow in flows:
        total.add(STARTED, of_flow.started)
        total.add(COMPLETED, of_flow.completed)
    return total


class _ScreenUsers(NamedTuple):
    """The users with views and with completions of a screen; a first view is of a device with a completion."""

    views: FirstMoments
    completions: FirstMoments


def _read_screens(
    session: Session, flow: Row[Any], experiment_id: str | None, dates: DateRange, screen_ids: Sequence[str]
) -> Iterator[tuple[str, dict[str | None, _ScreenUsers]]]:
    """Yield each screen with users, and its users by variant, which is None without an experiment."""
    rollups = read_rollups(
        session,
        # Completions come first, since only devices with both need times.
        ("screen_id", "event_type", "variant", "day"),
        flow.project_id,
        (Breakdown.SCREEN if experiment_id is None else Breakdown.FULL,),
        DaysToRead(dates.first, dates.last),
        {"screen_id": screen_ids, "event_type": (VIEWED, SCREEN_COMPLETED), **_experiment_filter(experiment_id)},
        with_times=True,
    )
    for screen_id, of_screen in groupby(rollups, itemgetter(0)):
        completions: dict[str | None, FirstMoments] = {}
        views: dict[str | None, FirstMoments] = {}
        for event_type, of_type in groupby(of_screen, itemgetter(1)):
            completed = union([moments.seen for moments in completions.values()])
            for variant, of_variant in groupby(of_type, itemgetter(2)):
                by_day = ((day_of(day), rollup) for *_, day, rollup in of_variant)
                if event_type == VIEWED:
                    views[variant] = FirstMoments(by_day, wanted=completed)
                else:
                    completions[variant] = FirstMoments(by_day)
        yield (
            screen_id,
            {
                variant: _ScreenUsers(views.get(variant, FirstMoments()), completions.get(variant, FirstMoments()))
                for variant in {*views, *completions}
            },
        )


def _experiment_filter(experiment_id: str | None) -> dict[str, Sequence[str]]:
    return {} if experiment_id is None else {"experiment_id": [experiment_id]}


def _view(flow: FlowCompletion, screens: Sequence[_Screen], counts: Mapping[str, _ScreenCounts]) -> dict[str, Any]:
    """Return the members that the funnel of a flow and that of a variant have in common."""
    started, completed = len(flow.started), len(flow.started & flow.completed)
    return {
        "started": started,
        "completed": completed,
        "completion_rate": completed / started if started else 0.0,
        "screens": [
            FunnelScreenView(
                screen_id=screen["id"],
                type=screen["type"],
                name=screen["name"],
                order=order,
                **(of_screen := counts.get(screen["id"], _NO_USERS)),
                entered_from_start_rate=of_screen["reached"] / started if started else 0.0,
            )
            for order, screen in enumerate(screens)
        ],
    }


def _count_screen(users: Iterable[_ScreenUsers]) -> _ScreenCounts:
    """Return the members of a screen that are counted, over the users of several variants."""
    views, completions = zip(*users, strict=True)
    viewed, completed = (union([moments.seen for moments in group]) for group in (views, completions))
    reached = viewed.union_cardinality(completed)
    return {
        "reached": reached,
        "completed": len(completed),
        "drop_off": reached - len(completed),
        "drop_off_rate": (reached - len(completed)) / reached if reached else 0.0,
        "median_seconds": _median_seconds(viewed & completed, views, completions),
    }


def _median_seconds(
    devices: BitMap, views: Sequence[FirstMoments], completions: Sequence[FirstMoments]
) -> float | None:
    """Return the median time from the first view to the first completion, None without devices."""
    times = np.empty(len(devices), np.int64)
    for start in range(0, len(devices), _DEVICES_AT_ONCE):
        some = devices[start : start + _DEVICES_AT_ONCE]
        viewed_at, completed_at = (
            earliest([moments.first(some) for moments in group]).moments for group in (views, completions)
        )
        times[start : start + len(some)] = completed_at - viewed_at
    return float(np.median(times, overwrite_input=True)) / 1000 if len(times) else None


_NO_USERS = _count_screen([_ScreenUsers(FirstMoments(), FirstMoments())])
