"""The outbox: claims, marks and delays of publications."""

from contextlib import closing

from common.process import ShutdownSignal
from management_api.db.engine import Database
from management_api.db.models.outbox import request_publication
from publisher.main import Publisher
from publisher.outbox import NotifyListener, Published, claim_waiting, mark_published
from tests.integration.publisher.published import revisions
from tests.support.background import in_background
from tests.support.data.rows import add_project


def test_claimed_project_is_skipped_by_other_publishers(database: Database, publisher: Publisher) -> None:
    with database.transaction() as session:
        add_project(session)
    assert len(claim_waiting(database, batch_size=10, seconds=60)) == 1
    assert publisher.publish_batch() == 0


def test_change_during_a_publication_waits_for_the_next(database: Database, publisher: Publisher) -> None:
    with database.transaction() as session:
        project_id = add_project(session).id
    claim_waiting(database, batch_size=10, seconds=60)
    # The change comes after the publisher has read revision 1 and before it marks it.
    with database.transaction() as session:
        request_publication(session, project_id)
    mark_published(database, [Published(project_id, revision=1, stored=1)])
    assert revisions(database, project_id) == (2, 1)
    assert publisher.publish_batch() == 1
    assert revisions(database, project_id) == (2, 2)


def test_published_project_has_the_delay_of_its_newest_change(database: Database, publisher: Publisher) -> None:
    with database.transaction() as session:
        project_id = add_project(session).id
    claim_waiting(database, batch_size=10, seconds=60)
    (delay,) = mark_published(database, [Published(project_id, revision=1, stored=1)])
    assert 0 <= delay < 60
    # A repeated publication has no delay, because no change waited for it.
    assert mark_published(database, [Published(project_id, revision=1, stored=1)]) == []
    for _ in range(2):
        with database.transaction() as session:
            request_publication(session, project_id)
    # The second change is not out yet.
    assert mark_published(database, [Published(project_id, revision=2, stored=2)]) == []
    assert publisher.publish_batch() == 1


def test_shutdown_ends_the_wait_for_notifications(database: Database) -> None:
    listener = NotifyListener(database)
    listener.listen()
    with closing(listener), in_background(ShutdownSignal(), lambda stop: listener.wait(3600, stop)):
        pass
