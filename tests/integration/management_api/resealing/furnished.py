"""A service in which everything that can be sealed has been, and what its clients must get whatever seals it."""

from dataclasses import dataclass
from typing import Any

from tests.support.clients.management import Management, data_of

_POST = {"name": "Posted once"}
_ONCE = {"Idempotency-Key": "once"}


@dataclass(frozen=True)
class Shown:
    """What clients are shown of keys and kept answers."""

    project_id: str
    api_key: str
    #: All keys of the project, as the interface shows them.
    keys: dict[str, Any]
    #: What a POST with an Idempotency-Key was answered.
    posted: str


def seed(management: Management) -> Shown:
    """Make a user, a project and a POST that is kept."""
    alice = management.user()
    project_id = alice.create_project()["id"]
    posted = alice.post("/api/projects", _POST, headers=_ONCE)
    assert posted.status_code == 201
    keys = data_of(alice.get(f"/api/projects/{project_id}/api-keys"))
    return Shown(project_id, alice.api_key(), keys, posted.text)


def shown_now(management: Management, before: Shown) -> Shown:
    """Ask again, by the personal API key that was shown before."""
    caller = management.anonymous(Authorization=f"Bearer {before.api_key}")
    posted = caller.post("/api/projects", _POST, headers=_ONCE)
    keys = data_of(caller.get(f"/api/projects/{before.project_id}/api-keys"))
    return Shown(before.project_id, caller.api_key(), keys, posted.text)
