"""The rows of the database, for tests that prove that a request changed nothing."""

from sqlalchemy import text

from management_api.db.models.metadata import TABLES
from management_api.db.models.users import IdempotencyKey
from tests.support.clients.management import Management

#: Tables that are not compared, because they record requests and not their effects.
_EXCLUDED = {IdempotencyKey.__tablename__}


def stored_rows(management: Management) -> dict[str, str]:
    names = [table.__tablename__ for table in TABLES if table.__tablename__ not in _EXCLUDED]
    with management.database.transaction() as session:
        return {
            name: session.execute(
                text(f"SELECT md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) FROM {name} t")  # noqa: S608 - our own names
            ).scalar_one()
            for name in names
        }
