"""Clean-up of media: deleted files that no version has, and objects that no file names."""

import hashlib
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from common.media_names import object_name
from common.media_store import MediaStore
from common.timestamps import utc_now
from management_api.db.models.media import Media, MediaObject
from management_api.media.cleanup import KEPT, remove_unneeded_media
from tests.support.clients.management import Management, User, data_of, management_service
from tests.support.media_files import picture


def _later() -> datetime:
    """Return a time a day after all that has happened."""
    return utc_now() + KEPT + timedelta(minutes=1)


@pytest.fixture
def management(database_url: str, master_key: str, tmp_path: Path) -> Iterator[Management]:
    with management_service(database_url, master_key, tmp_path) as service:
        yield service


@pytest.fixture
def store(tmp_path: Path) -> MediaStore:
    return MediaStore(f"file://{tmp_path}/media")


def _upload(user: User, project_id: str, width: int) -> str:
    response = user.request(
        "POST",
        "/api/media",
        params={"projectId": project_id, "name": "Logo"},
        body=picture("PNG", (width, 8)),
        content_type="image/png",
    )
    return str(data_of(response, 201)["id"])


def _names(store: MediaStore) -> set[str]:
    return {name for page in store.names() for _, name, _ in page}


def test_objects_of_files_and_of_uploads_stay_and_others_go(management: Management, store: MediaStore) -> None:
    alice = management.user("alice")
    project_id = str(alice.create_project()["id"])
    _upload(alice, project_id, 8)
    needed = _names(store)
    orphan = object_name(hashlib.sha256(b"orphan").hexdigest(), "webp")
    store.put(project_id, orphan, [b"orphan"], 6)
    remove_unneeded_media(management.database, store, utc_now())
    assert _names(store) == {*needed, orphan}
    remove_unneeded_media(management.database, store, _later())
    assert _names(store) == needed


def test_deleted_file_goes_after_a_day_unless_a_version_has_it(management: Management, store: MediaStore) -> None:
    alice = management.user("alice")
    project_id = str(alice.create_project()["id"])
    in_history, unused, twin = (_upload(alice, project_id, width) for width in (8, 9, 8))
    screens = [{"type": "welcome", "content": {"title": "Hi", "image": {"media_id": in_history}}}]
    flow = alice.create_flow(project_id, screens=screens)
    document = {"name": "Tour", "screens": [{"type": "welcome", "content": {"title": "Hi"}}]}
    data_of(alice.put(f"/api/flows/{flow['id']}/draft", {"document": document}), 201)
    data_of(alice.post(f"/api/flows/{flow['id']}/publish", {}), 201)
    for media_id in (in_history, unused, twin):
        assert alice.delete(f"/api/media/{media_id}").status_code == 200
    stored = _names(store)
    remove_unneeded_media(management.database, store, utc_now())
    assert _names(store) == stored
    remove_unneeded_media(management.database, store, _later())
    with management.database.transaction() as session:
        assert [media.id for media in session.query(Media)] == [in_history]
        assert _names(store) == {row.name for row in session.query(MediaObject)} < stored


def test_upload_whose_store_hangs_delays_no_edit_and_keeps_its_objects(
    management: Management, store: MediaStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = management.user("alice")
    project_id = str(alice.create_project()["id"])
    _upload(alice, project_id, 8)
    with management.database.transaction() as session:
        session.query(MediaObject).delete()
        session.query(Media).delete()
    found_there, may_end, put = threading.Event(), threading.Event(), MediaStore.put

    def hang(*args: Any) -> None:  # noqa: ANN401 - passed on
        put(*args)
        found_there.set()
        may_end.wait(30)

    monkeypatch.setattr(MediaStore, "put", hang)
    with ThreadPoolExecutor() as threads:
        upload = threads.submit(_upload, alice, project_id, 8)
        assert found_there.wait(30)
        cleanup = threads.submit(remove_unneeded_media, management.database, store, _later())
        try:
            assert alice.put(f"/api/projects/{project_id}", {"name": "New name"}).status_code == 200
        finally:
            may_end.set()
        upload.result(30)
        cleanup.result(30)
    with management.database.transaction() as session:
        assert _names(store) == {row.name for row in session.query(MediaObject)} != set()


def test_objects_of_a_deleted_project_go(management: Management, store: MediaStore) -> None:
    alice = management.user("alice")
    project_id = str(alice.create_project()["id"])
    _upload(alice, project_id, 8)
    with management.database.transaction() as session:
        for row in session.query(MediaObject):
            session.delete(row)
    remove_unneeded_media(management.database, store, _later())
    assert _names(store) == set()
