"""The work of `onboarding projects`."""

from sqlalchemy import select

from cli.connections import open_database
from cli.console import print_rows
from cli.settings import CommandSettings
from management_api.db.audit import OPERATOR, set_audit_actor
from management_api.db.models.deleted_projects import DeletedProject
from management_api.members.operations import give_project
from management_api.users.operations import find_user, list_projects_with_owners

_COLUMNS = (
    DeletedProject.project_id,
    DeletedProject.name,
    DeletedProject.deleted_by,
    DeletedProject.deleted_at,
    DeletedProject.purged_at,
)


def show_projects(settings: CommandSettings, search: str | None, limit: int, *, as_json: bool) -> None:
    """Print projects, one a line."""
    with open_database(settings) as database, database.reading() as session:
        rows = list_projects_with_owners(session, search, limit)
    print_rows(rows, "no projects", as_json=as_json)


def show_deleted_projects(settings: CommandSettings, limit: int, *, as_json: bool) -> None:
    """Print the newest deletions, one a line."""
    newest = select(*_COLUMNS).order_by(DeletedProject.deleted_at.desc()).limit(limit)
    with open_database(settings) as database, database.reading() as session:
        rows = session.execute(newest).all()
    print_rows(rows, "no deleted projects", as_json=as_json)


def transfer_to_user(settings: CommandSettings, project_id: str, user: str) -> str:
    """Make a user the owner of a project, and return the id. Raises UserError, ProjectNotFoundError, ConflictError."""
    with open_database(settings) as database, database.transaction() as session:
        set_audit_actor(session, OPERATOR)
        found = find_user(session, user)
        give_project(session, project_id, found)
        return found.id
