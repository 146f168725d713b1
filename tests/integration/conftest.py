"""A stack that several tests share."""

from collections.abc import Iterator

import pytest

from tests.support.servers.local_stack import RunningStack


@pytest.fixture(scope="session")
def shared_stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStack]:
    """Return a stack that tests may kill, stop and start, if each waits until it is ready again."""
    with RunningStack(tmp_path_factory.mktemp("stack")) as stack:
        yield stack
