"""What a stranger says of traces is kept only if it can be one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.telemetry.trace_context import is_sampled, sane_traceparent

_TRACE, _SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
_SANE = f"00-{_TRACE}-{_SPAN}-01"


def test_a_traceparent_is_kept_and_says_whether_its_trace_is() -> None:
    assert sane_traceparent([_SANE]) == _SANE
    assert is_sampled(_SANE)
    assert not is_sampled(f"00-{_TRACE}-{_SPAN}-00")


@pytest.mark.parametrize(
    "values",
    [
        [],
        [_SANE, _SANE],
        [""],
        [f"{_SANE}\n"],
        [f"{_SANE}-more"],
        [_SANE.upper()],
        [f"01-{_TRACE}-{_SPAN}-01"],
        [f"ff-{_TRACE}-{_SPAN}-01"],
        [f"00-{'0' * 32}-{_SPAN}-01"],
        [f"00-{_TRACE}-{'0' * 16}-01"],
        ["0" * 100_000],
    ],
)
def test_anything_else_is_none(values: list[str]) -> None:
    assert sane_traceparent(values) is None


@given(st.text(max_size=80))
def test_no_text_is_too_odd(text: str) -> None:
    assert sane_traceparent([text]) in (None, text)
