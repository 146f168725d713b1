"""Output of commands."""

import pytest

from cli.console import plural


@pytest.mark.parametrize(
    ("count", "text"), [(0, "0 events wait"), (1, "1 event waits"), (2, "2 events wait"), (1200, "1,200 events wait")]
)
def test_plural_takes_the_singular_for_one_only(count: int, text: str) -> None:
    assert plural(count, "event waits", "events wait") == text


def test_plural_ends_in_s_by_default() -> None:
    assert [plural(count, "project") for count in (1, 2)] == ["1 project", "2 projects"]
