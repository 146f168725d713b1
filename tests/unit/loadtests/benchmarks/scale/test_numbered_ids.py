"""The ids of projects that are made by the hundred thousand."""

import pytest

from common.ids import IdPrefix, is_id
from loadtests.benchmarks.scale.numbered_ids import numbered_id


@pytest.mark.parametrize("number", [0, 1, 31, 32, 100_000, 10**12])
def test_numbered_ids_are_ids_of_ours(number: int) -> None:
    assert is_id(IdPrefix.PROJECT, numbered_id("proj", number))


def test_numbered_ids_sort_like_their_numbers() -> None:
    ids = [numbered_id("flow", number) for number in range(0, 100_000, 777)]
    assert ids == sorted(set(ids))
