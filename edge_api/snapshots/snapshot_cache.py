"""The snapshots that a worker holds, bounded by bytes: the least recently used go first."""

from collections import OrderedDict

from edge_api.snapshots.loaded import LoadedSnapshot


class SnapshotCache:
    """A map from project ids to snapshots that never goes back to an older revision."""

    def __init__(self, limit_bytes: int) -> None:
        self._limit_bytes = limit_bytes
        self._held: OrderedDict[str, LoadedSnapshot] = OrderedDict()
        self._bytes = 0
        #: How many had to make room for others.
        self.evicted = 0

    @property
    def limit_bytes(self) -> int:
        """What they may take."""
        return self._limit_bytes

    @property
    def bytes(self) -> int:
        """About how much memory the snapshots take."""
        return self._bytes

    def use(self, project_id: str) -> LoadedSnapshot | None:
        """Look a snapshot up for a request, which makes it the most recently used."""
        held = self._held.get(project_id)
        if held is not None:
            self._held.move_to_end(project_id)
        return held

    def revision(self, project_id: str) -> int | None:
        """Tell which revision is held, without counting that as use."""
        held = self._held.get(project_id)
        return None if held is None else held.revision

    def peek(self, project_id: str) -> LoadedSnapshot | None:
        """Look a snapshot up, without counting that as use."""
        return self._held.get(project_id)

    def project_ids(self) -> list[str]:
        """List the projects held."""
        return list(self._held)

    def drop(self, project_id: str) -> None:
        """Forget a project."""
        dropped = self._held.pop(project_id, None)
        if dropped is not None:
            self._bytes -= dropped.size

    def __len__(self) -> int:
        return len(self._held)

    def keep(self, project_id: str, snapshot: LoadedSnapshot) -> LoadedSnapshot:
        """Hold a snapshot unless a newer one is held, and give the newer of the two.

        The last one stays, however large it is: a project that exists must be served.
        """
        held = self._held.get(project_id)
        if held is not None and held.revision >= snapshot.revision:
            return held
        if held is not None:
            self._bytes -= held.size
        self._held[project_id] = snapshot
        if held is None:
            self._held.move_to_end(project_id)
        self._bytes += snapshot.size
        while self._bytes > self._limit_bytes and len(self._held) > 1:
            _, dropped = self._held.popitem(last=False)
            self._bytes -= dropped.size
            self.evicted += 1
        return snapshot
