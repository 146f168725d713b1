"""Numbers and the words that go with them."""

import pytest

from cli.plural import counted


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0 events wait"), (1, "1 event waits"), (2, "2 events wait"), (1200, "1,200 events wait")]
)
def test_one_is_said_otherwise_than_none_and_many(number: int, said: str) -> None:
    assert counted(number, "event waits", "events wait") == said
