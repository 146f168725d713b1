"""The declarative base of all tables, their column types, and their columns in the audit log."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, ClassVar

import orjson
from sqlalchemy import DateTime, MetaData, String, Text, func
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import DeclarativeBase, Session, mapped_column

from common.ids import MAX_ID_LENGTH


@dataclass(frozen=True, slots=True)
class AuditSpec:
    """The attribute `audited` of a model. Only `columns` reach the log: no key, no digest, no ciphertext.

    Each change of an object with `is_published` requests a publication of its project.
    """

    entity: str
    columns: tuple[str, ...]
    id_column: str = "id"
    created: str = "create"
    updated: str = "update"
    deleted: str = "delete"
    is_published: bool = True


class Document(JSONB):
    """JSON whose values are compared as JSON: to Python, 1 and true are equal."""

    cache_ok = True

    def compare_values(self, x: object, y: object) -> bool:
        """Return whether two documents are equal."""
        return orjson.dumps(x, option=orjson.OPT_SORT_KEYS) == orjson.dumps(y, option=orjson.OPT_SORT_KEYS)


class Model(DeclarativeBase):
    """Base of every table; constraints have names that migrations can rely on."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {  # noqa: RUF012 - the name and form are SQLAlchemy's
        datetime: DateTime(timezone=True),
        str: Text(),
        dict[str, Any]: Document(),
        list[dict[str, Any]]: Document(),
    }
    #: An UPDATE returns the values that the database has set, as an INSERT does, without another SELECT.
    __mapper_args__ = {"eager_defaults": True}  # noqa: RUF012 - the name and form are SQLAlchemy's
    #: The columns of the table in the audit log; None: the table has no audit log.
    audited: ClassVar[AuditSpec | None] = None


#: An id of this service, as the primary key.
PrimaryId = Annotated[str, mapped_column(String(MAX_ID_LENGTH), primary_key=True)]
#: An id of this service.
Id = Annotated[str, mapped_column(String(MAX_ID_LENGTH))]
CreatedAt = Annotated[datetime, mapped_column(server_default=func.clock_timestamp())]
#: Set again by `onupdate` in each UPDATE, never by a trigger.
UpdatedAt = Annotated[datetime, mapped_column(server_default=func.clock_timestamp(), onupdate=func.clock_timestamp())]


def flush_and_refresh(session: Session, row: Model) -> None:
    """Write a row and read it back: PostgreSQL may return other JSON numbers, such as 0 for -0."""
    session.flush()
    session.refresh(row)
