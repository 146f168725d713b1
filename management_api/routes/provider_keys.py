"""Keeps the identity provider's keys at hand: fetched by one thread, never too often, kept through an outage."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

import structlog

from common.errors import UnavailableError
from management_api.routes.verifying_keys import KeySetError, VerifyingKey, key_named

#: A key that the provider has withdrawn is believed for so long at most, while the provider can be reached.
REFRESH_SECONDS = 300.0
#: Between the starts of two fetches, whatever is asked for and however often.
LEAST_INTERVAL_SECONDS = 30.0
#: How long a request waits for a fetch that may bring its key.
WAIT_SECONDS = 5.0
#: Requests that may wait at once: whoever invents key ids must not hold every thread while the provider hangs.
MAX_WAITING = 3
#: How long keys outlive the last contact to the provider.
OUTAGE_SECONDS = 24 * 3600.0

FetchKeys = Callable[[], tuple[VerifyingKey, ...]]

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class FetchedKeys:
    """The keys as the provider last showed them."""

    keys: tuple[VerifyingKey, ...]
    fetched_at: float


class ProviderKeys:
    """A key source whose lookups of known keys take no lock and wait for nothing.

    One thread fetches: when the keys get old, after a failure, or because a token names a key that is not known.
    """

    def __init__(self, fetch: FetchKeys, clock: Callable[[], float] = time.monotonic) -> None:
        self._fetch = fetch
        self._clock = clock
        self._fetched: FetchedKeys | None = None
        self._change = threading.Condition()
        # All of these belong to the condition.
        self._rounds = 0
        self._fetching = False
        self._asked = False
        self._closed = False
        self._waiting = 0
        self._next_fetch = self._latest_fetch = clock()
        self._thread = threading.Thread(target=self._keep_fresh, name="provider-keys", daemon=True)

    def start(self) -> None:
        """Begin to fetch, and give the first fetch a moment to end; without keys the service starts all the same."""
        self._thread.start()
        with self._change:
            self._change.wait_for(lambda: self._rounds > 0, WAIT_SECONDS)

    def close(self) -> None:
        """Stop fetching; a fetch under way ends by itself."""
        with self._change:
            self._closed = True
            self._change.notify_all()
        self._thread.join(WAIT_SECONDS)

    def find(self, key_id: str | None) -> VerifyingKey | None:
        """Give the key of that id (or the only one, for a token that names none), or None.

        Raises UnavailableError while it cannot be told whether the provider has such a key.
        """
        keys = self._present_keys()
        found = key_named(keys, key_id) if keys else None
        # A token without a key id asks for no key in particular; fetching would not make it clearer.
        if found is not None or (keys and key_id is None):
            return found
        self._await_news()
        keys = self._present_keys()
        if not keys:
            raise _unavailable()
        return key_named(keys, key_id)

    def _present_keys(self) -> tuple[VerifyingKey, ...]:
        fetched = self._fetched
        if fetched is None or self._clock() - fetched.fetched_at > OUTAGE_SECONDS:
            return ()
        return fetched.keys

    def _await_news(self) -> None:
        """Wait for the fetch under way, or for one of our own if the last is long enough ago; else go on at once."""
        with self._change:
            if not self._fetching and not self._asked and self._clock() < self._latest_fetch + LEAST_INTERVAL_SECONDS:
                return
            if self._waiting >= MAX_WAITING:
                raise _unavailable()
            if not self._fetching:
                self._asked = True
                self._change.notify_all()
            before = self._rounds
            self._waiting += 1
            try:
                ended = self._change.wait_for(lambda: self._rounds > before, WAIT_SECONDS)
            finally:
                self._waiting -= 1
        if not ended:
            raise _unavailable()

    def _keep_fresh(self) -> None:
        while self._await_turn():
            keys = self._fetch_once()
            with self._change:
                now = self._clock()
                if keys:
                    self._fetched = FetchedKeys(keys, now)
                self._next_fetch = now + (REFRESH_SECONDS if keys else LEAST_INTERVAL_SECONDS)
                self._fetching = False
                self._rounds += 1
                self._change.notify_all()

    def _await_turn(self) -> bool:
        """Wait until a fetch is due or asked for; False when there will be no more."""
        with self._change:
            while not (self._closed or self._asked or self._clock() >= self._next_fetch):
                self._change.wait(max(0.0, self._next_fetch - self._clock()))
            self._asked = False
            self._fetching = not self._closed
            self._latest_fetch = self._clock()
            return self._fetching

    def _fetch_once(self) -> tuple[VerifyingKey, ...]:
        """Give the provider's keys, or none when it cannot be asked, whatever the reason: this thread must live on."""
        try:
            return self._fetch()
        except KeySetError as error:
            log.warning("keys of the identity provider not fetched", reason=str(error))
        except Exception as error:  # noqa: BLE001 - nobody else would ever fetch again
            log.error("keys of the identity provider not fetched", reason=type(error).__qualname__)  # noqa: TRY400 - an error's text may quote what was received
        return ()


def _unavailable() -> UnavailableError:
    return UnavailableError("The identity provider cannot be asked at the moment, please try again")
