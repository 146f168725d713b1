"""A stack that several tests hurt, one after the other."""

from collections.abc import Iterator

import pytest

from tests.support.servers.local_stack import RunningStack


@pytest.fixture(scope="session")
def shared_stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStack]:
    """Give a stack that may be killed, stopped and started, as long as each test waits until it is well again."""
    with RunningStack(tmp_path_factory.mktemp("stack")) as stack:
        yield stack
