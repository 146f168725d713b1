"""The steps of an experiment's life, taken over the interface."""

from typing import Any

from tests.support.clients.management import User, data_of

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
