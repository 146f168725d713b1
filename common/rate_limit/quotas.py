"""The quotas of one worker: what it has admitted of each key, and what is settled with Redis."""

from collections import OrderedDict
from dataclasses import dataclass
from typing import TypeAlias

#: The limit, in requests an hour, and the parts of the name of a count. A plain tuple: the edge builds one a request.
RateLimitKey: TypeAlias = tuple[int, *tuple[str, ...]]


@dataclass(slots=True, eq=False)
class LocalQuota:
    """The state of one key in one window, in one worker.

    `leased` admissions belong to this worker. Beyond them `unreserved` are left, by the last reply of Redis and by the
    worker's own admissions since then. Of these, `unreported` wait to be reported to Redis, and `in_flight` are in
    reports without a reply. Both together never exceed `credit` while Redis replies.
    """

    key: RateLimitKey
    limit: int
    window: int
    resets_at: int
    unreserved: int
    credit: int
    leased: int = 0
    unreported: int = 0
    in_flight: int = 0
    #: Requests that wait for the next reply.
    waiting: int = 0
    #: The lease is renewed when so many admissions are left of it; -1: not before it is used up.
    renew_at: int = -1
    #: When the oldest unreported admission is reported, and when the remainder of the lease is returned.
    report_at: float = 0.0
    expires_at: float = 0.0
    #: The limit in Redis is reached: requests are rejected without another report until this time.
    rejects_until: float = 0.0
    #: Whether the last report had no reply: then the worker decides alone.
    is_local: bool = False


class QuotaQueue:
    """An ordered set of quotas that are due one after the other; above a limit the oldest are dropped."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._quotas: OrderedDict[int, LocalQuota] = OrderedDict()

    def add(self, quota: LocalQuota) -> None:
        """Put a quota at the end."""
        if id(quota) in self._quotas:
            self._quotas.move_to_end(id(quota))
            return
        if len(self._quotas) >= self._limit:
            self._quotas.popitem(last=False)
        self._quotas[id(quota)] = quota

    def first(self) -> LocalQuota:
        """Return the oldest quota. Raises StopIteration when there is none."""
        return next(iter(self._quotas.values()))

    def pop(self) -> LocalQuota:
        """Remove and return the oldest quota."""
        return self._quotas.popitem(last=False)[1]

    def __len__(self) -> int:
        return len(self._quotas)
