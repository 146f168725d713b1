"""A service with encrypted data of each kind, and the responses that clients get with each master key."""

from dataclasses import dataclass
from typing import Any

from tests.support.clients.management import Management, data_of

_POST = {"name": "Posted once"}
_ONCE = {"Idempotency-Key": "once"}


@dataclass(frozen=True)
class Shown:
    """The keys and stored responses that clients receive."""

    project_id: str
    api_key: str
    #: All keys of the project, as the interface shows them.
    keys: dict[str, Any]
    #: The response to a POST with an Idempotency-Key.
    posted: str


def seed(management: Management) -> Shown:
    """Create a user, a project and a stored response of a POST."""
    alice = management.user()
    project_id = alice.create_project()["id"]
    posted = alice.post("/api/projects", _POST, headers=_ONCE)
    assert posted.status_code == 201
    keys = data_of(alice.get(f"/api/projects/{project_id}/api-keys"))
    return Shown(project_id, alice.api_key(), keys, posted.text)


def read_again(management: Management, before: Shown) -> Shown:
    """Return the same data again, read with the personal API key from before."""
    caller = management.anonymous(Authorization=f"Bearer {before.api_key}")
    posted = caller.post("/api/projects", _POST, headers=_ONCE)
    keys = data_of(caller.get(f"/api/projects/{before.project_id}/api-keys"))
    return Shown(before.project_id, caller.api_key(), keys, posted.text)
