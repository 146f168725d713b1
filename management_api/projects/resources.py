"""Projects, their keys and their QA devices."""

import falcon

from common.errors import ErrorCode
from management_api.auth.entity_tags import tag_of
from management_api.db.engine import ColumnReader, Database
from management_api.db.key_vault import KeyVault
from management_api.db.models.projects import Project
from management_api.http.idempotency import IdempotentWrites, project_access, user_access
from management_api.http.requests import caller_of, if_match_of
from management_api.http.responses import Pagination, respond, rows_as_dicts
from management_api.http.routing import endpoint
from management_api.projects.operations import (
    create_project,
    delete_project,
    list_projects,
    read_project_with_stats,
    update_project,
)
from management_api.projects.qa_devices import qa_devices_tag, read_qa_devices, replace_qa_devices
from management_api.projects.quotas import Quotas
from management_api.projects.schemas import (
    CreatedProject,
    ProjectCreateBody,
    ProjectKeysView,
    ProjectListItem,
    ProjectListQuery,
    ProjectUpdateBody,
    ProjectView,
    QaDevicesBody,
    QaDevicesView,
    RotationBody,
    UpdatedProject,
    project_response,
)
from management_api.projects.secret_keys import public_keys_of, rotate_secret_key, show_project_keys
from management_api.rollups.usage import Usage


class ProjectCollection:
    """GET and POST /projects."""

    def __init__(self, vault: KeyVault, quotas: Quotas, writes: IdempotentWrites) -> None:
        self._vault = vault
        self._quotas = quotas
        self._writes = writes

    @endpoint("list_projects", list[ProjectListItem])
    def on_get(
        self, request: falcon.Request, response: falcon.Response, reader: ColumnReader, query: ProjectListQuery
    ) -> None:
        """List the projects of the caller.

        A project belongs to the list if the caller has a role in it.
        """
        listed = list_projects(reader, caller_of(request), query.page_request(), query.search)
        rows = rows_as_dicts(listed.items)
        items = [ProjectListItem.model_validate(row | {"settings": row, "stats": row}) for row in rows]
        respond(response, items, pagination=Pagination.for_page(listed.request, listed.total))

    @endpoint("create_project", CreatedProject, status=201, errors=[ErrorCode.CONFLICT])
    def on_post(self, request: falcon.Request, response: falcon.Response, body: ProjectCreateBody) -> None:
        """Create a project.

        The caller becomes its owner. Its first secret key is created with it; `list_project_keys` returns it.
        """
        with self._writes.idempotent_transaction(request, response, user_access) as session:
            project = create_project(session, self._vault, caller_of(request), body, self._quotas)
            created = project_response(CreatedProject, project, api_keys=public_keys_of(self._vault, project))
            respond(response, created, tag=tag_of(Project, project))


class ProjectItem:
    """GET, PUT and DELETE /projects/{project_id}."""

    def __init__(self, database: Database, vault: KeyVault, quotas: Usage) -> None:
        self._database = database
        self._vault = vault
        self._quotas = quotas

    @endpoint("get_project", ProjectView, errors=[ErrorCode.INVALID_PROJECT])
    def on_get(self, request: falcon.Request, response: falcon.Response, reader: ColumnReader, project_id: str) -> None:
        """Read a project with all its settings, statistics, used quotas and public keys."""
        project, stats, quotas = read_project_with_stats(reader, caller_of(request), project_id, self._quotas)
        keys = public_keys_of(self._vault, project)
        view = project_response(ProjectView, project, stats=stats, quotas=quotas, api_keys=keys)
        respond(response, view, tag=tag_of(Project, project))

    @endpoint(
        "update_project",
        UpdatedProject,
        errors=[ErrorCode.INVALID_PROJECT, ErrorCode.INVALID_FLOW, ErrorCode.CONFLICT],
    )
    def on_put(
        self, request: falcon.Request, response: falcon.Response, project_id: str, body: ProjectUpdateBody
    ) -> None:
        """Update a project.

        Absent members stay as they are, inside `settings` too; `description: null` clears the description. A
        `default_flow_id` that is no flow of the project is a 404 `INVALID_FLOW`, and one whose content still needs a
        review a 409.
        """
        with self._database.transaction() as session:
            project = update_project(session, caller_of(request), project_id, body, if_match_of(request))
            respond(response, project_response(UpdatedProject, project), tag=tag_of(Project, project))

    @endpoint("delete_project", errors=[ErrorCode.INVALID_PROJECT])
    def on_delete(self, request: falcon.Request, response: falcon.Response, project_id: str) -> None:
        """Delete a project.

        Its keys are refused and its members cannot see it from now on. Its flows, screens, themes, experiments and
        analytics data are deleted in the background; irreversible.
        """
        with self._database.transaction() as session:
            delete_project(session, caller_of(request), project_id, if_match_of(request))
        respond(response, message="Project deleted")


class ProjectKeys:
    """GET /projects/{project_id}/api-keys."""

    def __init__(self, database: Database, vault: KeyVault) -> None:
        self._database = database
        self._vault = vault

    @endpoint("list_project_keys", ProjectKeysView, errors=[ErrorCode.INVALID_PROJECT])
    def on_get(self, request: falcon.Request, response: falcon.Response, project_id: str) -> None:
        """List the public key of a project and its active secret keys, the newest first.

        The audit log has who saw them, at most once an hour for each user.
        """
        with self._database.transaction() as session:
            respond(response, show_project_keys(session, self._vault, caller_of(request), project_id))


class ProjectKeyRotation:
    """POST /projects/{project_id}/api-keys/rotate."""

    def __init__(self, vault: KeyVault, quotas: Quotas, writes: IdempotentWrites) -> None:
        self._vault = vault
        self._quotas = quotas
        self._writes = writes

    @endpoint(
        "rotate_project_key",
        ProjectKeysView,
        status=201,
        errors=[ErrorCode.INVALID_PROJECT, ErrorCode.CONFLICT],
        body_is_optional=True,
    )
    def on_post(self, request: falcon.Request, response: falcon.Response, project_id: str, body: RotationBody) -> None:
        """Rotate the secret key of a project.

        The old keys stay valid for the grace period; with 0 they are invalid at once. The body may be left out.
        """
        with self._writes.idempotent_transaction(request, response, project_access(project_id)) as session:
            keys = rotate_secret_key(session, self._vault, caller_of(request), project_id, body.grace, self._quotas)
            respond(response, keys)


class ProjectQaDevices:
    """GET and PUT /projects/{project_id}/qa-devices."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @endpoint("get_qa_devices", QaDevicesView, errors=[ErrorCode.INVALID_PROJECT])
    def on_get(self, request: falcon.Request, response: falcon.Response, project_id: str) -> None:
        """Read the QA devices of a project, each with the flow that it always gets."""
        with self._database.reading() as session:
            devices = read_qa_devices(session, caller_of(request), project_id)
        respond(response, devices, tag=qa_devices_tag(devices))

    @endpoint("replace_qa_devices", QaDevicesView, errors=[ErrorCode.INVALID_PROJECT, ErrorCode.INVALID_FLOW])
    def on_put(self, request: falcon.Request, response: falcon.Response, project_id: str, body: QaDevicesBody) -> None:
        """Replace the QA devices of a project.

        `devices` is the complete map, at most 100. A device in it gets its flow before every other rule is evaluated,
        in every status of the flow, and its resolutions are not recorded. Instead of the id of its flow a device may
        have `flow_id` and `draft`: it gets the flow's draft while there is one. The deletion of a flow removes its
        devices from the map.
        """
        with self._database.transaction() as session:
            devices = replace_qa_devices(session, caller_of(request), project_id, body.devices, if_match_of(request))
            respond(response, devices, tag=qa_devices_tag(devices))
