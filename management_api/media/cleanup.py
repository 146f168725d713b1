"""Removal of media files that nothing needs any more: deleted ones, and objects in the store without a file."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta

import structlog
from sqlalchemy import select

from common.media_store import MediaStore
from management_api.db.engine import Database, allow_long_statements
from management_api.db.models.media import Media, MediaObject
from management_api.media.object_locks import own_objects
from management_api.media.uses import is_in_history

log = structlog.stdlib.get_logger(__name__)

#: After a deletion, and for objects whose file is being uploaded.
KEPT = timedelta(hours=24)
#: Files, and objects, that one transaction removes.
PORTION = 50
STATEMENT_MINUTES = 5


def remove_unneeded_media(database: Database, store: MediaStore, now: datetime) -> None:
    """Delete files that were deleted a day ago and are in no version, then objects that no file names.

    Raises MediaStoreError.
    """
    _delete_files(database, now - KEPT)
    for page in store.names():
        by_project: defaultdict[str, list[str]] = defaultdict(list)
        for project_id, name, stored_at in page:
            if stored_at < now - KEPT:
                by_project[project_id].append(name)
        for project_id, names in by_project.items():
            for start in range(0, len(names), PORTION):
                _delete_objects(database, store, project_id, names[start : start + PORTION])


def _delete_files(database: Database, before: datetime) -> None:
    last = ""
    while True:
        found = select(Media).where(Media.deleted_at < before, Media.id > last).order_by(Media.id).limit(PORTION)
        with database.transaction() as session:
            allow_long_statements(session, minutes=STATEMENT_MINUTES)
            files = session.scalars(found).all()
            for media in files:
                if not is_in_history(session, media):
                    session.delete(media)
            last = files[-1].id if files else last
        if len(files) < PORTION:
            return


def _delete_objects(database: Database, store: MediaStore, project_id: str, names: Sequence[str]) -> None:
    """Delete the objects that no file names. The lock keeps an upload of the same content from naming one meanwhile."""
    with database.transaction() as session:
        own_objects(session, project_id)
        is_named = (MediaObject.project_id == project_id) & MediaObject.name.in_(names)
        named = set(session.scalars(select(MediaObject.name).where(is_named)))
        unneeded = [name for name in names if name not in named]
        store.delete(project_id, unneeded)
    if unneeded:
        log.info("media.objects_deleted", project_id=project_id, objects=len(unneeded))
