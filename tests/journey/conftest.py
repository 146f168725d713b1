"""One whole stack for all journeys of a worker."""

from collections.abc import Iterator

import pytest

from tests.stack import RunningStack


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStack]:
    """Give a running stack that journeys share: each makes a project of its own, none kills anything."""
    with RunningStack(tmp_path_factory.mktemp("stack")) as running:
        yield running
