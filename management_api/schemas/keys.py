"""Keys as the interface takes and shows them."""

from datetime import timedelta
from typing import Annotated

from management_api.schemas.envelope import ResponseModel, Timestamp
from management_api.schemas.parsing import RequestModel
from management_api.schemas.texts import whole_number_between

LONGEST_GRACE_SECONDS = 604_800
DEFAULT_GRACE_SECONDS = 86_400


class RotationBody(RequestModel):
    """POST /projects/{project_id}/api-keys/rotate; every member may be left out, and so may the body."""

    grace_period_seconds: Annotated[int, whole_number_between(0, LONGEST_GRACE_SECONDS)] = DEFAULT_GRACE_SECONDS

    @property
    def grace(self) -> timedelta:
        """How long the old keys go on working."""
        return timedelta(seconds=self.grace_period_seconds)


class SecretKeyView(ResponseModel):
    """A living secret key."""

    id: str
    secret_key: str
    created_at: Timestamp
    expires_at: Timestamp | None
    last_used_at: Timestamp | None


class ProjectKeysView(ResponseModel):
    """All keys of a project."""

    project_id: str
    public_key: str
    secret_keys: list[SecretKeyView]


class ApiKeyRotationBody(RequestModel):
    """POST /user/api-key/rotate takes no member; the body may be left out."""


class ApiKeyView(ResponseModel):
    """The personal API key of a user."""

    api_key: str
    created_at: Timestamp
    last_used_at: Timestamp | None
