"""Whether a database's schema serves this release: it is the release's own, or a newer one that still does.

Migrations expand first and contract later (docs/operations.md, Upgrade), so a release goes on working while a newer one
migrates, and can be gone back to. The database itself says how far back that holds.
"""

from collections.abc import Set as AbstractSet
from enum import Enum

from sqlalchemy import Connection, select, text
from sqlalchemy.orm import Mapped, mapped_column

from management_api.database.model import Model

VERSIONS = text("SELECT version_num FROM alembic_version")


class SchemaCompatibility(Model):
    """The one row that says which releases the schema serves; a migration that takes something away raises it."""

    __tablename__ = "schema_compatibility"

    #: Releases whose newest migration is this one or a later one work with the schema.
    oldest_revision: Mapped[str] = mapped_column(primary_key=True)


class SchemaFit(Enum):
    """How a schema stands to this release."""

    OWN = "own"
    NEWER = "newer, and serves this release too"
    TOO_NEW = "newer, and does not serve this release"
    #: Older, or none of ours.
    OLDER = "older"


def schema_fit(connection: Connection, own: AbstractSet[str]) -> SchemaFit:
    """Compare; `own` are the newest revisions of this release. Raises ProgrammingError where nobody ever migrated."""
    found = set(connection.scalars(VERSIONS))
    if found == own:
        return SchemaFit.OWN
    # The names of revisions ascend.
    if not found or min(found) <= max(own):
        return SchemaFit.OLDER
    oldest = connection.scalar(select(SchemaCompatibility.oldest_revision))
    return SchemaFit.NEWER if oldest is not None and oldest <= max(own) else SchemaFit.TOO_NEW
