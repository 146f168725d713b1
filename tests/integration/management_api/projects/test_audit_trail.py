"""The session writes the audit log, an entry for each changed object."""

from collections.abc import Iterator

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from common.ids import IdPrefix, new_id
from management_api.db.audit import UnauditedChangeError, record_change, set_audit_actor
from management_api.db.models.audit_log import AuditEntry
from management_api.db.models.flows import Theme
from management_api.db.models.projects import Project
from management_api.db.models.users import User
from tests.support.clients.management import Management
from tests.support.data.rows import add_project, add_theme, add_user


@pytest.fixture
def session(management: Management) -> Iterator[Session]:
    """Yield a session without an actor."""
    with management.database.transaction() as session:
        yield session


def actions(session: Session) -> list[str]:
    """Return the entries of the log, the oldest first."""
    return list(session.scalars(select(AuditEntry.action).order_by(AuditEntry.at, AuditEntry.id)))


def project_changed_by(session: Session, user: User) -> Project:
    """Add a project, and set the actor of the session."""
    project = add_project(session)
    set_audit_actor(session, user.id)
    return project


def new_theme(project: Project, name: str = "Theme") -> Theme:
    """Return a theme that is not stored yet."""
    style: dict[str, dict[str, object]] = {"colors": {}, "typography": {"size": 1}, "border_radius": {}}
    return Theme(id=new_id(IdPrefix.THEME), project_id=project.id, name=name, is_default=False, **style)


def flushed_theme(session: Session, project: Project, name: str = "Theme") -> Theme:
    theme = new_theme(project, name)
    session.add(theme)
    session.flush()
    return theme


def test_equal_values_are_no_change(session: Session) -> None:
    theme = flushed_theme(session, project_changed_by(session, add_user(session)))
    theme.name, theme.typography = "Theme", {"size": 1}
    session.flush()
    assert actions(session) == ["theme.create"]


def test_true_is_not_equal_to_one(session: Session) -> None:
    theme = flushed_theme(session, project_changed_by(session, add_user(session)))
    theme.typography = {"size": True}
    session.flush()
    session.refresh(theme)
    assert theme.typography["size"] is True
    assert actions(session) == ["theme.create", "theme.update"]


def test_a_change_is_not_recorded_without_an_actor(session: Session) -> None:
    project = add_project(session)
    with pytest.raises(UnauditedChangeError):
        record_change(session, project.id, entity="device", verb="erase", entity_id="d1")


def test_flush_of_objects_writes_an_entry_for_each(session: Session) -> None:
    project = project_changed_by(session, add_user(session))
    theme = new_theme(project)
    session.add(theme)
    session.flush()
    theme.name, theme.typography = "Renamed", {"size": True}
    session.flush()
    session.delete(theme)
    session.flush()
    created, updated, deleted = session.scalars(select(AuditEntry).order_by(AuditEntry.at, AuditEntry.id)).all()
    assert [entry.action for entry in (created, updated, deleted)] == ["theme.create", "theme.update", "theme.delete"]
    assert (updated.before, updated.after) == (
        {"name": "Theme", "typography": {"size": 1}},
        {"name": "Renamed", "typography": {"size": True}},
    )
    assert deleted.before == {**(created.after or {}), **(updated.after or {})}


def test_a_session_without_a_user_writes_nothing(session: Session) -> None:
    add_theme(session, add_project(session))
    assert actions(session) == []


def test_rolled_back_change_has_no_audit_entry(management: Management) -> None:
    with management.database.transaction() as session:
        project = project_changed_by(session, add_user(session))
        with session.begin_nested() as change:
            flushed_theme(session, project)
            assert actions(session) == ["theme.create"]
            change.rollback()
    with management.database.transaction() as session:
        assert actions(session) == []
