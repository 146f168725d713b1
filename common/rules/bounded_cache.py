"""Results kept by what they were worked out from, as many as belong to honest clients, and what that weighs."""

from collections.abc import Callable
from sys import getsizeof
from typing import Generic, TypeVar

KeyT = TypeVar("KeyT")
ValueT = TypeVar("ValueT")

#: More keys than these belong to nobody's devices, but to somebody who makes them up; then all is forgotten.
MOST_REMEMBERED = 256
#: A text that is longer than this is not worth remembering by.
LONGEST_REMEMBERED = 64

#: What a place in a dictionary takes, with those that it keeps free.
_PLACE_BYTES = 60


class Weight:
    """About how many bytes of memory something takes that grows while it is used; one may be told when it does."""

    __slots__ = ("_tell", "bytes")

    def __init__(self) -> None:
        self.bytes = 0
        self._tell: Callable[[int], None] | None = None

    def add(self, grown_bytes: int) -> None:
        """Take note of growth; it is negative when something was forgotten."""
        self.bytes += grown_bytes
        if self._tell is not None:
            self._tell(grown_bytes)

    def tell(self, follower: Callable[[int], None] | None) -> None:
        """Tell the follower, and nobody else, of growth from now on."""
        self._tell = follower


class BoundedCache(Generic[KeyT, ValueT]):
    """A dictionary with a bound. `recall` gives what is remembered of a key, or None."""

    __slots__ = ("_bytes", "_values", "_weight", "recall")

    def __init__(self, weight: Weight | None = None) -> None:
        self._values: dict[KeyT, ValueT] = {}
        self._weight = weight
        self._bytes = 0
        self.recall = self._values.get

    def keep(self, key: KeyT, value: ValueT) -> None:
        """Remember a result from now on."""
        if len(self._values) >= MOST_REMEMBERED:
            self._values.clear()
            self._weigh(-self._bytes)
        self._values[key] = value
        self._weigh(_PLACE_BYTES + getsizeof(key) + getsizeof(value))

    def _weigh(self, grown_bytes: int) -> None:
        self._bytes += grown_bytes
        if self._weight is not None:
            self._weight.add(grown_bytes)
