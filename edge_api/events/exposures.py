"""Record which device was given which flow, without delaying the response (contract, section 4, Exposures)."""

import time
from collections import OrderedDict
from functools import partial

from common.rules.resolution import Choice
from common.wire.public_bodies import ResolveBody
from common.wire.snapshot import Snapshot
from common.wire.stream_records import ExposureRecord
from edge_api.events.group_commit import GroupCommit

_MAX_SENT = 50_000


class ExposureRecorder:
    """Best effort. Only the first exposure counts, so those sent lately are not sent again.

    A change of the project makes them new: the change may be that the device was erased.
    """

    def __init__(self, commits: GroupCommit, max_sent: int = _MAX_SENT) -> None:
        self._commits = commits
        self._max_sent = max_sent
        self._sent: OrderedDict[int, None] = OrderedDict()

    def offer(self, snapshot: Snapshot, device: ResolveBody, choice: Choice, key_id: str) -> None:
        """Send the exposure of a device to a choice, unless it was sent; drop it when too much waits.

        `key_id` is the id of the secret key that the request came with.
        """
        # A hash of 64 bits instead of the fields saves memory; a rare collision costs one exposure.
        key = hash((snapshot.project_id, snapshot.revision, device.device_id, choice))
        sent = self._sent
        if key in sent:
            sent.move_to_end(key)
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
            sent[key] = None
            if len(sent) > self._max_sent:
                sent.popitem(last=False)

    def _done(self, key: int, error: Exception | None) -> None:
        """Let an exposure that was lost be sent again by the device's next resolve."""
        if error is not None:
            self._sent.pop(key, None)
