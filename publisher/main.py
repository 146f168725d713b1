"""The publisher process: wakes up, claims what waits, publishes it, until it is told to stop."""

import os

import psycopg
import structlog
from redis.exceptions import RedisError
from sqlalchemy.exc import SQLAlchemyError

from common.errors import UnavailableError
from common.process import Backoff, ShutdownSignal, tune_gc
from common.telemetry.tracing import create_spans
from management_api.database.key_vault import KeyVault
from management_api.database.transactions import Database
from publisher.claims import claim_waiting, defer
from publisher.metrics import serve_publisher_metrics
from publisher.project_publisher import ProjectPublisher
from publisher.republish import republish
from publisher.settings import PublisherSettings
from publisher.snapshot_writer import Holdings, SnapshotWriter, connect
from publisher.traced_publisher import TracedPublisher
from publisher.wakeup import Wakeup

log = structlog.stdlib.get_logger(__name__)

#: What PostgreSQL or Redis being away, or a schema that is not there yet, looks like; it passes.
OUTAGES = (UnavailableError, SQLAlchemyError, psycopg.Error, RedisError)

#: Seconds of the waits after failures: of everything, and of one project.
OUTAGE_WAITS = (0.1, 5.0)
PROJECT_WAITS = (1.0, 30.0)


def run(settings: PublisherSettings) -> None:
    """Publish until SIGTERM or SIGINT."""
    stop = ShutdownSignal()
    stop.listen()
    database = Database(settings)
    redis = connect(settings.redis_url.get_secret_value())
    vault = KeyVault(settings.master_key)
    writer, spans = SnapshotWriter(redis), create_spans("publisher", os.environ)
    projects = (
        ProjectPublisher(database, writer, vault) if spans is None else TracedPublisher(database, writer, vault, spans)
    )
    tune_gc()
    try:
        with serve_publisher_metrics(settings, database, projects.metrics):
            Publisher(settings, database, projects).run_until(stop)
    finally:
        redis.close()
        database.close()


class Publisher:
    """The loop. Nothing but its waits depends on what it remembers, so it may die at any moment."""

    def __init__(self, settings: PublisherSettings, database: Database, projects: ProjectPublisher) -> None:
        self._settings = settings
        self._database = database
        self._projects = projects
        self._wakeup = Wakeup(database)
        self._waits_of_failed: dict[str, Backoff] = {}
        self._stands_back = False

    def run_until(self, stop: ShutdownSignal) -> None:
        """Publish what waits, and wait for more; outages are waited out."""
        log.info("publisher.started")
        outage = Backoff(first=OUTAGE_WAITS[0], limit=OUTAGE_WAITS[1])
        while not stop.is_set():
            try:
                # Listening starts before the first look, so that no change falls in between.
                self._wakeup.listen()
                holdings = self._projects.holdings()
                self._note_newer(is_newer=holdings is Holdings.NEWER)
                if holdings is Holdings.PARTIAL:
                    self._restore_lost_snapshots(stop)
                if holdings is Holdings.NEWER or not self.publish_batch():
                    self._wakeup.wait(self._settings.publisher_poll_seconds)
                outage.reset()
                self._projects.metrics.is_well = True
            except OUTAGES as error:
                self._wakeup.close()
                self._projects.metrics.is_well = False
                self._projects.metrics.outages += 1
                wait = outage.next_delay()
                reason = str(error.__cause__ or error).partition("\n")[0]
                log.warning(
                    "publisher.outage", error=type(error).__name__, reason=reason, retry_in_seconds=round(wait, 2)
                )
                stop.wait(wait)
        self._wakeup.close()
        log.info("publisher.stopped")

    def _restore_lost_snapshots(self, stop: ShutdownSignal) -> None:
        """Publish everything again, as Redis has lost its data, or has it in the format of an older release."""
        self._projects.note_begun_in_this_format()
        for progress in republish(self._database, self._projects, batch_size=self._settings.publisher_batch_size):
            log.info("publisher.restoring", done=progress.done, total=progress.total)
            if stop.is_set():
                return
        self._projects.note_all_in_this_format()

    def _note_newer(self, *, is_newer: bool) -> None:
        """Say when publishing is left to a newer release, whose snapshots this one must not replace by its own."""
        if is_newer is not self._stands_back:
            self._stands_back = is_newer
            log.warning("publisher.stands_back_for_newer_release" if is_newer else "publisher.publishes_again")

    def publish_batch(self) -> int:
        """Claim and publish one batch; gives how many were claimed, 0 when nothing waits."""
        self._projects.take_back_lost_revisions()
        claimed = claim_waiting(
            self._database,
            batch_size=self._settings.publisher_batch_size,
            seconds=self._settings.publisher_claim_seconds,
        )
        if claimed:
            failed = self._projects.publish(claimed)
            for project_id in failed:
                wait = self._waits_of_failed.setdefault(
                    project_id, Backoff(first=PROJECT_WAITS[0], limit=PROJECT_WAITS[1])
                )
                defer(self._database, project_id, seconds=wait.next_delay())
            for project_id in set(claimed) - set(failed):
                self._waits_of_failed.pop(project_id, None)
        return len(claimed)
