"""A list costs a fixed number of queries, however many rows it shows."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from pydantic import SecretStr
from sqlalchemy import Engine, event
from sqlalchemy.orm import Session

from common.settings import DatabaseSettings
from management_api.database.projects import Role
from management_api.database.transactions import Database
from management_api.database.users import User
from management_api.operations.callers import Caller
from management_api.operations.paging import PageRequest
from management_api.operations.screens import list_screens
from management_api.operations.themes import list_themes
from management_api.operations.whole_flows import FlowFilter, list_flows
from tests.rows import add_flow, add_member, add_project, add_screen, add_theme, add_user

PAGE = PageRequest(number=1, limit=100, sort="created_at", descending=True)
#: Lists something of (project, flow) and gives how many rows it has shown.
Listing = Callable[[Session, Caller, str, str], int]


def _list_flows(session: Session, caller: Caller, project_id: str, _flow_id: str) -> int:
    return len(list_flows(session, caller, project_id, FlowFilter(), PAGE).flows)


def _list_screens(session: Session, caller: Caller, _project_id: str, flow_id: str) -> int:
    return len(list_screens(session, caller, flow_id, None, PAGE).items)


def _list_themes(session: Session, caller: Caller, project_id: str, _flow_id: str) -> int:
    return len(list_themes(session, caller, project_id, PAGE).items)


@contextmanager
def _counted(engine: Engine) -> Iterator[list[str]]:
    statements: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:  # noqa: ANN401 - SQLAlchemy's
        statements.append(statement)

    event.listen(engine, "before_cursor_execute", note)
    try:
        yield statements
    finally:
        event.remove(engine, "before_cursor_execute", note)


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """Give the database."""
    database = Database(DatabaseSettings(database_url=SecretStr(database_url)))
    yield database
    database.close()


def _project_of(session: Session, user: User, rows: int) -> tuple[str, str]:
    """Make a project with so many flows and themes, its first flow with so many screens."""
    project = add_project(session)
    add_member(session, project, user)
    flows = [add_flow(session, project) for _ in range(rows)]
    for _ in range(rows):
        add_theme(session, project)
        add_screen(session, flows[0])
    return project.id, flows[0].id


@pytest.mark.parametrize("listing", [_list_flows, _list_screens, _list_themes])
def test_fifty_rows_take_as_many_queries_as_one(database: Database, listing: Listing) -> None:
    taken = []
    with database.transaction() as session:
        user = add_user(session)
        made = [_project_of(session, user, rows) for rows in (1, 50)]
        caller = Caller(user.id, Role.VIEWER)
    for (project_id, flow_id), rows in zip(made, (1, 50), strict=True):
        with database.transaction() as session, _counted(database.engine) as statements:
            assert listing(session, caller, project_id, flow_id) == rows
        taken.append(len(statements))
    assert taken[0] == taken[1]
    assert taken[0] <= 6
