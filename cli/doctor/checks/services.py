"""The readiness of the edges and management services that are given by URL."""

from collections.abc import Iterator
from typing import Any

from cli.doctor.finding import Finding, unchecked, warning, well, wrong
from cli.doctor.installation import Installation, UnreachableError, get_json
from cli.plural import counted

_OK = 200
_READY = "/health/ready"


def check_services(installation: Installation) -> Iterator[Finding]:
    """Request the readiness of each service."""
    for url in installation.management_urls:
        yield _management(url)
    for url in installation.edge_urls:
        yield from _edge(url)
    if not installation.management_urls and not installation.edge_urls:
        yield unchecked("No service was named: add --edge-url and --management-url.")


def _management(url: str) -> Finding:
    try:
        status, response = get_json(url, _READY)
    except UnreachableError as error:
        return wrong(f"Management: {error}", "Start `onboarding management`, or correct the URL.")
    if status != _OK:
        reason = response.get("error", status)
        return wrong(f"Management at {url} is not ready: {reason}", "See the findings about PostgreSQL.")
    return well(f"Management at {url} is ready.")


def _edge(url: str) -> Iterator[Finding]:
    try:
        status, response = get_json(url, _READY)
    except UnreachableError as error:
        yield wrong(f"Edge: {error}", "Start `onboarding edge`, or correct the URL.")
        return
    if status != _OK:
        yield wrong(f"The edge at {url} is not ready: {response.get('error', status)}", "See the findings about Redis.")
        return
    events, snapshots = _part(response, "events"), _part(response, "snapshots")
    degraded = list(_edge_events(url, events))
    if response.get("redis") == "away":
        degraded.append(
            warning(
                f"The edge at {url} does not reach Redis; its configurations are {snapshots.get('age_seconds')} s old.",
                "Start Redis, or correct the edge's ONBOARDING_REDIS_URL.",
            )
        )
    if snapshots.get("disk_copy") == "failing":
        degraded.append(
            warning(
                f"The edge at {url} cannot copy snapshots to its disk.",
                "Make ONBOARDING_EDGE_SNAPSHOT_FOLDER writable, and free space on its disk.",
            )
        )
    yield from degraded or [well(f"The edge at {url} is ready.")]


def _edge_events(url: str, events: dict[str, Any]) -> Iterator[Finding]:
    if events.get("stored") == "nowhere":
        yield wrong(
            f"The edge at {url} refuses events: neither Redis nor its spool takes them.",
            "Start Redis; give the edge a spool (ONBOARDING_EDGE_SPOOL_FOLDER) with room.",
        )
    elif records := int(events.get("spooled_records") or 0):
        yield warning(
            f"{counted(records, 'event waits', 'events wait')} in the spool of the edge at {url},"
            f" the oldest for {events.get('oldest_seconds')} s.",
            "They are replayed when Redis takes them.",
        )


def _part(response: dict[str, Any], name: str) -> dict[str, Any]:
    part = response.get(name)
    return part if isinstance(part, dict) else {}
