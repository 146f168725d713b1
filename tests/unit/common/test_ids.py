"""Ids: well-formed exactly when the TypeID library accepts them, in order of time; request ids that are kept."""

import multiprocessing
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from typeid import TypeID
from typeid.errors import TypeIDException

from common.credentials import KeyPrefix, generate_key
from common.ids import MAX_ID_LENGTH, IdPrefix, is_id, is_safe_request_id, new_id

PREFIXES = st.sampled_from(IdPrefix)


def is_type_id(prefix: IdPrefix, text: str) -> bool:
    try:
        return text.startswith(f"{prefix}_") and str(TypeID.from_string(text)) == text
    except TypeIDException:
        return False


@pytest.mark.parametrize("prefix", IdPrefix)
def test_new_id_has_only_its_own_prefix(prefix: IdPrefix) -> None:
    created = new_id(prefix)
    assert [other for other in IdPrefix if is_id(other, created)] == [prefix]
    assert len(created) <= MAX_ID_LENGTH


def test_new_id_is_a_uuid7_of_this_millisecond() -> None:
    before = time.time_ns() // 1_000_000
    uuid = TypeID.from_string(new_id(IdPrefix.EVENT)).uuid
    assert (uuid.version, uuid.variant) == (7, "specified in RFC 4122")
    assert before <= uuid.int >> 80 <= time.time_ns() // 1_000_000


def test_new_ids_of_one_process_increase() -> None:
    created = [new_id(IdPrefix.FLOW) for _ in range(20_000)]
    assert created == sorted(set(created))


def test_new_ids_increase_while_clock_is_set_back(monkeypatch: pytest.MonkeyPatch) -> None:
    created = [new_id(IdPrefix.FLOW)]
    now = time.time_ns()
    for seconds_back in (1, 3600, 1800):
        monkeypatch.setattr("common.ids.time_ns", lambda moment=now - seconds_back * 10**9: moment)
        created += [new_id(IdPrefix.FLOW) for _ in range(100)]
    assert created == sorted(set(created))


def test_threads_create_different_ids() -> None:
    with ThreadPoolExecutor(8) as threads:
        created = list(threads.map(new_id, [IdPrefix.EVENT] * 20_000))
    assert len(set(created)) == len(created)


def test_forked_processes_create_different_ids_in_the_same_millisecond(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("common.ids.time_ns", lambda: 0)
    with multiprocessing.get_context("fork").Pool(4) as workers:
        created = workers.map(new_id, [IdPrefix.EVENT] * 4000, chunksize=10)
    assert len(set(created)) == len(created)


@given(prefix=PREFIXES, suffix=st.text("0123456789abcdefghijklmnopqrstuvwxyz", min_size=25, max_size=27))
@example(prefix=IdPrefix.PROJECT, suffix="7" + 25 * "z")
@example(prefix=IdPrefix.PROJECT, suffix="8" + 25 * "0")
@example(prefix=IdPrefix.PROJECT, suffix=26 * "0")
def test_suffix_is_valid_exactly_when_library_accepts_it(prefix: IdPrefix, suffix: str) -> None:
    text = f"{prefix}_{suffix}"
    assert is_id(prefix, text) == is_type_id(prefix, text)


@given(prefix=PREFIXES, at=st.integers(0, 40), replacement=st.characters())
@example(prefix=IdPrefix.FLOW, at=31, replacement="\n")
def test_changed_id_is_valid_exactly_when_library_accepts_it(prefix: IdPrefix, at: int, replacement: str) -> None:
    original = new_id(prefix)
    text = original[:at] + replacement + original[at + 1 :]
    assert is_id(prefix, text) == is_type_id(prefix, text)


@pytest.mark.parametrize("prefix", KeyPrefix)
def test_request_id_that_looks_like_a_key_is_replaced(prefix: KeyPrefix) -> None:
    key = generate_key(prefix)
    assert not any(map(is_safe_request_id, (key, f"req-{key}", prefix.value + "x")))


@pytest.mark.parametrize("text", ["eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl", "eyJhbGciOiJub25lIn0.e30."])
def test_request_id_that_looks_like_a_jwt_is_replaced(text: str) -> None:
    assert not is_safe_request_id(text)
