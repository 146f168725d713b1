"""A publisher whose batches are spans."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from management_api.database.key_vault import KeyVault
from management_api.database.transactions import Database
from publisher.project_publisher import ProjectPublisher
from publisher.snapshot_writer import SnapshotWriter

if TYPE_CHECKING:
    from common.telemetry.open_telemetry import Spans


class TracedPublisher(ProjectPublisher):
    """Publishes as ever."""

    def __init__(self, database: Database, writer: SnapshotWriter, vault: KeyVault, spans: "Spans") -> None:
        super().__init__(database, writer, vault)
        self._spans = spans

    def publish(self, project_ids: Sequence[str]) -> list[str]:
        """Publish the projects, of which a batch that fails is a span too."""
        with self._spans.batch("publish projects", {"onboarding.projects": len(project_ids)}, ()):
            return super().publish(project_ids)
