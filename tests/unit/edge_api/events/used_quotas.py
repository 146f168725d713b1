"""Used quotas as an edge has read them."""

import time
from collections.abc import Callable, Collection, Mapping

from redis.asyncio import Redis

from edge_api.events.quotas import ProjectQuotas


def no_quotas() -> ProjectQuotas:
    """Return the quotas of an edge that has read none."""
    return ProjectQuotas(Redis())


def quotas_used_up(
    projects: Mapping[str, Collection[str]],
    *,
    resets_at: float | None = None,
    clock: Callable[[], float] = time.time,
    uniform: float = 0.5,
) -> ProjectQuotas:
    """Return quotas that projects have used up until a Unix time, an hour from now by default."""
    quotas = ProjectQuotas(Redis(), clock, lambda: uniform)
    quotas.used_up = {project_id: frozenset(names) for project_id, names in projects.items()}
    quotas.resets_at = int(clock() + 3600) if resets_at is None else int(resets_at)
    return quotas
