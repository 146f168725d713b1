"""The project whose views are shown."""

import httpx
import pytest

from tests.browser.dashboard.views.sample_project import OWNER, SampleProject, create_sample_project
from tests.support.servers.local_stack import RunningStack


@pytest.fixture(scope="package")
def sample(stack: RunningStack) -> SampleProject:
    """Return a project with a part of everything."""
    headers = {"Authorization": f"Bearer {stack.token(OWNER)}"}
    with httpx.Client(base_url=f"{stack.management_url}/api", headers=headers, trust_env=False, timeout=60) as api:
        return create_sample_project(api, stack, users_a_day=2)
