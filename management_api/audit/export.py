"""The audit logs as JSON lines or CSV: of one project for its members, of the whole installation for its operators.

Entries are read in portions by their place, so that the memory does not depend on their number.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

import orjson
from sqlalchemy import Row, Select, bindparam, func, literal, null, select, tuple_, union_all
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import InstrumentedAttribute

from common.timestamps import format_timestamp
from management_api.audit.filters import IN_PROJECT, AuditFilters
from management_api.audit.operations import names_in_log
from management_api.auth.access import Caller, check_may_read
from management_api.auth.lists import PageRequest
from management_api.db.engine import Reader
from management_api.db.models.audit_log import AuditEntry, InstallationEntry
from management_api.db.models.deleted_projects import DeletedProject
from management_api.http.responses import MAX_RESPONSE_BYTES, csv_line

#: The entries of one response.
MAX_EXPORTED = 10_000
PORTION = 500
_END = datetime(9999, 1, 1, tzinfo=UTC)

_COLUMNS = ("id", "at", "project_id", "user_id", "action", "entity_type", "entity_id", "before", "after")
_NAMES = ("user_name", "entity_name")


class AuditFormat(StrEnum):
    """The formats of an export."""

    JSON_LINES = "jsonl"
    CSV = "csv"


_OF_PROJECT = select(*(getattr(AuditEntry, name) for name in _COLUMNS))
_NO_VALUES = null().cast(JSONB)
_OF_INSTALLATION = select(
    InstallationEntry.id, InstallationEntry.at, null().label("project_id"), InstallationEntry.user_id,
    InstallationEntry.action, InstallationEntry.entity_type, InstallationEntry.entity_id,
    _NO_VALUES.label("before"), _NO_VALUES.label("after"),
)  # fmt: skip
_OF_DELETIONS = select(
    DeletedProject.project_id.label("id"), DeletedProject.deleted_at.label("at"), DeletedProject.project_id,
    DeletedProject.deleted_by.label("user_id"), literal("project.delete").label("action"),
    literal("project").label("entity_type"), DeletedProject.project_id.label("entity_id"),
    func.jsonb_build_object("name", DeletedProject.name).label("before"), _NO_VALUES.label("after"),
)  # fmt: skip


def _portion(
    statement: Select[*tuple[Any, ...]],
    at: InstrumentedAttribute[datetime],
    entry_id: InstrumentedAttribute[str],
    *,
    descending: bool = False,
) -> Select[*tuple[Any, ...]]:
    place, last = tuple_(at, entry_id), tuple_(bindparam("last_at"), bindparam("last_id"))
    order = (at.desc(), entry_id.desc()) if descending else (at, entry_id)
    rows = statement.where(at >= bindparam("since"), place < last if descending else place > last)
    return rows.order_by(*order).limit(PORTION)


_PROJECT_PORTIONS = {
    descending: _portion(
        _OF_PROJECT.where(IN_PROJECT),
        AuditEntry.at,
        AuditEntry.id,
        descending=descending,
    )
    for descending in (False, True)
}
_EVERYWHERE = union_all(
    *(
        select(_portion(statement, at, entry_id).subquery())
        for statement, at, entry_id in (
            (_OF_PROJECT, AuditEntry.at, AuditEntry.id),
            (_OF_INSTALLATION, InstallationEntry.at, InstallationEntry.id),
            (_OF_DELETIONS, DeletedProject.deleted_at, DeletedProject.project_id),
        )
    )
).subquery()
_INSTALLATION_PORTION = select(_EVERYWHERE).order_by(_EVERYWHERE.c.at, _EVERYWHERE.c.id).limit(PORTION)


def export_project_log(
    reader: Reader,
    caller: Caller,
    project_id: str,
    page: PageRequest,
    filters: AuditFilters,
    file_format: AuditFormat,
    *,
    with_names: bool,
) -> bytes:
    """Return the first entries in the order of the page: MAX_EXPORTED, or those in MAX_RESPONSE_BYTES.

    Raises ProjectNotFoundError, ForbiddenError.
    """
    check_may_read(reader, caller, project_id)
    columns = (*_COLUMNS, *_NAMES) if with_names else _COLUMNS
    file = bytearray(_heading(columns, file_format))
    portions = _portions(
        reader,
        _PROJECT_PORTIONS[page.descending],
        {"project_id": project_id, **filters.parameters()},
        descending=page.descending,
    )
    for count, rows in enumerate(portions, 1):
        names = names_in_log(reader, project_id, rows) if with_names else {}
        for row in rows:
            line = _line(columns, row._asdict() | dict(names.get(row.id, {})), file_format)
            if len(file) + len(line) > MAX_RESPONSE_BYTES:
                return bytes(file)
            file += line
        if count * PORTION >= MAX_EXPORTED:
            break
    return bytes(file)


def export_all_logs(reader: Reader, since: datetime, file_format: AuditFormat) -> Iterator[bytes]:
    """Yield the entries of all projects and of the installation since a time, the oldest first."""
    yield _heading(_COLUMNS, file_format)
    for rows in _portions(reader, _INSTALLATION_PORTION, {"since": since}, descending=False):
        yield b"".join(_line(_COLUMNS, row._asdict(), file_format) for row in rows)


def _portions(
    reader: Reader,
    statement: Select[*tuple[Any, ...]],
    values: Mapping[str, object],
    *,
    descending: bool,
) -> Iterable[Sequence[Row[Any]]]:
    last_at, last_id = (_END if descending else values["since"]), ""
    while True:
        place = {"last_at": last_at, "last_id": last_id}
        rows = reader.execute(statement, {**values, **place}).all()
        if rows:
            yield rows
        if len(rows) < PORTION:
            return
        last_at, last_id = rows[-1].at, rows[-1].id


def _heading(columns: Sequence[str], file_format: AuditFormat) -> bytes:
    return csv_line(columns, dict(zip(columns, columns, strict=True))) if file_format is AuditFormat.CSV else b""


def _line(columns: Sequence[str], entry: dict[str, Any], file_format: AuditFormat) -> bytes:
    entry["at"] = format_timestamp(entry["at"])
    if file_format is AuditFormat.JSON_LINES:
        return orjson.dumps({column: entry.get(column) for column in columns}, option=orjson.OPT_APPEND_NEWLINE)
    for column in ("before", "after"):
        entry[column] = None if entry[column] is None else orjson.dumps(entry[column]).decode()
    return csv_line(columns, {column: entry.get(column) for column in columns})
