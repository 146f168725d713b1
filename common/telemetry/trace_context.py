"""Where something began, as it travels: a W3C `traceparent`, and the id of the request."""

import re
from collections.abc import Sequence
from typing import NamedTuple

#: Version, trace, span, flags. A later version may have more behind that, which nobody here could read.
_TRACEPARENT = re.compile(r"00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}")
_SAMPLED = 1


class TraceOrigin(NamedTuple):
    """The span in which something began, and the request that it began with."""

    traceparent: str
    request_id: str | None


def sane_traceparent(values: Sequence[str]) -> str | None:
    """Keep the one that a request names, if it is one; a stranger may send anything, and several."""
    if len(values) != 1 or not _TRACEPARENT.fullmatch(values[0]):
        return None
    return values[0]


def is_sampled(traceparent: str) -> bool:
    """Tell whether anybody keeps that trace."""
    return bool(int(traceparent[-2:], 16) & _SAMPLED)
