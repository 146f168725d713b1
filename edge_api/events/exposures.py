"""Records which device was given which flow, without ever delaying the answer (contract, section 4, Exposures)."""

from collections import OrderedDict
from functools import partial

from common.wire.stream_records import ExposureRecord
from edge_api.events.group_commit import GroupCommit

_REMEMBERED = 50_000


class ExposureRecorder:
    """Best effort. The first exposure is the one that counts, so those sent lately are not sent again.

    Unless the project has changed since: its change may be that the device was erased, and is new now.
    """

    def __init__(self, commits: GroupCommit, remembered: int = _REMEMBERED) -> None:
        self._commits = commits
        self._limit = remembered
        self._sent: OrderedDict[int, None] = OrderedDict()

    def offer(self, exposure: ExposureRecord, revision: int) -> None:
        """Send the exposure, at that revision of the project, unless it was sent; it is dropped when too much waits."""
        # 64 bits in place of all this: many are remembered, and a rare mistake costs one exposure.
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
        if self._commits.offer(exposure, partial(self._settle, key)):
            sent[key] = None
            if len(sent) > self._limit:
                sent.popitem(last=False)

    def _settle(self, key: int, failure: Exception | None) -> None:
        """Let one that was lost be sent again by the device's next resolve."""
        if failure is not None:
            self._sent.pop(key, None)
