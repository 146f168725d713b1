"""Projects: the collection, and one by its id."""

import falcon

from common.errors import ErrorCode
from management_api.database.key_vault import KeyVault
from management_api.database.transactions import Database
from management_api.operations.entity_tags import project_tag
from management_api.operations.limits import Limits
from management_api.operations.project_figures import figures_of_project
from management_api.operations.projects import (
    create_project,
    delete_project,
    list_projects,
    read_project,
    update_project,
)
from management_api.resources.declaration import answers
from management_api.resources.exchange import caller_of, if_match_of, respond
from management_api.resources.writes import Writes, user_access
from management_api.schemas.envelope import Pagination
from management_api.schemas.project_views import CreatedProject, ProjectListItem, ProjectView, UpdatedProject
from management_api.schemas.projects import ProjectCreateBody, ProjectListQuery, ProjectUpdateBody


class ProjectCollection:
    """GET and POST /projects."""

    def __init__(self, database: Database, vault: KeyVault, limits: Limits, writes: Writes) -> None:
        self._database = database
        self._vault = vault
        self._limits = limits
        self._writes = writes

    @answers("list_projects", list[ProjectListItem])
    def on_get(self, request: falcon.Request, response: falcon.Response, query: ProjectListQuery) -> None:
        """List the projects in which the caller has a role."""
        with self._database.reading() as session:
            listed = list_projects(session, caller_of(request), query.page_request(), query.search)
        items = [ProjectListItem.of(row) for row in listed.items]
        respond(response, items, pagination=Pagination.of(listed.request, listed.total))

    @answers("create_project", CreatedProject, status=201, errors=[ErrorCode.CONFLICT])
    def on_post(self, request: falcon.Request, response: falcon.Response, body: ProjectCreateBody) -> None:
        """Make a project.

        The caller becomes its owner, and its first secret key is made with it (`list_project_keys` shows it).
        """
        with self._writes.begin(request, response, user_access) as session:
            made = create_project(session, self._vault, caller_of(request), body.new_project(), self._limits)
            respond(response, CreatedProject.of(made), tag=project_tag(made.project))


class ProjectItem:
    """GET, PUT and DELETE /projects/{project_id}."""

    def __init__(self, database: Database, vault: KeyVault) -> None:
        self._database = database
        self._vault = vault

    @answers("get_project", ProjectView, errors=[ErrorCode.INVALID_PROJECT])
    def on_get(self, request: falcon.Request, response: falcon.Response, project_id: str) -> None:
        """Read a project with all its settings, figures and public keys."""
        with self._database.reading() as session:
            read = read_project(session, self._vault, caller_of(request), project_id)
            shown = ProjectView.of(read, figures_of_project(session, read.project.id))
            respond(response, shown, tag=project_tag(read.project))

    @answers("update_project", UpdatedProject, errors=[ErrorCode.INVALID_PROJECT, ErrorCode.INVALID_FLOW])
    def on_put(
        self, request: falcon.Request, response: falcon.Response, project_id: str, body: ProjectUpdateBody
    ) -> None:
        """Change a project.

        What is left out stays as it is, inside `settings` too; `description: null` clears the description. A
        `default_flow_id` that is no flow of the project is a 404 `INVALID_FLOW`.
        """
        with self._database.transaction() as session:
            project = update_project(session, caller_of(request), project_id, body.changes(), if_match_of(request))
            respond(response, UpdatedProject.of(project), tag=project_tag(project))

    @answers("delete_project", errors=[ErrorCode.INVALID_PROJECT])
    def on_delete(self, request: falcon.Request, response: falcon.Response, project_id: str) -> None:
        """Delete a project.

        All its flows, screens, themes, experiments, members, keys and analytics data go with it, for good.
        """
        with self._database.transaction() as session:
            delete_project(session, caller_of(request), project_id, if_match_of(request))
        respond(response, message="Project deleted")
