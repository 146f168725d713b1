"""The projects that could not be published, and when each is tried again."""

from collections.abc import Collection, Sequence

import structlog

from common.process import Backoff
from common.redis.url import Node
from management_api.db.engine import Database
from publisher.outbox import defer
from publisher.snapshot_store import SnapshotStore

log = structlog.stdlib.get_logger(__name__)

#: Seconds of the first wait after a failure of one project, and of the longest.
_WAITS = (1.0, 30.0)


class Retries:
    """Its memory only decides how long projects wait, so the publisher may be killed at any moment.

    A project whose server of a Cluster does not respond is neither read nor compiled: thousands of them would delay the
    projects of the other servers.
    """

    def __init__(self, database: Database, store: SnapshotStore) -> None:
        self._database = database
        self._store = store
        self._waits: dict[str, Backoff] = {}
        self._responding: frozenset[Node | None] = frozenset()
        #: The projects that wait for their server, and the servers that were logged for that.
        self._away: set[str] = set()
        self._logged: set[Node | None] = set()

    def set_responding(self, servers: Collection[Node | None]) -> None:
        """Store which servers of Redis respond, and end the waits of projects whose server does so again."""
        responding = frozenset(servers)
        if responding == self._responding:
            return
        self._responding = responding
        self._logged -= responding
        # A replica may have become the server of these projects.
        if back := {project_id for project_id in self._away if self._store.server_of(project_id) in responding}:
            defer(self._database, dict.fromkeys(back, 0.0))
            self._away -= back
            log.info("publisher.server_back", projects=len(back))

    def set_aside(self, project_ids: Sequence[str]) -> list[str]:
        """Let the projects whose server does not respond wait, and return the others."""
        servers = {project_id: self._store.server_of(project_id) for project_id in project_ids}
        away = [project_id for project_id, server in servers.items() if server not in self._responding]
        if away:
            self._away.update(away)
            defer(self._database, dict.fromkeys(away, _WAITS[1]))
            for server in {servers[project_id] for project_id in away} - self._logged:
                self._logged.add(server)
                log.warning("publisher.server_away", server=None if server is None else f"{server[0]}:{server[1]}")
        present = [project_id for project_id, server in servers.items() if server in self._responding]
        self._away.difference_update(present)
        return present

    def record(self, tried: Sequence[str], failed: Collection[str]) -> None:
        """Let the projects that failed wait with back-off."""
        for project_id in set(tried) - set(failed):
            self._waits.pop(project_id, None)
        if failed:
            waits = {
                project_id: self._waits.setdefault(project_id, Backoff(first=_WAITS[0], limit=_WAITS[1]))
                for project_id in failed
            }
            defer(self._database, {project_id: wait.next_delay() for project_id, wait in waits.items()})
