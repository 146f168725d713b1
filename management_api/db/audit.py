"""The audit log: which columns it shows, and the entry that each change of an audited row writes."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

import orjson
from sqlalchemy import Text, bindparam, event, insert, inspect, select
from sqlalchemy import cast as sql_cast
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import ORMExecuteState, Session, UOWTransaction, sessionmaker

from common.credentials import KeyPrefix
from common.ids import IdPrefix, new_id
from common.timestamps import format_timestamp
from management_api.db.models.audit_log import AuditEntry
from management_api.db.models.base import AuditSpec, Model
from management_api.db.prepared import Prepared
from management_api.db.unaudited_statements import UnauditedChangeError, refuse_unaudited

#: A larger value is only named with its size: the log tells what changed, it is no archive.
MAX_VALUE_BYTES = 4096

#: People paste keys into screens; none of them may stand in the log.
_KEY = re.compile(rf"(?:{'|'.join(re.escape(prefix.value) for prefix in KeyPrefix)})\w*", re.ASCII)
_USER = "audited_user"

#: The INSERT of an entry, to stand beside a change in its statement; its values are those of `Entry.values`.
ENTRY = (
    insert(AuditEntry)
    .values(
        id=bindparam("entry_id"),
        project_id=bindparam("entry_project_id"),
        user_id=bindparam("entry_user_id"),
        action=bindparam("entry_action"),
        entity_type=bindparam("entry_entity_type"),
        entity_id=bindparam("entry_entity_id"),
        before=sql_cast(bindparam("entry_before", type_=Text), JSONB),
        after=sql_cast(bindparam("entry_after", type_=Text), JSONB),
    )
    .returning(AuditEntry.id)
    .cte("entry")
)
_ENTRY_ALONE = Prepared(select(ENTRY))


@dataclass(frozen=True, slots=True)
class Entry:
    """One change. `before` and `after` have the columns that it touched; None of what is new, or gone."""

    project_id: str
    entity: str
    verb: str
    entity_id: str
    before: Mapping[str, object] | None = None
    after: Mapping[str, object] | None = None

    def columns(self, session: Session) -> dict[str, object]:
        """Return the columns of the entry. Raises UnauditedChangeError if the session has no user."""
        values = {name.removeprefix("entry_"): value for name, value in self.values(session).items()}
        return {**values, "before": _loaded(values["before"]), "after": _loaded(values["after"])}

    def values(self, session: Session) -> dict[str, object]:
        """Give the values of ENTRY. Raises UnauditedChangeError when nobody has said who changes."""
        if _USER not in session.info:
            raise UnauditedChangeError("nobody has said in whose name this session changes things")
        return {
            "entry_id": new_id(IdPrefix.AUDIT_ENTRY),
            "entry_project_id": self.project_id,
            "entry_user_id": session.info[_USER],
            "entry_action": f"{self.entity}.{self.verb}",
            "entry_entity_type": self.entity,
            # Some ids are chosen by people, such as a device's.
            "entry_entity_id": _KEY.sub("[key]", self.entity_id),
            "entry_before": _shown(self.before),
            "entry_after": _shown(self.after),
        }


def audit_sessions(sessions: "sessionmaker[Session]") -> None:
    """Make the sessions of a maker refuse what would change audited rows without an entry."""
    event.listen(sessions, "after_flush", _record_flush)
    event.listen(sessions, "do_orm_execute", _refuse_statements)


def set_audit_actor(session: Session, user_id: str) -> None:
    """Say in whose name this session changes things from now on."""
    session.info[_USER] = user_id


def record_change(session: Session, project_id: str, *, entity: str, verb: str, entity_id: str) -> None:
    """Write an entry for a change of what is no audited row, such as the erasure of a device's events."""
    _ENTRY_ALONE.rows(session, Entry(project_id, entity, verb, entity_id).values(session))


def _shown(values: Mapping[str, object] | None) -> str | None:
    """Give values as JSON, without keys, and only the size of those that are too large."""
    if values is None:
        return None
    members = (b'"%b":%b' % (name.encode(), _document(value)) for name, value in values.items())
    return _KEY.sub("[key]", f"{{{b','.join(members).decode()}}}")


def _loaded(document: object) -> object:
    return None if document is None else orjson.loads(str(document))


def _document(value: object) -> bytes:
    document = orjson.dumps(value, default=_dump, option=orjson.OPT_PASSTHROUGH_DATETIME)
    return document if len(document) <= MAX_VALUE_BYTES else b'{"omitted_bytes":%d}' % len(document)


def _dump(value: object) -> str:
    if isinstance(value, datetime):
        return format_timestamp(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")


def _record_flush(session: Session, _flush: UOWTransaction) -> None:
    """Write an entry for each audited object that was flushed in the name of a user."""
    if _USER not in session.info:
        return
    changes = [
        *(_creation(row, spec) for row, spec in _audited(session.new)),
        *(_update(row, spec) for row, spec in _audited(session.dirty) if session.is_modified(row)),
        # The log of a project is deleted with it.
        *(_deletion(row, spec) for row, spec in _audited(session.deleted) if hasattr(row, "project_id")),
    ]
    if changes:
        session.connection().execute(insert(AuditEntry), [change.columns(session) for change in changes])


def _audited(rows: Iterable[object]) -> Iterator[tuple[Model, AuditSpec]]:
    for row in rows:
        if isinstance(row, Model) and row.audited is not None:
            yield row, row.audited


def _creation(row: Model, spec: AuditSpec) -> Entry:
    return _entry(row, spec, spec.created, after={name: getattr(row, name) for name in spec.columns})


def _update(row: Model, spec: AuditSpec) -> Entry:
    histories = {name: inspect(row).attrs[name].history for name in spec.columns}
    before = {name: next(iter(history.deleted)) for name, history in histories.items() if history.has_changes()}
    return _entry(row, spec, spec.updated, before=before, after={name: getattr(row, name) for name in before})


def _deletion(row: Model, spec: AuditSpec) -> Entry:
    return _entry(row, spec, spec.deleted, before={name: getattr(row, name) for name in spec.columns})


def _entry(
    row: Model,
    spec: AuditSpec,
    verb: str,
    *,
    before: Mapping[str, object] | None = None,
    after: Mapping[str, object] | None = None,
) -> Entry:
    # A project is the one audited row that belongs to no project.
    project_id = getattr(row, "project_id" if hasattr(row, "project_id") else "id")
    return Entry(project_id, spec.entity, verb, str(getattr(row, spec.id_column)), before, after)


def _refuse_statements(execution: ORMExecuteState) -> None:
    if not execution.is_select and _USER in execution.session.info:
        refuse_unaudited(execution.statement)
