"""The keys of a project, and the rotation of its secret key."""

import falcon

from common.errors import ErrorCode
from management_api.database.key_vault import KeyVault
from management_api.database.transactions import Database
from management_api.operations.limits import Limits
from management_api.operations.secret_keys import read_project_keys, rotate_secret_key
from management_api.resources.declaration import answers
from management_api.resources.exchange import caller_of, respond
from management_api.resources.writes import Writes, project_access
from management_api.schemas.keys import ProjectKeysView, RotationBody


class ProjectKeys:
    """GET /projects/{project_id}/api-keys."""

    def __init__(self, database: Database, vault: KeyVault) -> None:
        self._database = database
        self._vault = vault

    @answers("list_project_keys", ProjectKeysView, errors=[ErrorCode.INVALID_PROJECT])
    def on_get(self, request: falcon.Request, response: falcon.Response, project_id: str) -> None:
        """Show the public key of a project and its living secret keys, the newest first."""
        with self._database.reading() as session:
            shown = read_project_keys(session, self._vault, caller_of(request), project_id)
        respond(response, ProjectKeysView.model_validate(shown))


class ProjectKeyRotation:
    """POST /projects/{project_id}/api-keys/rotate."""

    def __init__(self, vault: KeyVault, limits: Limits, writes: Writes) -> None:
        self._vault = vault
        self._limits = limits
        self._writes = writes

    @answers(
        "rotate_project_key",
        ProjectKeysView,
        status=201,
        errors=[ErrorCode.INVALID_PROJECT, ErrorCode.CONFLICT],
        body_is_optional=True,
    )
    def on_post(self, request: falcon.Request, response: falcon.Response, project_id: str, body: RotationBody) -> None:
        """Make a new secret key.

        The old ones go on working for the grace period; with 0 they die at once. The body may be left out.
        """
        with self._writes.begin(request, response, project_access(project_id)) as session:
            shown = rotate_secret_key(session, self._vault, caller_of(request), project_id, body.grace, self._limits)
            respond(response, ProjectKeysView.model_validate(shown))
