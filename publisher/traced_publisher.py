"""A publisher that makes a span for each batch."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from management_api.database.key_vault import KeyVault
from management_api.database.transactions import Database
from publisher.project_publisher import ProjectPublisher
from publisher.snapshot_writer import SnapshotWriter

if TYPE_CHECKING:
    from common.telemetry.open_telemetry import Spans


class TracedPublisher(ProjectPublisher):
    """Publishes with spans."""

    def __init__(self, database: Database, writer: SnapshotWriter, vault: KeyVault, spans: "Spans") -> None:
        super().__init__(database, writer, vault)
        self._spans = spans

    def publish(self, project_ids: Sequence[str]) -> list[str]:
        """Publish the projects in a span; failed batches have spans too."""
        with self._spans.batch("publish projects", {"onboarding.projects": len(project_ids)}, ()):
            return super().publish(project_ids)
