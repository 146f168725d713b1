"""How many phones a load has when."""

import pytest

from loadtests.mobile.shapes import SHAPES, phones_at


@pytest.mark.parametrize(
    ("shape", "phones"),
    [
        ("ramp", [1, 25, 50, 75, 99]),
        ("spike", [20, 20, 100, 20, 20]),
        ("soak", [1, 100, 100, 100, 100]),
    ],
)
def test_phones_follow_the_shape(shape: str, phones: list[int]) -> None:
    assert [phones_at(SHAPES[shape], seconds, 200, 100) for seconds in (0, 50, 100, 150, 198)] == phones


@pytest.mark.parametrize("shape", SHAPES)
def test_a_load_ends_when_its_time_is_over(shape: str) -> None:
    assert phones_at(SHAPES[shape], 200, 200, 100) is None
