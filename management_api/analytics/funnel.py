"""How users came through the screens of one flow in a period (contract, section 3, Analytics).

A user is a distinct device id, and every figure is of the period alone. *Started* and *completed* are the users with
`flow_started` of the flow, and those of them with `flow_completed` of it too, so that the rate never exceeds 1. A
screen is *reached* by the users with `screen_viewed` or `screen_completed` of it and *completed* by those with the
latter, whatever flow these events name, since a screen is in one flow only; `median_seconds` is the median, over the
users with both, of the first completion minus the first view, of whatever sign. With an experiment only its events
count, and each variant has a funnel of its own.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from pyroaring import BitMap
from sqlalchemy import Row, Select, select
from sqlalchemy.orm import Session

from common.errors import FlowNotFoundError
from management_api.analytics.filters import DateRange, check_experiment
from management_api.auth.access import FLOW, Caller, part_to_read
from management_api.db.models.flows import Screen
from management_api.rollups.reading import DailyFirstSeen, FirstSeen, cell_rows, earliest, union
from management_api.rollups.rollup import COMPLETED, DAY_MS, SCREEN_COMPLETED, STARTED, VIEWED, Breakdown

#: Id, type, name and order of a screen.
ScreenRow = Row[str, str, str | None, int]


@dataclass(frozen=True, slots=True)
class FunnelRequest:
    """Which funnel is wanted; `project_id` (None: whichever it is) must be the flow's."""

    flow_id: str
    dates: DateRange
    experiment_id: str | None = None
    project_id: str | None = None


@dataclass(frozen=True, slots=True)
class Visits:
    """The users of one screen; `median_seconds` is None when nobody both saw and completed it."""

    reached: int = 0
    completed: int = 0
    median_seconds: float | None = None

    @property
    def drop_off(self) -> int:
        """How many reached it and did not complete it."""
        return self.reached - self.completed

    @property
    def drop_off_rate(self) -> float:
        """Their share of those who reached it (0..1)."""
        return self.drop_off / self.reached if self.reached else 0.0


@dataclass(frozen=True, slots=True)
class FunnelScreen:
    """A screen of the flow, as it is now, and its users."""

    screen_id: str
    type: str
    name: str | None
    order: int
    visits: Visits


@dataclass(frozen=True, slots=True)
class Funnel:
    """The users of a flow, and those of its screens; `variant` is what the funnel is of, if it is of one."""

    started: int
    completed: int
    screens: Sequence[FunnelScreen]
    variant: str | None = None

    @property
    def completion_rate(self) -> float:
        """The share of those who started (0..1)."""
        return self.completed / self.started if self.started else 0.0


@dataclass(frozen=True, slots=True)
class FunnelAnalysis:
    """The funnel of all, and one for each variant (None when no experiment was asked for) in the order of the keys."""

    whole: Funnel
    variants: Sequence[Funnel] | None


def analyse_funnel(session: Session, caller: Caller, wanted: FunnelRequest) -> FunnelAnalysis:
    """Count the users of a flow. Raises FlowNotFoundError, ForbiddenError, NotFoundError (the experiment)."""
    flow = part_to_read(session, caller, FLOW, wanted.flow_id)
    if wanted.project_id not in {None, flow.project_id}:
        raise FlowNotFoundError
    if wanted.experiment_id is not None:
        check_experiment(session, flow.project_id, wanted.experiment_id)
    screens = session.execute(_screens(flow.id)).all()
    screen_ids = [screen.id for screen in screens]
    parts = _parts(session, flow.project_id, wanted, screen_ids)
    whole = _Part.of_all(list(parts.values()) or [_Cells().part(screen_ids)], screen_ids)
    if wanted.experiment_id is None:
        return FunnelAnalysis(whole.funnel(screens), None)
    variants = sorted(parts, key=lambda variant: (variant is None, variant or ""))
    return FunnelAnalysis(
        whole.funnel(screens), [parts[variant].funnel(screens, variant=variant) for variant in variants]
    )


class _Visitors(NamedTuple):
    """The first view and the first completion of a screen by each device."""

    views: FirstSeen
    completions: FirstSeen

    @classmethod
    def of_all(cls, parts: Sequence["_Visitors"]) -> "_Visitors":
        """Add those of several parts up."""
        return cls(earliest([part.views for part in parts]), earliest([part.completions for part in parts]))

    def visits(self) -> Visits:
        """Count them."""
        viewed, completed = self.views.until(self.completions)
        median = float(np.median(completed - viewed)) / 1000 if len(viewed) else None
        devices = self.completions.devices
        return Visits(self.views.devices.union_cardinality(devices), len(devices), median)


@dataclass(frozen=True, slots=True)
class _Part:
    """What a funnel is counted from: all of it, or what is of one variant."""

    started: BitMap
    completed: BitMap
    visitors: Mapping[str, _Visitors]

    @classmethod
    def of_all(cls, parts: Sequence["_Part"], screen_ids: Iterable[str]) -> "_Part":
        """Add parts up, of which there is at least one."""
        return cls(
            BitMap.union(*(part.started for part in parts)),
            BitMap.union(*(part.completed for part in parts)),
            {screen_id: _Visitors.of_all([part.visitors[screen_id] for part in parts]) for screen_id in screen_ids},
        )

    def funnel(self, screens: Sequence[ScreenRow], *, variant: str | None = None) -> Funnel:
        """Count."""
        return Funnel(
            len(self.started),
            len(self.started & self.completed),
            [FunnelScreen(*screen, self.visitors[screen.id].visits()) for screen in screens],
            variant,
        )


class _Cells:
    """The cells of a part, as they come."""

    def __init__(self) -> None:
        self._journeys: dict[str, list[bytes]] = {STARTED: [], COMPLETED: []}
        self._visits: defaultdict[tuple[str, str], DailyFirstSeen] = defaultdict(DailyFirstSeen)

    def add_journeys(self, event_type: str, devices: bytes) -> None:
        """Add devices that started or completed the flow."""
        self._journeys[event_type].append(devices)

    def add_visits(self, screen_id: str, event_type: str, day: int, devices: bytes, moments: bytes) -> None:
        """Add devices that viewed or completed a screen."""
        self._visits[screen_id, event_type].add(day * DAY_MS, BitMap.deserialize(devices), moments)

    def part(self, screen_ids: Iterable[str]) -> _Part:
        """Add them up."""
        return _Part(
            union(self._journeys[STARTED]),
            union(self._journeys[COMPLETED]),
            {
                screen_id: _Visitors(
                    self._visits[screen_id, VIEWED].first(), self._visits[screen_id, SCREEN_COMPLETED].first()
                )
                for screen_id in screen_ids
            },
        )


def _parts(
    session: Session, project_id: str, wanted: FunnelRequest, screen_ids: Sequence[str]
) -> dict[str | None, _Part]:
    """Read the funnel's parts by variant; without an experiment all is one."""
    cells: defaultdict[str | None, _Cells] = defaultdict(_Cells)
    days = (wanted.dates.first, wanted.dates.last)
    by_flow, by_screen, variant, filters = Breakdown.FLOW, Breakdown.SCREEN, "NULL::text", {}
    if wanted.experiment_id is not None:
        by_flow, by_screen = Breakdown.FULL, Breakdown.FULL
        variant, filters = "variant", {"experiment_id": wanted.experiment_id}
    for part, event_type, devices in cell_rows(
        session,
        f"{variant}, event_type, devices",
        project_id,
        (by_flow,),
        days,
        {**filters, "flow_id": wanted.flow_id, "event_type": (STARTED, COMPLETED)},
    ):
        cells[part].add_journeys(event_type, devices)
    for part, screen_id, event_type, day, devices, moments in cell_rows(
        session,
        f"{variant}, screen_id, event_type, day - date '1970-01-01', devices, moments",
        project_id,
        (by_screen,),
        days,
        {**filters, "screen_id": screen_ids, "event_type": (VIEWED, SCREEN_COMPLETED)},
    ):
        cells[part].add_visits(screen_id, event_type, day, devices, moments)
    return {part: found.part(screen_ids) for part, found in cells.items()}


def _screens(flow_id: str) -> Select[str, str, str | None, int]:
    return (
        select(Screen.id, Screen.type, Screen.name, Screen.order)
        .where(Screen.flow_id == flow_id)
        .order_by(Screen.order)
    )
