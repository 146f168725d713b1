"""Redis: reachable, new enough, durable, with enough memory and replicas."""

import re
from collections.abc import Iterator
from typing import Any

from redis import Redis
from redis.exceptions import ResponseError

from cli.doctor.installation import Installation, UnreachableError
from cli.doctor.result import Result
from common.redis.connect import primaries
from common.settings.types import can_fail_over

_OLDEST = (7, 2)
#: The required settings, and the consequence of other values.
_REQUIRED = {
    "maxmemory-policy": ("noeviction", "When it is full, Redis throws away events and snapshots instead of refusing."),
    "appendonly": ("yes", "A restart of Redis loses events that devices were told are stored."),
    "appendfsync": ("always", "A crash of Redis loses events that devices were told are stored."),
}
_SCARCE, _EXHAUSTED = 0.75, 0.9
_MEBIBYTE = 1024 * 1024


def check_redis(installation: Installation) -> Iterator[Result]:
    """Check each server that accepts writes."""
    try:
        with installation.redis() as client:
            client.ping()
            for server in primaries(client).values():
                yield _version(server.info("server"))
                yield from _durability(server)
                yield _memory(server.info("memory"))
    except UnreachableError as error:
        yield Result.error(str(error), "Start Redis, or correct ONBOARDING_REDIS_URL.")


def _version(info: Any) -> Result:  # noqa: ANN401 - redis-py's type of a reply
    version = str(info["redis_version"])
    numbers = tuple(int(number) for number in re.findall(r"\d+", version)[:2])
    if numbers < _OLDEST:
        return Result.error(f"Redis is {version}, and 7.2 is the oldest supported version.", "Upgrade Redis.")
    return Result.ok(f"Redis (compatible with {version}) answers.")


def _durability(server: Redis) -> Iterator[Result]:
    try:
        settings: Any = server.config_get(*_REQUIRED)
    except ResponseError:
        yield Result.not_checked("Redis does not permit CONFIG GET: make sure that it has " + _required() + ".")
        return
    for name, (value, consequence) in _REQUIRED.items():
        if settings.get(name) != value:
            yield Result.error(f"Redis has `{name} {settings.get(name)}`. {consequence}", f"Set `{name} {value}`.")
    if all(settings.get(name) == value for name, (value, _) in _REQUIRED.items()):
        yield Result.ok("Redis keeps what it has acknowledged: " + _required() + ".")


def _required() -> str:
    return ", ".join(f"`{name} {value}`" for name, (value, _) in _REQUIRED.items())


def _memory(info: Any) -> Result:  # noqa: ANN401 - redis-py's type of a reply
    used, limit = int(info["used_memory"]), int(info["maxmemory"])
    if not limit:
        return Result.ok(
            f"Redis uses {used // _MEBIBYTE} MiB; it has no maxmemory, so the memory of the machine is the limit."
        )
    sentence = f"Redis uses {used // _MEBIBYTE} of {limit // _MEBIBYTE} MiB."
    remedy = "Raise maxmemory. Should events pile up, see `onboarding events status`; full, edges spool."
    if used >= limit * _EXHAUSTED:
        return Result.error(sentence, remedy)
    return Result.warning(sentence, remedy) if used >= limit * _SCARCE else Result.ok(sentence)


def check_event_replicas(installation: Installation) -> Iterator[Result]:
    """Compare the number of replicas that events wait for, as this environment sets it, with the replicas there are."""
    wanted = installation.settings.edge_event_replicas
    with installation.redis() as client:
        replicas = [_connected_replicas(server.info("replication")) for server in primaries(client).values()]
    fewest = min(replicas)
    if fewest < wanted:
        yield Result.error(
            f"Events wait for {wanted} of the replicas of Redis, a master has {fewest}: its events go to the spool.",
            "Connect the missing replicas; if none are wanted, set ONBOARDING_EDGE_EVENT_REPLICAS=0 for the edges.",
        )
    elif can_fail_over(installation.settings.redis_url) and not wanted:
        yield Result.warning(
            "A failover of Redis can lose acknowledged events: ONBOARDING_EDGE_EVENT_REPLICAS is 0.",
            "Remove the setting, and give each master two replicas: events then wait for one of them.",
        )
    elif wanted:
        yield Result.ok(f"Events wait for {wanted} of the replicas of Redis, and every master has {fewest} or more.")
    else:
        yield Result.ok("Redis is one server: nothing fails over.")


def _connected_replicas(info: Any) -> int:  # noqa: ANN401 - redis-py's type of a reply
    return int(info["connected_slaves"])
