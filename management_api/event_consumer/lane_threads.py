"""The threads that lanes share: those that read ahead, and whose turn it is to prepare a batch."""

import sys
import threading
from concurrent.futures import ThreadPoolExecutor

#: Seconds after which the thread that runs Python lets another one. A lane that has PostgreSQL's reply and waits longer
#: than that leaves PostgreSQL with nothing to do, a dozen times a batch; shorter, and many lanes would cost more.
TURN_SECONDS = 0.0002


class LaneThreads:
    """Made once for all lanes of a consumer."""

    def __init__(self, lanes: int) -> None:
        #: Its threads are made when they are wanted, by lanes with a backlog.
        self.executor = ThreadPoolExecutor(lanes, thread_name_prefix="read ahead")
        #: Held by who prepares a batch: two at once would do no more than one, and be in the way of all others.
        self.preparing = threading.Lock()

    def close(self) -> None:
        """End the threads; nothing is being read any more."""
        self.executor.shutdown()


def take_short_turns() -> None:
    """Have the threads of this process take turns more often than Python does by itself."""
    sys.setswitchinterval(TURN_SECONDS)
