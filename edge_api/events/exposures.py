"""Records exposures, devices and their flows, without delaying the response (contract, section 4, Exposures)."""

import time
from functools import partial

from common.rules.resolution import Choice
from common.wire.public_bodies import ResolveBody
from common.wire.snapshot import Snapshot
from common.wire.stream_records import ExposureRecord
from edge_api.events.group_commit import EventCommits
from edge_api.events.quotas import ProjectQuotas

#: Of each generation.
_MAX_SENT = 25_000


class ExposureRecorder:
    """Best effort. Only the first exposure counts, so those sent lately are not sent again.

    A change of the project makes them new, because the device may have been erased before it. A project that has used
    up its quota of new devices gets no exposures: the edge does not know which devices are new.
    """

    def __init__(self, commits: EventCommits, quotas: ProjectQuotas, max_sent: int = _MAX_SENT) -> None:
        self._commits = commits
        self._quotas = quotas
        self._max_sent = max_sent
        #: Two generations: a full one becomes the former one, whose members return when they are used.
        self._sent: set[int] = set()
        self._formerly_sent: set[int] = set()

    def record(self, snapshot: Snapshot, device: ResolveBody, choice: Choice, key_id: str) -> None:
        """Send the exposure of a device to a choice, unless it was sent; drop it when too much waits.

        `key_id` is the id of the secret key that the request came with.
        """
        # A hash of 64 bits instead of the fields saves memory; a rare collision costs one exposure.
        key = hash((snapshot.project_id, snapshot.revision, device.device_id, choice))
        if key in self._sent:
            return
        if key in self._formerly_sent:
            self._add(key)
            return
        if self._quotas.used_up and not self._quotas.takes_new_devices(snapshot.project_id):
            return
        assignment = choice.assignment
        exposure = ExposureRecord(
            snapshot.project_id,
            device.device_id,
            choice.flow_id,
            int(time.time() * 1000),
            None if assignment is None else assignment.experiment_id,
            None if assignment is None else assignment.variant,
            device.platform,
            key_id,
        )
        if self._commits.submit_best_effort(exposure, partial(self._done, key)):
            self._add(key)

    def _add(self, key: int) -> None:
        if len(self._sent) >= self._max_sent:
            self._formerly_sent, self._sent = self._sent, set()
        self._sent.add(key)

    def _done(self, key: int, error: Exception | None) -> None:
        """Remove an exposure that was lost, so that the next resolve of the device sends it again."""
        if error is not None:
            self._sent.discard(key)
            self._formerly_sent.discard(key)
