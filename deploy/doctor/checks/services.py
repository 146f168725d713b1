"""Whether the edges and the management services that were named are ready, and what they say of themselves."""

from collections.abc import Iterator
from typing import Any

from deploy.doctor.finding import Finding, unchecked, warning, well, wrong
from deploy.doctor.installation import Installation, NotReachedError, asked
from deploy.local.counted_words import counted

_OK = 200
_READY = "/health/ready"


def look_at_services(installation: Installation) -> Iterator[Finding]:
    """Ask each one."""
    for url in installation.management_urls:
        yield _management(url)
    for url in installation.edge_urls:
        yield from _edge(url)
    if not installation.management_urls and not installation.edge_urls:
        yield unchecked("No service was named: add --edge-url and --management-url.")


def _management(url: str) -> Finding:
    try:
        status, answer = asked(url, _READY)
    except NotReachedError as error:
        return wrong(f"Management: {error}", "Start `onboarding management`, or correct the URL.")
    if status != _OK:
        reason = answer.get("error", status)
        return wrong(f"Management at {url} is not ready: {reason}", "See what is said of PostgreSQL.")
    return well(f"Management at {url} is ready.")


def _edge(url: str) -> Iterator[Finding]:
    try:
        status, answer = asked(url, _READY)
    except NotReachedError as error:
        yield wrong(f"Edge: {error}", "Start `onboarding edge`, or correct the URL.")
        return
    if status != _OK:
        yield wrong(f"The edge at {url} is not ready: {answer.get('error', status)}", "See what is said of Redis.")
        return
    events, snapshots = _part(answer, "events"), _part(answer, "snapshots")
    degraded = list(_edge_events(url, events))
    if answer.get("redis") == "away":
        degraded.append(
            warning(
                f"The edge at {url} does not reach Redis; what it serves is {snapshots.get('age_seconds')} s old.",
                "Bring Redis back, or correct the edge's ONBOARDING_REDIS_URL.",
            )
        )
    if snapshots.get("disk_copy") == "failing":
        degraded.append(
            warning(
                f"The edge at {url} cannot copy snapshots to its disk.",
                "Look after ONBOARDING_EDGE_SNAPSHOT_FOLDER: is it writable, and the disk not full?",
            )
        )
    yield from degraded or [well(f"The edge at {url} is ready.")]


def _edge_events(url: str, events: dict[str, Any]) -> Iterator[Finding]:
    if events.get("stored") == "nowhere":
        yield wrong(
            f"The edge at {url} refuses events: neither Redis nor its spool takes them.",
            "Bring Redis back; give the edge a spool (ONBOARDING_EDGE_SPOOL_FOLDER) with room.",
        )
    elif records := int(events.get("spooled_records") or 0):
        yield warning(
            f"{counted(records, 'event waits', 'events wait')} in the spool of the edge at {url},"
            f" the oldest for {events.get('oldest_seconds')} s.",
            "They are replayed when Redis takes them.",
        )


def _part(answer: dict[str, Any], name: str) -> dict[str, Any]:
    part = answer.get(name)
    return part if isinstance(part, dict) else {}
