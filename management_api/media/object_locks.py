"""The lock of a project's objects: uploads share it, and the clean-up owns it while it deletes.

It is an advisory lock of its own. The store may hang for many seconds, and neither edits nor events of the project wait
for it.
"""

from sqlalchemy import TextClause, text
from sqlalchemy.orm import Session

from management_api.db.models.event_ids import project_key

#: Separates the locks from the other advisory locks by project.
_OBJECTS = 0x6D65_6469
#: Longer than the store may take for the objects of one file.
_IDLE = "SET LOCAL idle_in_transaction_session_timeout = '3min'"
_SHARE, _OWN = text("SELECT pg_advisory_xact_lock_shared(:key)"), text("SELECT pg_advisory_xact_lock(:key)")


def share_objects(session: Session, project_id: str) -> None:
    """Keep the clean-up from deleting objects of the project until the transaction ends."""
    _lock(session, _SHARE, project_id)


def own_objects(session: Session, project_id: str) -> None:
    """Keep uploads from storing objects of the project until the transaction ends."""
    _lock(session, _OWN, project_id)


def _lock(session: Session, statement: TextClause, project_id: str) -> None:
    session.execute(text(_IDLE))
    session.execute(statement, {"key": project_key(project_id) ^ _OBJECTS})
