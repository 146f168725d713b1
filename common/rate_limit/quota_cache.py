"""The allowances that a worker holds, bounded, so that a flood of strangers cannot push out those in use."""

from collections import OrderedDict

from common.rate_limit.leases import LocalQuota

MAX_QUOTAS = 50_000
#: This part of the places is for keys that were asked for more than once.
_PROVEN_PART = 0.8


class QuotaCache:
    """Two queues, least recently used out first: newcomers, and those that came again.

    A flood of addresses that come once each flows through the first queue. What is dropped costs nothing while Redis
    answers, as the count is there; while it does not, a key that was dropped starts anew.
    """

    def __init__(self, most: int = MAX_QUOTAS) -> None:
        self._most_proven = max(1, int(most * _PROVEN_PART))
        self._most_new = max(1, most - self._most_proven)
        self._new: OrderedDict[str, LocalQuota] = OrderedDict()
        self._proven: OrderedDict[str, LocalQuota] = OrderedDict()

    def use(self, name: str) -> LocalQuota | None:
        """Look a key's allowance up for a request."""
        allowance = self._proven.get(name)
        if allowance is not None:
            self._proven.move_to_end(name)
            return allowance
        allowance = self._new.pop(name, None)
        if allowance is not None:
            self._proven[name] = allowance
            if len(self._proven) > self._most_proven:
                demoted_name, demoted = self._proven.popitem(last=False)
                self._new[demoted_name] = demoted
        return allowance

    def keep(self, name: str, allowance: LocalQuota) -> LocalQuota | None:
        """Hold a key's allowance in place of an older one; gives another key's that had to go, if any."""
        if name in self._proven:
            self._proven[name] = allowance
            return None
        self._new[name] = allowance
        if len(self._new) > self._most_new:
            _, dropped = self._new.popitem(last=False)
            return dropped
        return None

    def __len__(self) -> int:
        return len(self._new) + len(self._proven)
