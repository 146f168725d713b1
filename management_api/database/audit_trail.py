"""Turns every change of an audited row into an entry of the audit log, in the change's own transaction.

It hangs on the session, not on the operations: a session that knows who changes (`project_access.py` sees to that)
writes an entry for each new, changed and deleted object that it flushes. A statement that changes audited rows without
loading them would go unseen, so it is refused, unless it says that what it does follows from an audited change.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

import orjson
from sqlalchemy import event, insert, inspect
from sqlalchemy.orm import ORMExecuteState, Session, UOWTransaction, sessionmaker

from common.credentials import KeyPrefix
from common.identifiers import IdPrefix, new_id
from common.timestamps import format_timestamp
from management_api.database.audit_log import AuditEntry
from management_api.database.audited import Audited
from management_api.database.model import Model

#: A larger value is only named with its size: the log tells what changed, it is no archive.
MAX_VALUE_BYTES = 4096

#: The execution option of a bulk statement whose effect follows from a change that has an entry of its own.
FOLLOWS_FROM_AUDITED_CHANGE = "follows_from_audited_change"

#: People paste keys into screens; none of them may stand in the log.
_KEY = re.compile(rf"(?:{'|'.join(re.escape(prefix.value) for prefix in KeyPrefix)})\w*", re.ASCII)
_USER = "audited_user"


class UnauditedChangeError(RuntimeError):
    """A bulk statement would change audited rows behind the log's back: a defect of ours."""


def audit_changes_of(sessions: "sessionmaker[Session]") -> None:
    """Make the sessions of a maker write the audit log."""
    event.listen(sessions, "after_flush", _write_entries)
    event.listen(sessions, "do_orm_execute", _refuse_unseen_changes)


def name_who_changes(session: Session, user_id: str) -> None:
    """Say in whose name everything is changed that this session flushes from now on."""
    session.info[_USER] = user_id


def note_change(session: Session, project_id: str, *, entity: str, verb: str, entity_id: str) -> None:
    """Write an entry for a change of what is no audited row, such as the erasure of a device's events."""
    _store(session, [_entry(session, project_id, entity, verb, entity_id)])


def _write_entries(session: Session, _flush: UOWTransaction) -> None:
    if _USER in session.info:
        _store(session, list(_entries(session)))


def _store(session: Session, entries: list[dict[str, Any]]) -> None:
    if entries:
        # Not through the session, which is in the middle of a flush; in its transaction all the same.
        session.connection().execute(insert(AuditEntry), entries)


def _entries(session: Session) -> Iterator[dict[str, Any]]:
    for row, audited in _audited(session.new):
        yield _row_entry(session, row, audited, audited.created, after=_columns(row, audited))
    for row, audited in _audited(session.dirty):
        before, after = _changed_columns(row, audited)
        if before != after:
            yield _row_entry(session, row, audited, audited.updated, before=before, after=after)
    for row, audited in _audited(session.deleted):
        yield _row_entry(session, row, audited, audited.deleted, before=_columns(row, audited))


def _audited(rows: Iterable[object]) -> Iterator[tuple[Model, Audited]]:
    for row in rows:
        if isinstance(row, Model) and row.audited is not None:
            yield row, row.audited


def _row_entry(
    session: Session,
    row: Model,
    audited: Audited,
    verb: str,
    *,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> dict[str, Any]:
    loaded = inspect(row).dict
    # A project is the one audited row that belongs to no project.
    project_id = loaded["project_id"] if "project_id" in loaded else loaded["id"]
    entry = _entry(session, project_id, audited.entity, verb, loaded[audited.id_column])
    return {**entry, "before": before, "after": after}


def _entry(session: Session, project_id: str, entity: str, verb: str, entity_id: str) -> dict[str, Any]:
    return {
        "id": new_id(IdPrefix.AUDIT_ENTRY),
        "project_id": project_id,
        "user_id": session.info[_USER],
        "action": f"{entity}.{verb}",
        "entity_type": entity,
        # Some ids are chosen by people, such as a device's.
        "entity_id": _KEY.sub("[key]", entity_id),
    }


def _columns(row: Model, audited: Audited) -> dict[str, Any]:
    loaded = inspect(row).dict
    # What was never set is null; what the database fills in by itself is loaded, for its INSERT returns it.
    return {column: _shown(loaded.get(column)) for column in audited.columns}


def _changed_columns(row: Model, audited: Audited) -> tuple[dict[str, Any], dict[str, Any]]:
    before: dict[str, Any] = {}
    after: dict[str, Any] = {}
    attributes = inspect(row).attrs
    for column in audited.columns:
        added, _, deleted = attributes[column].history
        if added:
            before[column] = _shown(deleted[0] if deleted else None)
            after[column] = _shown(added[0])
    return before, after


def _shown(value: object) -> object:
    """Give a value as JSON, without keys, and only the size of one that is too large."""
    document = orjson.dumps(value, default=_dump, option=orjson.OPT_PASSTHROUGH_DATETIME)
    if len(document) > MAX_VALUE_BYTES:
        return {"omitted_bytes": len(document)}
    return orjson.loads(_KEY.sub("[key]", document.decode()))


def _dump(value: object) -> str:
    if isinstance(value, datetime):
        return format_timestamp(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")


def _refuse_unseen_changes(execution: ORMExecuteState) -> None:
    if execution.is_select or _USER not in execution.session.info:
        return
    mapper = execution.bind_mapper
    if mapper is None or not issubclass(mapper.class_, Model) or mapper.class_.audited is None:
        return
    if not execution.execution_options.get(FOLLOWS_FROM_AUDITED_CHANGE, False):
        raise UnauditedChangeError(f"a bulk statement on {mapper.class_.__name__} would not be audited")
