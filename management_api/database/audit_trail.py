"""The trail of changes: in whose name a session changes things, and how a change stands in the audit log.

A session that knows its caller (`project_access.py` sees to that) changes audited rows by `audited_rows.py`, which
writes an entry with each. Any other way would leave none, so it is refused: a flush of objects, a bulk statement, and a
prepared one, unless it says that what it does follows from a change that has an entry.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import orjson
from sqlalchemy import Text, bindparam, cast, event, insert, select
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import ORMExecuteState, Session, UOWTransaction, sessionmaker

from common.credentials import KeyPrefix
from common.ids import IdPrefix, new_id
from common.timestamps import format_timestamp
from management_api.database.audit_log import AuditEntry
from management_api.database.model import Model
from management_api.database.prepared import Prepared
from management_api.database.unaudited_statements import UnauditedChangeError, refuse_unaudited

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
        before=cast(bindparam("entry_before", type_=Text), JSONB),
        after=cast(bindparam("entry_after", type_=Text), JSONB),
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


def refuse_unaudited_changes_of(sessions: "sessionmaker[Session]") -> None:
    """Make the sessions of a maker refuse what would change audited rows without an entry."""
    event.listen(sessions, "before_flush", _refuse_objects)
    event.listen(sessions, "do_orm_execute", _refuse_statements)


def name_who_changes(session: Session, user_id: str) -> None:
    """Say in whose name this session changes things from now on."""
    session.info[_USER] = user_id


def note_change(session: Session, project_id: str, *, entity: str, verb: str, entity_id: str) -> None:
    """Write an entry for a change of what is no audited row, such as the erasure of a device's events."""
    _ENTRY_ALONE.rows(session, Entry(project_id, entity, verb, entity_id).values(session))


def _shown(values: Mapping[str, object] | None) -> str | None:
    """Give values as JSON, without keys, and only the size of those that are too large."""
    if values is None:
        return None
    members = (b'"%b":%b' % (name.encode(), _document(value)) for name, value in values.items())
    return _KEY.sub("[key]", f"{{{b','.join(members).decode()}}}")


def _document(value: object) -> bytes:
    document = orjson.dumps(value, default=_dump, option=orjson.OPT_PASSTHROUGH_DATETIME)
    return document if len(document) <= MAX_VALUE_BYTES else b'{"omitted_bytes":%d}' % len(document)


def _dump(value: object) -> str:
    if isinstance(value, datetime):
        return format_timestamp(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")


def _refuse_objects(session: Session, _flush: UOWTransaction, _instances: object) -> None:
    if _USER not in session.info:
        return
    changed = [row for row in session.dirty if session.is_modified(row)]
    for row in (*session.new, *changed, *session.deleted):
        if isinstance(row, Model) and row.audited is not None:
            raise UnauditedChangeError(f"a flush of {type(row).__name__} would not be audited")


def _refuse_statements(execution: ORMExecuteState) -> None:
    if not execution.is_select and _USER in execution.session.info:
        refuse_unaudited(execution.statement)
