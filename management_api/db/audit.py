"""The audit log: the listener that writes an entry for each change of an audited object.

The listener also requests the publication of the project whose published object has changed. So a request that changes
nothing leaves no entry and no revision. The log has the columns that the `AuditSpec` of a model lists
(`models/base.py`), never keys, and is written in the transaction of the change.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import NamedTuple, cast

import orjson
from sqlalchemy import event, insert, inspect
from sqlalchemy.orm import Session, UOWTransaction, sessionmaker

from common.credentials import KeyPrefix
from common.ids import IdPrefix, new_id
from common.timestamps import format_timestamp
from management_api.db.models.audit_log import AuditEntry, InstallationEntry
from management_api.db.models.base import AuditSpec, Model
from management_api.db.models.outbox import request_publication

#: Sign-ins and reads of secrets are frequent: the log has one entry of a kind, user and object in this time.
AUDITED_EVERY = timedelta(hours=1)
#: Of a larger value the log has only the size.
MAX_VALUE_BYTES = 4096

#: People paste keys into screens; the log must not contain them.
_KEY = re.compile(rf"(?:{'|'.join(re.escape(prefix.value) for prefix in KeyPrefix)})\w*", re.ASCII)
#: In place of a user's id: a person with a command of the installation.
OPERATOR = "operator"
#: Likewise: the identity provider, whose groups give roles.
PROVIDER = "provider"
_ACTOR, _NOTED = "audit_actor", "audit_noted"
_INSERT = insert(AuditEntry)

Values = Mapping[str, object]


class UnauditedChangeError(RuntimeError):
    """A change would be written without its user: a defect of this service."""


def audit_sessions(sessions: "sessionmaker[Session]") -> None:
    """Write the audit log of the objects that the sessions of a maker flush.

    Bulk statements pass no flush; a test lists those on audited tables.
    """
    event.listen(sessions, "after_flush", _record_flush)


def set_audit_actor(session: Session, user_id: str) -> None:
    """Set the user whose changes this session writes from now on."""
    session.info[_ACTOR] = user_id


def record_change(
    session: Session,
    project_id: str,
    *,
    entity: str,
    verb: str,
    entity_id: str,
    before: Values | None = None,
    after: Values | None = None,
) -> None:
    """Write the entry of a change outside of audited tables, such as the erasure of a device's events.

    Raises UnauditedChangeError if the session has no actor.
    """
    if _ACTOR not in session.info:
        raise UnauditedChangeError("set_audit_actor was not called on this session")
    entry = _entry(session, project_id, entity, verb, entity_id, before=before, after=after)
    session.execute(insert(AuditEntry).values(entry))


def record_of_user(session: Session, verb: str, user_id: str, *, actor: str, entity: str = "user") -> None:
    """Write an entry about a user, or the API key of one, to the log of the installation."""
    values = {"user_id": actor, "action": f"{entity}.{verb}", "entity_type": entity, "entity_id": user_id}
    session.execute(insert(InstallationEntry).values(id=new_id(IdPrefix.AUDIT_ENTRY), **values))


def record_updates(
    session: Session, project_id: str, model: type[Model], changes: Iterable[tuple[str, Values, Values]]
) -> None:
    """Write the entries of a bulk change of published objects, and request the publication.

    A change is the id of the object, and its changed columns before and after.
    """
    spec = cast("AuditSpec", model.audited)
    entries = [
        _entry(session, project_id, spec.entity, spec.updated, object_id, before=before, after=after)
        for object_id, before, after in changes
    ]
    session.execute(_INSERT, entries)
    request_publication(session, project_id)


class ChangedMember(NamedTuple):
    """A part of a document that was created (`before` is None), changed or deleted (`after` is None)."""

    entity: str
    entity_id: str
    before: Values | None
    after: Values | None

    @property
    def identity(self) -> tuple[str, str, str]:
        """The kind of the part, the verb of the change, and the id."""
        verb = "create" if self.before is None else "delete" if self.after is None else "update"
        return self.entity, verb, self.entity_id


def record_members(session: Session, project_id: str, changes: Iterable[ChangedMember]) -> None:
    """Write the entries of changed parts of a published document, and request the publication.

    A session without an actor serves no request.
    """
    if _ACTOR not in session.info:
        return
    entries = [
        _entry(session, project_id, *change.identity, before=change.before, after=change.after) for change in changes
    ]
    if entries:
        session.execute(_INSERT, entries)
        request_publication(session, project_id)


def note_members(session: Session, row: Model, before: Values, after: Values) -> None:
    """Add members of a document to the entry that the next flush writes for the row of the document."""
    session.info.setdefault(_NOTED, {})[row] = (before, after)


def _noted(session: Session, row: Model) -> tuple[Values, Values]:
    """Return the members that were noted for a row, and forget them."""
    noted: dict[Model, tuple[Values, Values]] = session.info.get(_NOTED, {})
    return noted.pop(row, ({}, {}))


def _record_flush(session: Session, _flush: UOWTransaction) -> None:
    """Write an entry for each audited object of the flush, and request the publications.

    A session without an actor serves no request.
    """
    if _ACTOR not in session.info:
        return
    created = list(_audited(session.new))
    updated = [(row, spec) for row, spec in _audited(session.dirty) if session.is_modified(row)]
    # The log of a project is deleted with it.
    deleted = [(row, spec) for row, spec in _audited(session.deleted) if hasattr(row, "project_id")]
    entries = [
        *(_creation(session, row, spec) for row, spec in created),
        *(_update(session, row, spec) for row, spec in updated),
        *(_deletion(session, row, spec) for row, spec in deleted),
    ]
    if entries:
        # A list, even of one, is executed by psycopg's executemany, which takes more trips.
        session.connection().execute(_INSERT, entries if len(entries) > 1 else entries[0])
    for project_id in {_project_of(row) for row, spec in (*created, *updated, *deleted) if spec.is_published}:
        request_publication(session, project_id)


def _audited(rows: Iterable[object]) -> Iterator[tuple[Model, AuditSpec]]:
    for row in rows:
        if isinstance(row, Model) and row.audited is not None:
            yield row, row.audited


def _creation(session: Session, row: Model, spec: AuditSpec) -> dict[str, object]:
    _, noted = _noted(session, row)
    after = {name: getattr(row, name) for name in spec.columns} | dict(noted)
    return _entry(session, *_identity(row, spec, spec.created), after=after)


def _update(session: Session, row: Model, spec: AuditSpec) -> dict[str, object]:
    noted_before, noted_after = _noted(session, row)
    histories = {name: inspect(row).attrs[name].history for name in spec.columns}
    before = {name: next(iter(history.deleted)) for name, history in histories.items() if history.has_changes()}
    after = {name: getattr(row, name) for name in before}
    identity = _identity(row, spec, spec.updated)
    return _entry(session, *identity, before={**before, **noted_before}, after={**after, **noted_after})


def _deletion(session: Session, row: Model, spec: AuditSpec) -> dict[str, object]:
    noted, _ = _noted(session, row)
    before = {name: getattr(row, name) for name in spec.columns} | dict(noted)
    return _entry(session, *_identity(row, spec, spec.deleted), before=before)


def _identity(row: Model, spec: AuditSpec, verb: str) -> tuple[str, str, str, str]:
    return _project_of(row), spec.entity, verb, str(getattr(row, spec.id_column))


def _project_of(row: Model) -> str:
    # A project is the only audited object without a project_id.
    return cast("str", getattr(row, "project_id" if hasattr(row, "project_id") else "id"))


def _entry(
    session: Session,
    project_id: str,
    entity: str,
    verb: str,
    entity_id: str,
    *,
    before: Values | None = None,
    after: Values | None = None,
) -> dict[str, object]:
    """Return the columns of an entry: `before` is None for a creation, `after` for a deletion."""
    return {
        "id": new_id(IdPrefix.AUDIT_ENTRY),
        "project_id": project_id,
        "user_id": session.info[_ACTOR],
        "action": f"{entity}.{verb}",
        "entity_type": entity,
        # People choose some of the ids, such as those of devices.
        "entity_id": _KEY.sub("[key]", entity_id),
        "before": _logged(before),
        "after": _logged(after),
    }


def _logged(values: Values | None) -> object:
    """Return values as JSON without keys; a value that is too large is replaced by its size."""
    if values is None:
        return None
    members = (b'"%b":%b' % (name.encode(), _document(value)) for name, value in values.items())
    return orjson.loads(_KEY.sub("[key]", f"{{{b','.join(members).decode()}}}"))


def _document(value: object) -> bytes:
    document = orjson.dumps(value, default=_dump, option=orjson.OPT_PASSTHROUGH_DATETIME)
    return document if len(document) <= MAX_VALUE_BYTES else b'{"omitted_bytes":%d}' % len(document)


def _dump(value: object) -> str:
    if isinstance(value, datetime):
        return format_timestamp(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")
