"""The declarative base of all tables, their column types, and their columns in the audit log."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, ClassVar

import orjson
from sqlalchemy import DateTime, MetaData, String, Text, func
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import DeclarativeBase, mapped_column

from common.ids import MAX_ID_LENGTH


@dataclass(frozen=True, slots=True)
class AuditSpec:
    """Stands in a model as `audited`. Only `columns` ever reach the log, so a key, a digest or a seal cannot."""

    entity: str
    columns: tuple[str, ...]
    id_column: str = "id"
    created: str = "create"
    updated: str = "update"
    deleted: str = "delete"


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
    #: What the database sets itself comes back with the UPDATE, as it does with an INSERT, instead of being asked for.
    __mapper_args__ = {"eager_defaults": True}  # noqa: RUF012 - the name and form are SQLAlchemy's
    #: What the audit log shows of the table's rows; None keeps no log of them.
    audited: ClassVar[AuditSpec | None] = None


#: An id of ours, as the primary key.
PrimaryId = Annotated[str, mapped_column(String(MAX_ID_LENGTH), primary_key=True)]
#: An id of ours.
Id = Annotated[str, mapped_column(String(MAX_ID_LENGTH))]
CreatedAt = Annotated[datetime, mapped_column(server_default=func.clock_timestamp())]
#: Set again by `onupdate` in each UPDATE, never by a trigger.
UpdatedAt = Annotated[datetime, mapped_column(server_default=func.clock_timestamp(), onupdate=func.clock_timestamp())]
