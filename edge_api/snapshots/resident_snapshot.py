"""A snapshot as a worker holds it: decoded, its conditions compiled, its size known."""

from dataclasses import dataclass
from typing import Self

from common.conditions import CompiledCondition, Condition, compile_conditions, condition_problem
from common.snapshot import Snapshot, SnapshotFormatError, decode_snapshot

#: What the objects around the bytes weigh, by measurement on CPython 3.11, rounded up.
_SNAPSHOT_OVERHEAD_BYTES = 2_000
_FLOW_OVERHEAD_BYTES = 300
_CONDITION_OVERHEAD_BYTES = 1_500


@dataclass(frozen=True, slots=True)
class ResidentFlow:
    """A flow that targeting may choose, ready for matching; `body` is the finished answer."""

    flow_id: str
    rollout_buckets: int
    conditions: tuple[CompiledCondition, ...]
    body: bytes


@dataclass(frozen=True, slots=True)
class ResidentSnapshot:
    """Everything that the edge needs of one project. `size` is about how many bytes of memory it takes."""

    snapshot: Snapshot
    targeted: tuple[ResidentFlow, ...]
    size: int

    @property
    def revision(self) -> int:
        """The revision of the project that this is."""
        return self.snapshot.revision

    @classmethod
    def read(cls, project_id: str, stored: bytes) -> Self:
        """Decode the stored snapshot of that project. Raises SnapshotFormatError."""
        snapshot = decode_snapshot(stored)
        if snapshot.project_id != project_id:
            raise SnapshotFormatError(f"the snapshot stored for {project_id} is another project's")
        return cls.of(snapshot, len(stored))

    @classmethod
    def of(cls, snapshot: Snapshot, stored_bytes: int = 0) -> Self:
        """Make a snapshot ready for answering. Raises SnapshotFormatError."""
        targeted = tuple(
            ResidentFlow(flow.flow_id, flow.rollout_buckets, _compile(flow.conditions), flow.body)
            for flow in snapshot.targeted
        )
        conditions = sum(len(flow.conditions) for flow in targeted)
        overhead = len(targeted) * _FLOW_OVERHEAD_BYTES + conditions * _CONDITION_OVERHEAD_BYTES
        return cls(snapshot, targeted, stored_bytes + overhead + _SNAPSHOT_OVERHEAD_BYTES)


def _compile(conditions: tuple[Condition, ...]) -> tuple[CompiledCondition, ...]:
    """Compile what was checked at write time; what this release does not know must not pass for a match."""
    for condition in conditions:
        problem = condition_problem(condition)
        if problem is not None:
            raise SnapshotFormatError(f"a condition {problem}")
    return compile_conditions(conditions)
