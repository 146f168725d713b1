"""Record which device was given which flow, without delaying the response (contract, section 4, Exposures)."""

from collections import OrderedDict
from functools import partial

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

    def offer(self, exposure: ExposureRecord, revision: int) -> None:
        """Send an exposure at this revision of the project, unless it was sent; drop it when too much waits."""
        # A hash of 64 bits instead of the fields saves memory; a rare collision costs one exposure.
        key = hash(
            (
                exposure.project_id,
                revision,
                exposure.device_id,
                exposure.flow_id,
                exposure.experiment_id,
                exposure.variant,
            )
        )
        sent = self._sent
        if key in sent:
            sent.move_to_end(key)
            return
        if self._commits.submit_best_effort(exposure, partial(self._done, key)):
            sent[key] = None
            if len(sent) > self._max_sent:
                sent.popitem(last=False)

    def _done(self, key: int, error: Exception | None) -> None:
        """Let an exposure that was lost be sent again by the device's next resolve."""
        if error is not None:
            self._sent.pop(key, None)
