"""The audit trail hangs on the session: an operation that nobody has thought of is audited as well."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Update, delete, insert, select, update
from sqlalchemy.orm import Session

from common.identifiers import IdPrefix, new_id
from management_api.database.audit_log import AuditEntry
from management_api.database.audit_trail import UnauditedChangeError, name_who_changes, note_change
from management_api.database.projects import Project
from management_api.database.themes import Theme
from management_api.database.users import User
from tests.management import Management
from tests.rows import add_flow, add_project, add_theme, add_user

RENAMING = update(Theme).values(name="Renamed")


@pytest.fixture
def session(management: Management) -> Iterator[Session]:
    """Give a session that does not know who changes."""
    with management.database.transaction() as session:
        yield session


def actions(session: Session) -> list[str]:
    """Give what stands in the log, in the order that it happened."""
    return list(session.scalars(select(AuditEntry.action).order_by(AuditEntry.at, AuditEntry.id)))


def project_changed_by(session: Session, user: User) -> Project:
    """Make a project, and say who changes it from now on."""
    project = add_project(session)
    name_who_changes(session, user.id)
    return project


def test_whatever_is_flushed_is_written(session: Session) -> None:
    project = project_changed_by(session, add_user(session))
    theme = add_theme(session, project)
    theme.name = "Renamed"
    project.default_flow_id = add_flow(session, project).id
    session.delete(theme)
    session.flush()
    assert sorted(actions(session)) == ["flow.create", "project.update", "theme.create", "theme.delete", "theme.update"]


def test_a_session_without_a_user_writes_nothing(session: Session) -> None:
    add_theme(session, add_project(session))
    assert actions(session) == []


def test_what_is_rolled_back_was_never_written(management: Management) -> None:
    with management.database.transaction() as session:
        project = project_changed_by(session, add_user(session))
        with session.begin_nested() as change:
            add_theme(session, project)
            assert actions(session) == ["theme.create"]
            change.rollback()
    with management.database.transaction() as session:
        assert actions(session) == []


@pytest.mark.parametrize(
    "statement",
    [
        RENAMING,
        delete(Theme),
        insert(Theme).values(id=new_id(IdPrefix.THEME), project_id=new_id(IdPrefix.PROJECT), name="Theme"),
    ],
    ids=["update", "delete", "insert"],
)
def test_a_bulk_statement_on_audited_rows_is_refused(session: Session, statement: Update) -> None:
    project_changed_by(session, add_user(session))
    with pytest.raises(UnauditedChangeError, match="Theme"):
        session.execute(statement)


def test_a_bulk_statement_may_follow_from_an_audited_change(session: Session) -> None:
    project = project_changed_by(session, add_user(session))
    theme = add_theme(session, project)
    session.execute(RENAMING.execution_options(follows_from_audited_change=True))
    session.refresh(theme)
    assert (theme.name, actions(session)) == ("Renamed", ["theme.create"])


def test_a_change_of_no_row_is_noted_by_hand(session: Session) -> None:
    project = project_changed_by(session, add_user(session))
    note_change(session, project.id, entity="device", verb="erase", entity_id="d1")
    [entry] = session.scalars(select(AuditEntry)).all()
    assert (entry.action, entry.entity_id, entry.before, entry.after) == ("device.erase", "d1", None, None)
