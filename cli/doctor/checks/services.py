"""The readiness of the edges and management services that are given by URL, and their dashboard."""

from collections.abc import Iterator
from typing import Any

from cli.console import plural
from cli.doctor.installation import Installation, UnreachableError, get_json
from cli.doctor.result import Result

_OK = 200
_READY = "/health/ready"


def check_services(installation: Installation) -> Iterator[Result]:
    """Request the readiness of each service."""
    for url in installation.management_urls:
        yield _management(url)
    for url in installation.edge_urls:
        yield from _edge(url)
    if not installation.management_urls and not installation.edge_urls:
        yield Result.not_checked("No service was named: add --edge-url and --management-url.")


def check_dashboard(installation: Installation) -> Iterator[Result]:
    """Request the dashboard of each management service."""
    for url in installation.management_urls:
        yield _dashboard(url)
    if not installation.management_urls:
        yield Result.not_checked("No management service was named: add --management-url.")


def _dashboard(url: str) -> Result:
    try:
        status, _ = get_json(url, "/dashboard/")
        config_status, config = get_json(url, "/dashboard/config.json")
    except UnreachableError as error:
        return Result.not_checked(f"Dashboard: {error}")
    if config_status != _OK:
        return Result.not_checked(f"Management at {url} has no dashboard: it is of an earlier release.")
    if status != _OK:
        return Result.warning(
            f"The dashboard at {url} is not built.",
            "Install a wheel or an image of this release, which contain it, or run `python -m tools.web build`.",
        )
    if not config.get("client_id") and not config.get("development_identity"):
        return Result.warning(
            f"The dashboard at {url} has no sign-in.",
            "Register it with the identity provider, and set ONBOARDING_DASHBOARD_CLIENT_ID.",
        )
    return Result.ok(f"The dashboard at {url} can be opened.")


def _management(url: str) -> Result:
    try:
        status, response = get_json(url, _READY)
    except UnreachableError as error:
        return Result.error(f"Management: {error}", "Start `onboarding management`, or correct the URL.")
    if status != _OK:
        reason = response.get("error", status)
        return Result.error(f"Management at {url} is not ready: {reason}", "See the results for PostgreSQL.")
    return Result.ok(f"Management at {url} is ready.")


def _edge(url: str) -> Iterator[Result]:
    try:
        status, response = get_json(url, _READY)
    except UnreachableError as error:
        yield Result.error(f"Edge: {error}", "Start `onboarding edge`, or correct the URL.")
        return
    if status != _OK:
        yield Result.error(
            f"The edge at {url} is not ready: {response.get('error', status)}", "See the results for Redis."
        )
        return
    events, snapshots = _part(response, "events"), _part(response, "snapshots")
    degraded = list(_edge_events(url, events))
    # Edges of release 0.2 have the former members alone.
    if not response.get("redis_reachable", response.get("redis") != "away"):
        degraded.append(
            Result.warning(
                f"The edge at {url} does not reach Redis; its configurations are {snapshots.get('age_seconds')} s old.",
                "Start Redis, or correct the edge's ONBOARDING_REDIS_URL.",
            )
        )
    elif response.get("rate_limits") == "local":
        degraded.append(
            Result.warning(
                f"The edge at {url} limits requests by worker: Redis does not count them in time.",
                "Find out why Redis is slow, or whether the user of the edge may EVAL.",
            )
        )
    if snapshots.get("disk_copy") == "failing":
        degraded.append(
            Result.warning(
                f"The edge at {url} cannot copy snapshots to its disk.",
                "Make ONBOARDING_EDGE_SNAPSHOT_FOLDER writable, and free space on its disk.",
            )
        )
    yield from degraded or [Result.ok(f"The edge at {url} is ready.")]


def _edge_events(url: str, events: dict[str, Any]) -> Iterator[Result]:
    if events.get("store", events.get("stored")) in {"none", "nowhere"}:
        yield Result.error(
            f"The edge at {url} refuses events: neither Redis nor its spool takes them.",
            "Start Redis; give the edge a spool (ONBOARDING_EDGE_SPOOL_FOLDER) with room.",
        )
    elif records := int(events.get("spooled_records") or 0):
        yield Result.warning(
            f"{plural(records, 'event waits', 'events wait')} in the spool of the edge at {url},"
            f" the oldest for {events.get('oldest_seconds')} s.",
            "They are replayed when Redis takes them.",
        )


def _part(response: dict[str, Any], name: str) -> dict[str, Any]:
    part = response.get(name)
    return part if isinstance(part, dict) else {}
