"""Events of a project above a quota are rejected until the end of the UTC day."""

import pytest

from common.errors import QuotaUsedUpError
from common.wire.used_quotas import UsedQuotas, UsedQuotasFormatError, decode_used_quotas
from tests.unit.edge_api.events.used_quotas import quotas_used_up

MIDNIGHT = 1_764_028_800


@pytest.mark.parametrize(
    ("seconds_left", "uniform", "retry_after"),
    [(80_000, 0.0, 3600), (1800, 0.0, 1800), (1800, 0.5, 2250), (3599, 0.99, 3600), (1, 0.0, 1)],
)
def test_retry_is_after_midnight_spread_and_within_an_hour(seconds_left: int, uniform: float, retry_after: int) -> None:
    quotas = quotas_used_up(
        {"proj_a": {"events"}}, resets_at=MIDNIGHT, clock=lambda: MIDNIGHT - seconds_left, uniform=uniform
    )
    with pytest.raises(QuotaUsedUpError) as raised:
        quotas.check("proj_a")
    assert raised.value.headers == {"Retry-After": str(retry_after)}


def test_quotas_are_free_again_at_midnight_without_any_news() -> None:
    now = [MIDNIGHT - 0.5]
    quotas = quotas_used_up({"proj_a": {"new_devices"}}, resets_at=MIDNIGHT, clock=lambda: now[0])
    assert not quotas.takes_new_devices("proj_a")
    now[0] = MIDNIGHT
    quotas.check("proj_a")
    assert quotas.takes_new_devices("proj_a")
    assert not quotas.used_up


def test_state_is_read_with_quotas_of_a_later_release() -> None:
    used = UsedQuotas(MIDNIGHT, {"proj_a": frozenset({"events", "carrier_pigeons"}), "proj_b": frozenset({"events"})})
    digest, state = used.encode()
    assert decode_used_quotas(state) == used
    assert UsedQuotas(MIDNIGHT, dict(reversed(used.projects.items()))).encode() == (digest, state)


@pytest.mark.parametrize("state", [b"", b"[]", b'{"resets_at": "soon", "projects": {}}', b"\xff"])
def test_damaged_state_is_an_error_of_its_own(state: bytes) -> None:
    with pytest.raises(UsedQuotasFormatError):
        decode_used_quotas(state)
