"""An app with the TypeScript SDK while its edge is killed."""

from pathlib import Path

import pytest

from tests.e2e.api_clients import Dashboard
from tests.e2e.typescript_sdk import Device, SdkProject
from tests.faults.conftest import KillableStack
from tests.support.polling import eventually
from tools import sdk

pytestmark = pytest.mark.slow


def test_events_of_an_app_under_kills_of_the_edge_are_counted_once(
    killable_stack: KillableStack, dashboard: Dashboard, tmp_path: Path
) -> None:
    sdk.build()
    stack, project = killable_stack.stack, SdkProject(dashboard)
    options = {"baseUrl": stack.edge_url, "projectId": project.id, "secretKey": project.key}
    with Device({**options, "file": str(tmp_path / "state")}) as app:
        eventually(lambda: app.call("resolve")["flowId"] == project.flow)
        app.call("track", ["opened", 200])
        stack.kill("edge")
        app.call("flush")
        assert app.call("resolve")["flowId"] == project.flow
        app.call("track", ["opened", 100])

        def are_all_counted() -> bool:
            app.call("flush")
            return project.counts() == {"opened": 300}

        eventually(are_all_counted)
        eventually(lambda: app.call("resolve")["origin"] == "network")
