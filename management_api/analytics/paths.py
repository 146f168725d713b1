"""The paths of the users through the screens of one flow in a range of days.

A *link* leads from a screen, or from the start, to a screen, by a rule or by the order. A user is a distinct device,
and counts in one link to each screen: that of its first visit in the period. The screen without a later visit is the
last one of its path, from which a link leads to `end` if the user completed the flow, else to `left`. A user who
started and reached no screen has this link from the start.

Views by Back, and views of older SDKs, which do not name the screen before, add no link. Nor do views from a screen
that the flow does not have any more, but such a screen may be the last one of a path.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from pyroaring import BitMap
from sqlalchemy import Row
from sqlalchemy.orm import Session

from common.errors import Detail, FlowNotFoundError, InvalidRequestError
from management_api.analytics.dates import DateRange
from management_api.analytics.filters import check_experiment
from management_api.analytics.funnel import read_completion, total_completion
from management_api.analytics.schemas import PathLinkView, PathScreenView, PathsQuery, PathsView
from management_api.auth.access import FLOW_WITH_DOCUMENT, Caller, get_for_read
from management_api.db.models.flows import Flow
from management_api.rollups.event_keys import START
from management_api.rollups.flow_completion import FlowCompletion
from management_api.rollups.reading import DaysToRead, DeviceUnion, read_rollups, union
from management_api.rollups.rollup import DAY_MS, OTHER, SCREEN_COMPLETED, VIEWED, Breakdown, numbers_of, set_of
from management_api.rollups.storage import day_of

#: Devices may send any rule. So many links have a name, further ones count as the rule `(other)`.
MAX_LINKS = 5000
END, LEFT = "end", "left"
_NEVER = np.iinfo(np.int64).max


class _Link(NamedTuple):
    """A link to a screen. The screen before is START, a screen of the flow, or OTHER for any other one."""

    to: str
    before: str
    rule: str | None


class _Reader(NamedTuple):
    """The rollups of a query."""

    session: Session
    project_id: str
    days: DaysToRead
    filters: Mapping[str, Sequence[str]]
    screen_ids: Sequence[str]

    def reached(self) -> dict[str, BitMap]:
        """Return the devices that reached each screen."""
        found: defaultdict[str, DeviceUnion] = defaultdict(DeviceUnion)
        breakdown = Breakdown.FULL if self.filters else Breakdown.SCREEN
        filters = {"screen_id": self.screen_ids, "event_type": (VIEWED, SCREEN_COMPLETED), **self.filters}
        for screen_id, rollup in read_rollups(
            self.session, ("screen_id",), self.project_id, (breakdown,), self.days, filters
        ):
            found[screen_id].add(rollup.devices)
        return {screen_id: devices.devices() for screen_id, devices in found.items()}

    def links(self, screen_ids: Sequence[str], *, with_times: bool = False) -> Iterator[tuple[Any, ...]]:
        """Yield screen, screen before, rule, rollup, and before it with times the day; in this order."""
        return read_rollups(
            self.session,
            ("screen_id", "from_screen_id", "rule", *(["day"] if with_times else [])),
            self.project_id,
            (Breakdown.LINK,),
            self.days,
            {"screen_id": screen_ids, **self.filters},
            with_times=with_times,
        )


class _Names:
    """Bounds the links that are counted apart, in the order in which they are read."""

    def __init__(self, screens: Sequence[Mapping[str, Any]]) -> None:
        self._screens = {START, *(screen["id"] for screen in screens)}
        self._known = {(screen["id"], rule["id"]) for screen in screens for rule in screen.get("next", ())}
        self._others: set[_Link] = set()

    def link(self, to: str, before: str, rule: str | None) -> _Link:
        """Return the link by which a view counts."""
        if before not in self._screens:
            return _Link(to, OTHER, None)
        link = _Link(to, before, rule)
        if rule is None or (before, rule) in self._known or link in self._others:
            return link
        if len(self._others) >= MAX_LINKS:
            return _Link(to, before, OTHER)
        self._others.add(link)
        return link


def analyse_paths(session: Session, caller: Caller, query: PathsQuery, dates: DateRange) -> PathsView:
    """Count the users of each link of a flow.

    Raises FlowNotFoundError, ForbiddenError, NotFoundError (the experiment), InvalidRequestError.
    """
    flow = get_for_read(session, caller, Flow, query.flow_id, FLOW_WITH_DOCUMENT)
    if query.project_id not in {None, flow.project_id}:
        raise FlowNotFoundError
    if query.experiment_id is not None:
        check_experiment(session, flow.project_id, query.experiment_id)
    elif query.variant is not None:
        raise InvalidRequestError([Detail.missing("experimentId")])
    screens = flow.document["screens"]
    users = _read_completion(session, flow, query, dates)
    filters = {"experiment_id": query.experiment_id, "variant": query.variant}
    reader = _Reader(
        session,
        flow.project_id,
        DaysToRead(dates.first, dates.last),
        {column: [value] for column, value in filters.items() if value is not None},
        [screen["id"] for screen in screens],
    )
    reached = reader.reached()
    links = _links(reader, _Names(screens), reached, users)
    return PathsView(
        flow_id=flow.id,
        first=dates.first,
        to=dates.last,
        started=len(users.started),
        completed=users.started.intersection_cardinality(users.completed),
        screens=[
            PathScreenView(
                screen_id=screen["id"],
                name=screen["name"],
                type=screen["type"],
                order=order,
                reached=len(reached.get(screen["id"], ())),
            )
            for order, screen in enumerate(screens)
        ],
        links=_view(links, users.completed, reader.screen_ids),
    )


def _read_completion(session: Session, flow: Row[Any], query: PathsQuery, dates: DateRange) -> FlowCompletion:
    by_variant = read_completion(session, flow, query.experiment_id, dates)
    if query.variant is not None:
        return by_variant.get(query.variant, FlowCompletion())
    return total_completion(by_variant.values())


def _links(reader: _Reader, names: _Names, reached: Mapping[str, BitMap], users: FlowCompletion) -> dict[_Link, BitMap]:
    """Return the devices of each link."""
    views = _read_views(reader, names, reached)
    # The devices with a visit of each screen, and those with a later visit, which the screen before it names.
    visits: defaultdict[str, BitMap] = defaultdict(BitMap)
    later: defaultdict[str, BitMap] = defaultdict(BitMap)
    again: defaultdict[str, BitMap] = defaultdict(BitMap)
    for link, devices in views.items():
        again[link.to] |= visits[link.to] & devices
        visits[link.to] |= devices
        later[link.before] |= devices
    last = {screen_id: devices - later[screen_id] for screen_id, devices in visits.items()}
    # Back over a branch, and a second visit of the flow by other rules, leave several screens without a later one.
    ambiguous = _repeated(last.values()) | (union(list(visits.values())) - union(list(last.values())))
    wanted = {
        screen_id: again[screen_id] | (devices & ambiguous)
        for screen_id, devices in visits.items()
        if again[screen_id] or devices & ambiguous
    }
    decided = _LastVisits(ambiguous, list(reader.screen_ids), last)
    for screen_id, first in _first_visits(reader, names, wanted):
        for link in [link for link in views if link.to == screen_id]:
            views[link] = (views[link] - again[screen_id]) | (first.of_link(link) & again[screen_id])
        decided.add(screen_id, first)
    for screen_id, devices in last.items():
        _add_end(views, screen_id, (devices - ambiguous) | decided.of_screen(screen_id), users.completed)
    _add_end(views, START, users.started - union([*reached.values(), *visits.values()]), users.completed)
    return views


def _read_views(reader: _Reader, names: _Names, reached: Mapping[str, BitMap]) -> dict[_Link, BitMap]:
    """Return the devices with a view by each link.

    Release 0.2.0 takes erased devices out of the rollups by screen only, so others are left out.
    """
    found: defaultdict[_Link, DeviceUnion] = defaultdict(DeviceUnion)
    for to, before, rule, rollup in reader.links(reader.screen_ids):
        found[names.link(to, before, rule)].add(rollup.devices)
    return {link: devices.devices() & reached.get(link.to, BitMap()) for link, devices in found.items()}


def _repeated(sets: Iterable[BitMap]) -> BitMap:
    """Return the devices that are in more than one of the sets."""
    seen, repeated = BitMap(), BitMap()
    for devices in sets:
        repeated |= seen & devices
        seen |= devices
    return repeated


class _FirstVisits:
    """The first visits of one screen: of each wanted device the moment, and the link."""

    def __init__(self, wanted: BitMap) -> None:
        self.numbers = numbers_of(wanted)
        self.moments = np.full(len(self.numbers), _NEVER, np.int64)
        self._chosen = np.zeros(len(self.numbers), np.int16)
        self._links: dict[_Link, int] = {}

    def add(self, link: _Link, devices: BitMap, moments: np.ndarray[Any, np.dtype[np.int64]]) -> None:
        """Add visits. Of visits at one moment the one of the first link that was added counts."""
        place = self._links.setdefault(link, len(self._links))
        places = np.searchsorted(self.numbers, numbers_of(devices))
        is_first = moments < self.moments[places]
        self.moments[places[is_first]] = moments[is_first]
        self._chosen[places[is_first]] = place

    def of_link(self, link: _Link) -> BitMap:
        """Return the devices whose first visit was by the link."""
        place = self._links.get(link, -1)
        return set_of(self.numbers[(self._chosen == place) & (self.moments < _NEVER)])


def _first_visits(reader: _Reader, names: _Names, wanted: Mapping[str, BitMap]) -> Iterator[tuple[str, _FirstVisits]]:
    """Yield the first visits of each screen by the wanted devices. Only these screens are read."""
    screen_id, visits = "", _FirstVisits(BitMap())
    for to, before, rule, day, rollup in reader.links(list(wanted), with_times=True) if wanted else ():
        if to != screen_id:
            if screen_id:
                yield screen_id, visits
            screen_id, visits = to, _FirstVisits(wanted[to])
        devices = rollup.devices & wanted[to]
        if devices:
            places = np.searchsorted(numbers_of(rollup.devices), numbers_of(devices))
            moments = day_of(day) * DAY_MS + rollup.times[places].astype(np.int64)
            visits.add(names.link(to, before, rule), devices, moments)
    if screen_id:
        yield screen_id, visits


class _LastVisits:
    """The screen at which the path of each ambiguous device ended: the last of those without a later visit.

    If each screen has a later visit, because the screens came in another order before, the last visit counts.
    """

    def __init__(self, devices: BitMap, screen_ids: list[str], last: Mapping[str, BitMap]) -> None:
        self._numbers = numbers_of(devices)
        self._moments = np.full(len(self._numbers), -1, np.int64)
        self._chosen = np.full(len(self._numbers), -1, np.int32)
        self._screen_ids, self._last = screen_ids, last
        self._undecided = devices - union(list(last.values()))

    def add(self, screen_id: str, first: _FirstVisits) -> None:
        """Add the first visits of a screen. Of visits at one moment that of the later screen counts."""
        order = self._screen_ids.index(screen_id)
        candidates = self._last[screen_id] | self._undecided
        here = numbers_of(set_of(first.numbers[first.moments < _NEVER]) & candidates & set_of(self._numbers))
        places = np.searchsorted(self._numbers, here)
        moments = first.moments[np.searchsorted(first.numbers, here)]
        before = self._moments[places]
        is_later = (moments > before) | ((moments == before) & (order > self._chosen[places]))
        self._moments[places[is_later]] = moments[is_later]
        self._chosen[places[is_later]] = order

    def of_screen(self, screen_id: str) -> BitMap:
        """Return the devices whose path ended at the screen."""
        return set_of(self._numbers[self._chosen == self._screen_ids.index(screen_id)])


def _add_end(links: dict[_Link, BitMap], screen_id: str, devices: BitMap, completed: BitMap) -> None:
    """Add the links from the last screen of devices."""
    links[_Link(END, screen_id, None)] = devices & completed
    links[_Link(LEFT, screen_id, None)] = devices - completed


def _view(links: Mapping[_Link, BitMap], completed: BitMap, screen_ids: Sequence[str]) -> list[PathLinkView]:
    """Return the links with the most users, those with as many in the order of the screens."""
    order = {name: place for place, name in enumerate([START, *screen_ids, END, LEFT])}
    found = [(len(devices), link) for link, devices in links.items() if devices and link.before != OTHER]
    found.sort(key=lambda each: (-each[0], order[each[1].before], order[each[1].to], each[1].rule or ""))
    return [
        PathLinkView(
            from_screen_id=link.before or None,
            to_screen_id=link.to,
            rule=link.rule,
            users=users,
            completed=links[link].intersection_cardinality(completed),
        )
        for users, link in found[:MAX_LINKS]
    ]
