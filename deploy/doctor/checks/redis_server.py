"""Whether Redis answers, is new enough, and keeps what it has acknowledged."""

import re
from collections.abc import Iterator
from typing import Any

from redis import Redis
from redis.exceptions import ResponseError

from common.redis.connect import primaries
from deploy.doctor.finding import Finding, unchecked, warning, well, wrong
from deploy.doctor.installation import Installation, NotReachedError

_OLDEST = (7, 2)
#: What has to be set, and what happens otherwise.
_REQUIRED = {
    "maxmemory-policy": ("noeviction", "When it is full, Redis throws away events and snapshots instead of refusing."),
    "appendonly": ("yes", "A restart of Redis loses events that devices were told are stored."),
    "appendfsync": ("always", "A crash of Redis loses events that devices were told are stored."),
}
_SCARCE, _EXHAUSTED = 0.75, 0.9
_MEBIBYTE = 1024 * 1024


def look_at_redis(installation: Installation) -> Iterator[Finding]:
    """Report on each server that takes writes; every other check of Redis only says that it could not look."""
    try:
        with installation.redis() as client:
            client.ping()
            for server in primaries(client):
                yield _version(server.info("server"))
                yield from _durability(server)
                yield _memory(server.info("memory"))
    except NotReachedError as error:
        yield wrong(str(error), "Start Redis, or correct ONBOARDING_REDIS_URL.")


def _version(info: Any) -> Finding:  # noqa: ANN401 - what redis-py reads
    version = str(info["redis_version"])
    numbers = tuple(int(number) for number in re.findall(r"\d+", version)[:2])
    if numbers < _OLDEST:
        return wrong(f"Redis is {version}, and 7.2 is the oldest that will do.", "Upgrade Redis.")
    return well(f"Redis (compatible with {version}) answers.")


def _durability(server: Redis) -> Iterator[Finding]:
    try:
        settings: Any = server.config_get(*_REQUIRED)
    except ResponseError:
        yield unchecked("Redis does not let us read its configuration: see that it has " + _wanted() + ".")
        return
    for name, (value, consequence) in _REQUIRED.items():
        if settings.get(name) != value:
            yield wrong(f"Redis has `{name} {settings.get(name)}`. {consequence}", f"Set `{name} {value}`.")
    if all(settings.get(name) == value for name, (value, _) in _REQUIRED.items()):
        yield well("Redis keeps what it has acknowledged: " + _wanted() + ".")


def _wanted() -> str:
    return ", ".join(f"`{name} {value}`" for name, (value, _) in _REQUIRED.items())


def _memory(info: Any) -> Finding:  # noqa: ANN401 - what redis-py reads
    used, most = int(info["used_memory"]), int(info["maxmemory"])
    if not most:
        return well(f"Redis uses {used // _MEBIBYTE} MiB; it has no maxmemory, so the machine is its limit.")
    sentence = f"Redis uses {used // _MEBIBYTE} of {most // _MEBIBYTE} MiB."
    remedy = "Raise maxmemory. Should events pile up, see `onboarding events status`; full, edges spool."
    if used >= most * _EXHAUSTED:
        return wrong(sentence, remedy)
    return warning(sentence, remedy) if used >= most * _SCARCE else well(sentence)
