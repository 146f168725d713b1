"""The clocks of this machine, PostgreSQL, Redis and the edges."""

import time
from collections.abc import Callable, Iterator

from cli.doctor.installation import Installation, UnreachableError, get_json
from cli.doctor.result import Result

#: A difference without consequences for tokens and the times of events.
_SMALL_SECONDS = 1.0
#: Above this, tokens of the identity provider are rejected.
_LARGE_SECONDS = 30.0


def check_clocks(installation: Installation) -> Iterator[Result]:
    """Compare the clocks of both servers with this machine, and the clocks of the named edges with Redis."""
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


def _edge(url: str) -> Iterator[Result]:
    try:
        _, response = get_json(url, "/health/ready")
    except UnreachableError:
        # The check of services reports it.
        return
    difference = response.get("clock_difference_seconds")
    if isinstance(difference, int | float):
        yield _result(f"the edge at {url}", "Redis's", abs(difference))


def _compared(name: str, read: Callable[[], float]) -> Result:
    before = time.time()
    theirs = read()
    after = time.time()
    # It was read between the two.
    return _result(name, "this machine's", max(before - theirs, theirs - after, 0.0))


def _result(name: str, reference: str, difference: float) -> Result:
    if difference <= _SMALL_SECONDS:
        return Result.ok(f"The clock of {name} agrees with {reference}.")
    report = Result.warning if difference <= _LARGE_SECONDS else Result.error
    return report(
        f"The clock of {name} is {round(difference, 1):g} s off {reference}.",
        "Run a time service (NTP) on all machines; tokens and the times of events follow these clocks.",
    )
