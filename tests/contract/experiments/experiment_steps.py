"""The steps of an experiment's life, taken over the interface."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.support.clients.management import Management, User, data_of
from tests.support.data.analytics_events import add_events, add_exposures, an_event

SECOND = timedelta(seconds=1)
CONDITIONS = [{"attribute": "platform", "operator": "eq", "value": "ios"}]


def variants(flows: list[str], *weights: int) -> list[dict[str, Any]]:
    """Return variants a (the control), b, ... with the flows; half and half if no weights are given."""
    return [
        {"key": key, "name": key.upper(), "flow_id": flow_id, "weight": weight, "is_control": key == "a"}
        for key, flow_id, weight in zip("abcdefghijk", flows, weights or (50, 50), strict=False)
    ]


def draft(user: User, body: dict[str, Any], **members: object) -> dict[str, Any]:
    """Create an experiment; return its data."""
    made: dict[str, Any] = data_of(user.post("/api/experiments", {**body, **members}), 201)
    return made


def started(user: User, body: dict[str, Any], **members: object) -> dict[str, Any]:
    """Create and start an experiment; return its data."""
    return act(user, draft(user, body, **members), "start")


def act(user: User, experiment: dict[str, Any], verb: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    """Start, pause or complete an experiment; return its data."""
    changed: dict[str, Any] = data_of(user.post(f"/api/experiments/{experiment['id']}/{verb}", body))
    return changed


def assert_refused(response: Any, status: int, code: str, field: str | None = None) -> None:  # noqa: ANN401 - a Result
    """Assert that a response is this error, and about this member if one is passed."""
    assert (response.status_code, response.json["code"]) == (status, code), response.text
    if field is not None:
        assert field in [detail["field"] for detail in response.json["details"]]


def with_flows(user: User, weights: dict[str, int], **members: object) -> dict[str, Any]:
    """Create an experiment between flows of its own, with these weights by key; return its data."""
    project_id = user.create_project()["id"]
    flows = [user.create_flow(project_id, status="active")["id"] for _ in weights]
    body = {"projectId": project_id, "name": "Shorter", "variants": variants(flows, *weights.values())}
    return draft(user, body, **members)


def change(user: User, experiment: dict[str, Any], **members: object) -> None:
    """Change members of an experiment."""
    data_of(user.put(f"/api/experiments/{experiment['id']}", members))


def weights(experiment: dict[str, Any], *weights: int) -> list[dict[str, Any]]:
    """Return the variants of an experiment with other weights."""
    return [{**one, "weight": weight} for one, weight in zip(experiment["variants"], weights, strict=True)]


def results(user: User, experiment: dict[str, Any]) -> dict[str, Any]:
    """Return the results of an experiment."""
    shown: dict[str, Any] = data_of(user.get(f"/api/experiments/{experiment['id']}/results"))
    return shown


def by_key(results: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the variants of results by their keys."""
    return {variant["key"]: variant for variant in results["variants"]}


def now() -> datetime:
    """Return the present moment."""
    return datetime.now(UTC)


def devices(prefix: str, number: int) -> list[str]:
    """Return the names of devices."""
    return [f"{prefix}{each}" for each in range(number)]


def expose(
    management: Management,
    experiment: dict[str, Any],
    key: str,
    devices: Iterable[str],
    at: datetime | None = None,
) -> None:
    """Store exposures of devices to a variant."""
    flow_id = next(variant["flow_id"] for variant in experiment["variants"] if variant["key"] == key)
    with management.database.transaction() as session:
        add_exposures(session, experiment["project_id"], devices, flow_id, at or now(), experiment["id"], key)


def convert(
    management: Management,
    experiment: dict[str, Any],
    devices: Iterable[str],
    at: datetime | None = None,
    event_type: str = "flow_completed",
) -> None:
    """Store an event of each device, by default a conversion."""
    with management.database.transaction() as session:
        events = [an_event(at or now() + SECOND, device_id=device, event_type=event_type) for device in devices]
        add_events(session, experiment["project_id"], events)
