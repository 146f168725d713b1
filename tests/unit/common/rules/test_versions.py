"""Versions of apps and systems, compared as semantic versions."""

import pytest

from common.rules.versions import parse_version


@pytest.mark.parametrize(("short", "full"), [("17", "17.0.0"), ("1.2", "1.2.0"), ("1.2.3-rc.1+7", "1.2.3-rc.1")])
def test_a_missing_number_counts_as_0_and_a_build_counts_for_nothing(short: str, full: str) -> None:
    one, other = parse_version(short), parse_version(full)
    assert one is not None
    assert other is not None
    assert not one < other
    assert not other < one


@pytest.mark.parametrize(
    "text", ["", "v1", "1.2.3.4", "1.2.x", "01.2.3", "\u0661.\u0662.\u0663", " 1.2.3", "1.2.3\n", "9" * 5_000]
)
def test_what_is_no_version_is_none(text: str) -> None:
    assert parse_version(text) is None
