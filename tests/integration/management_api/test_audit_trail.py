"""The audit trail hangs on the session: whatever would change audited rows without an entry is refused."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Delete, Insert, Update, delete, insert, select, update
from sqlalchemy.orm import Session

from common.ids import IdPrefix, new_id
from management_api.db.audit import record_change, set_audit_actor
from management_api.db.audited_rows import add_row, add_rows, change_row, remove_row
from management_api.db.models.audit_log import AuditEntry
from management_api.db.models.flows import Theme
from management_api.db.models.projects import Project
from management_api.db.models.users import User
from management_api.db.prepared import Prepared
from management_api.db.unaudited_statements import UnauditedChangeError
from tests.management import Management
from tests.rows import add_project, add_theme, add_user

RENAMING = update(Theme).values(name="Renamed")
STATEMENTS = [
    RENAMING,
    delete(Theme),
    insert(Theme).values(id=new_id(IdPrefix.THEME), project_id=new_id(IdPrefix.PROJECT), name="Theme"),
]
by_kind = pytest.mark.parametrize("statement", STATEMENTS, ids=["update", "delete", "insert"])


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
    set_audit_actor(session, user.id)
    return project


def new_theme(project: Project, name: str = "Theme") -> dict[str, object]:
    """Give the columns of a theme that is no row yet."""
    looks: dict[str, object] = {"colors": {}, "typography": {"size": 1}, "border_radius": {}}
    theme_id = new_id(IdPrefix.THEME)
    return {"id": theme_id, "project_id": project.id, "name": name, "description": None, "is_default": False, **looks}


def test_every_change_of_a_row_brings_its_entry(session: Session) -> None:
    project = project_changed_by(session, add_user(session))
    theme = add_row(session, Theme, new_theme(project))
    renamed = change_row(session, Theme, theme, {"name": "Renamed"})
    assert renamed is not None
    remove_row(session, Theme, renamed)
    assert actions(session) == ["theme.create", "theme.update", "theme.delete"]
    created, updated, deleted = session.scalars(select(AuditEntry).order_by(AuditEntry.at)).all()
    assert (created.before, updated.before, updated.after) == (None, {"name": "Theme"}, {"name": "Renamed"})
    assert (created.after, deleted.before, deleted.after) == (
        {**(deleted.before or {}), "name": "Theme"},
        {**(created.after or {}), "name": "Renamed"},
        None,
    )


def test_many_rows_come_back_in_their_order_with_an_entry_each(session: Session) -> None:
    project = project_changed_by(session, add_user(session))
    added = add_rows(session, Theme, [new_theme(project, f"Theme {number}") for number in range(20)])
    assert [theme.name for theme in added] == [f"Theme {number}" for number in range(20)]
    assert actions(session) == ["theme.create"] * 20


def test_what_stays_the_same_is_no_change(session: Session) -> None:
    project = project_changed_by(session, add_user(session))
    theme = add_row(session, Theme, new_theme(project))
    assert change_row(session, Theme, theme, {"name": "Theme", "typography": {"size": 1}}) is None
    assert actions(session) == ["theme.create"]


def test_true_is_not_the_same_as_one(session: Session) -> None:
    theme = add_row(session, Theme, new_theme(project_changed_by(session, add_user(session))))
    changed = change_row(session, Theme, theme, {"typography": {"size": True}})
    assert changed is not None
    assert changed.typography["size"] is True


def test_nothing_is_changed_in_nobodys_name(session: Session) -> None:
    project = add_project(session)
    with pytest.raises(UnauditedChangeError):
        add_row(session, Theme, new_theme(project))


def test_flush_of_objects_writes_an_entry_for_each(session: Session) -> None:
    project = project_changed_by(session, add_user(session))
    theme = Theme(**new_theme(project))
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


def test_flush_of_an_unchanged_object_writes_no_entry(session: Session) -> None:
    project = project_changed_by(session, add_user(session))
    project.name = str(project.name)
    session.flush()
    assert actions(session) == []


@by_kind
def test_a_prepared_statement_on_audited_rows_is_refused(session: Session, statement: Delete | Insert | Update) -> None:
    project_changed_by(session, add_user(session))
    with pytest.raises(UnauditedChangeError, match="Theme"):
        Prepared(statement.returning(Theme.id)).rows(session)


@by_kind
def test_a_change_inside_a_prepared_question_is_refused(session: Session, statement: Delete | Insert | Update) -> None:
    project_changed_by(session, add_user(session))
    changed = statement.returning(Theme.id).cte("changed")
    with pytest.raises(UnauditedChangeError, match="Theme"):
        Prepared(select(Project.id).add_cte(changed)).rows(session)


def test_a_session_without_a_user_writes_nothing(session: Session) -> None:
    add_theme(session, add_project(session))
    assert actions(session) == []


def test_what_is_rolled_back_was_never_written(management: Management) -> None:
    with management.database.transaction() as session:
        project = project_changed_by(session, add_user(session))
        with session.begin_nested() as change:
            add_row(session, Theme, new_theme(project))
            assert actions(session) == ["theme.create"]
            change.rollback()
    with management.database.transaction() as session:
        assert actions(session) == []


@by_kind
def test_a_bulk_statement_on_audited_rows_is_refused(session: Session, statement: Delete | Insert | Update) -> None:
    project_changed_by(session, add_user(session))
    with pytest.raises(UnauditedChangeError, match="Theme"):
        session.execute(statement)


def test_a_bulk_statement_may_follow_from_an_audited_change(session: Session) -> None:
    project = project_changed_by(session, add_user(session))
    add_row(session, Theme, new_theme(project))
    session.execute(RENAMING.execution_options(follows_from_audited_change=True))
    assert (session.scalar(select(Theme.name)), actions(session)) == ("Renamed", ["theme.create"])


def test_a_change_of_no_row_is_noted_by_hand(session: Session) -> None:
    project = project_changed_by(session, add_user(session))
    record_change(session, project.id, entity="device", verb="erase", entity_id="d1")
    [entry] = session.scalars(select(AuditEntry)).all()
    assert (entry.action, entry.entity_id, entry.before, entry.after) == ("device.erase", "d1", None, None)
