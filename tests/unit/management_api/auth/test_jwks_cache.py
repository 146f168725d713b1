"""When the provider's keys are fetched, who waits for that, and how long they live."""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from jwt import PyJWK
from jwt.algorithms import ECAlgorithm

from common.errors import UnavailableError
from management_api.auth import jwks
from management_api.auth.jwks import COOLDOWN_SECONDS, MAX_WAITING, OUTAGE_SECONDS, JwksCache, JwksError, KeySet
from tests.support.polling import eventually

PUBLIC_JWK = ECAlgorithm.to_jwk(generate_private_key(SECP256R1()).public_key(), as_dict=True)


class Provider:
    """A provider whose keys, failures and slowness a test decides about."""

    def __init__(self, *key_ids: str) -> None:
        self.show(*key_ids)
        self.failure: Exception | None = None
        self.fetches = 0
        self.answers = threading.Event()
        self.answers.set()

    def show(self, *key_ids: str) -> None:
        self.keys = tuple(PyJWK({**PUBLIC_JWK, "kid": key_id}, "ES256") for key_id in key_ids)

    def fetch(self) -> KeySet:
        self.fetches += 1
        assert self.answers.wait(20)
        if self.failure is not None:
            raise self.failure
        return self.keys


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def provider() -> Provider:
    return Provider("first")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def keys(provider: Provider, clock: Clock) -> Iterator[JwksCache]:
    source = JwksCache(provider.fetch, clock)
    source.start()
    yield source
    provider.answers.set()
    source.close()


def test_a_key_is_found_without_asking_again(keys: JwksCache, provider: Provider) -> None:
    assert keys.find("first") is not None
    assert keys.find(None) is not None
    assert provider.fetches == 1


def test_a_flood_of_unknown_key_ids_costs_one_fetch_in_half_a_minute(
    keys: JwksCache, provider: Provider, clock: Clock
) -> None:
    def ask(number: int) -> bool:
        try:
            return keys.find(f"unknown-{number}") is None
        except UnavailableError:
            return True

    with ThreadPoolExecutor(20) as pool:
        assert all(pool.map(ask, range(1000)))
        assert provider.fetches == 1
        clock.now += COOLDOWN_SECONDS
        assert all(pool.map(ask, range(1000)))
        assert provider.fetches == 2


def test_a_new_key_is_found_by_its_id(keys: JwksCache, provider: Provider, clock: Clock) -> None:
    provider.show("first", "second")
    assert keys.find("second") is None
    clock.now += COOLDOWN_SECONDS
    assert keys.find("second") is not None


def test_keys_are_fetched_again_without_being_asked_for(provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jwks, "REFRESH_SECONDS", 0.02)
    keys = JwksCache(provider.fetch)
    keys.start()
    provider.show("second")
    eventually(lambda: keys.find("first") is None)
    assert keys.find("second") is not None
    keys.close()


def test_known_keys_serve_at_once_while_the_provider_hangs(
    keys: JwksCache, provider: Provider, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jwks, "WAIT_SECONDS", 30.0)
    provider.answers.clear()
    clock.now += COOLDOWN_SECONDS
    with ThreadPoolExecutor(MAX_WAITING + 5) as pool:
        waiting = [pool.submit(keys.find, f"unknown-{number}") for number in range(MAX_WAITING + 5)]
        # Those for whom there is no place to wait are told so at once.
        eventually(lambda: sum(one.done() for one in waiting) == 5)
        began = time.monotonic()
        assert keys.find("first") is not None
        assert time.monotonic() - began < 10
        provider.answers.set()
        outcomes = [one.exception() for one in waiting]
    assert sum(isinstance(outcome, UnavailableError) for outcome in outcomes) == 5
    assert provider.fetches == 2


def test_hanging_provider_delays_no_request_for_long(
    keys: JwksCache, provider: Provider, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jwks, "WAIT_SECONDS", 0.05)
    provider.answers.clear()
    clock.now += COOLDOWN_SECONDS
    with pytest.raises(UnavailableError):
        keys.find("unknown")


def test_known_keys_survive_an_outage_of_a_day(keys: JwksCache, provider: Provider, clock: Clock) -> None:
    provider.failure = JwksError("away")
    clock.now += OUTAGE_SECONDS - 1
    assert keys.find("unknown") is None
    assert keys.find("first") is not None
    clock.now += 2
    with pytest.raises(UnavailableError):
        keys.find("first")
    provider.failure = None
    clock.now += COOLDOWN_SECONDS
    assert keys.find("first") is not None


@pytest.mark.parametrize("failure", [JwksError("away"), RuntimeError("defect")])
def test_a_service_that_starts_before_its_provider_serves_once_that_is_there(clock: Clock, failure: Exception) -> None:
    provider = Provider("first")
    provider.failure = failure
    keys = JwksCache(provider.fetch, clock)
    keys.start()
    with pytest.raises(UnavailableError):
        keys.find("first")
    provider.failure = None
    clock.now += COOLDOWN_SECONDS
    assert keys.find("first") is not None
    keys.close()
