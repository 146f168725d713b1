"""Projects: the collection, and one by its id."""

import falcon

from common.key_vault import KeyVault
from management_api.database.transactions import Database
from management_api.operations.project_figures import figures_of_project
from management_api.operations.projects import (
    create_project,
    delete_project,
    list_projects,
    read_project,
    update_project,
)
from management_api.resources.exchange import body_of, caller_of, query_of, respond
from management_api.schemas.envelope import Pagination
from management_api.schemas.project_views import CreatedProject, ProjectListItem, ProjectView, UpdatedProject
from management_api.schemas.projects import ProjectCreateBody, ProjectListQuery, ProjectUpdateBody


class ProjectCollection:
    """GET and POST /projects."""

    def __init__(self, database: Database, vault: KeyVault) -> None:
        self._database = database
        self._vault = vault

    def on_get(self, request: falcon.Request, response: falcon.Response) -> None:
        query = query_of(request, ProjectListQuery)
        with self._database.transaction() as session:
            listed = list_projects(session, caller_of(request), query.page_request(), query.search)
        items = [ProjectListItem.of(row, listed.figures[row.id]) for row in listed.page.items]
        respond(response, items, pagination=Pagination.of(listed.page.request, listed.page.total))

    def on_post(self, request: falcon.Request, response: falcon.Response) -> None:
        body = body_of(request, ProjectCreateBody)
        with self._database.transaction() as session:
            made = create_project(session, self._vault, caller_of(request), body.new_project())
            respond(response, CreatedProject.of(made), status=201)


class ProjectItem:
    """GET, PUT and DELETE /projects/{project_id}."""

    def __init__(self, database: Database, vault: KeyVault) -> None:
        self._database = database
        self._vault = vault

    def on_get(self, request: falcon.Request, response: falcon.Response, project_id: str) -> None:
        with self._database.consistent_read() as session:
            read = read_project(session, self._vault, caller_of(request), project_id)
            respond(response, ProjectView.of(read, figures_of_project(session, read.project.id)))

    def on_put(self, request: falcon.Request, response: falcon.Response, project_id: str) -> None:
        body = body_of(request, ProjectUpdateBody)
        with self._database.transaction() as session:
            project = update_project(session, caller_of(request), project_id, body.changes())
            respond(response, UpdatedProject.of(project))

    def on_delete(self, request: falcon.Request, response: falcon.Response, project_id: str) -> None:
        with self._database.transaction() as session:
            delete_project(session, caller_of(request), project_id)
        respond(response, message="Project deleted")
