"""The clocks of this machine, PostgreSQL and Redis."""

import time
from collections.abc import Callable, Iterator

from deploy.doctor.finding import Finding, warning, well, wrong
from deploy.doctor.installation import Installation, UnreachableError, get_clock

#: A difference without consequences for tokens and the times of events.
_SMALL_SECONDS = 1.0
#: A Date header has whole seconds, and uvicorn renews it once a second.
_DATE_AGE_SECONDS = 2.5
#: Above this, tokens of the identity provider are rejected.
_LARGE_SECONDS = 30.0


def check_clocks(installation: Installation) -> Iterator[Finding]:
    """Compare the clocks of both servers and of the named edges with this machine's."""
    for url in installation.edge_urls:
        yield from _edge(url)
    with installation.postgresql() as cursor:
        cursor.execute("SELECT 1")

        def postgresql_time() -> float:
            [(now,)] = cursor.execute("SELECT extract(epoch FROM clock_timestamp())::float8").fetchall()
            return float(now)

        yield _compared("PostgreSQL", postgresql_time)
    with installation.redis() as client:
        client.ping()

        def redis_time() -> float:
            seconds, microseconds = client.time()
            return float(seconds) + float(microseconds) / 1e6

        yield _compared("Redis", redis_time)


def _edge(url: str) -> Iterator[Finding]:
    try:
        if get_clock(url) is not None:
            yield _compared(f"the edge at {url}", lambda: get_clock(url) or 0.0, age_seconds=_DATE_AGE_SECONDS)
    except UnreachableError:
        # The check of services reports it.
        pass


def _compared(name: str, read: Callable[[], float], *, age_seconds: float = 0.0) -> Finding:
    before = time.time()
    theirs = read()
    after = time.time()
    # It was read between the two, and may have been that old then.
    off = max(before - theirs - age_seconds, theirs - after, 0.0)
    if off <= _SMALL_SECONDS:
        return well(f"The clock of {name} agrees with this machine's.")
    found = warning if off <= _LARGE_SECONDS else wrong
    return found(
        f"The clock of {name} is {off:.0f} s off this machine's.",
        "Run a time service (NTP) on all machines; tokens and the times of events follow these clocks.",
    )
