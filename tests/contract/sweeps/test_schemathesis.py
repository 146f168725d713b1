"""schemathesis sends both services what their document allows and forbids; all checks pass."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import orjson
import pytest
import redis

from tests.contract.route_examples import seed
from tests.integration.edge_api.running_edge import edge_settings, running_edge
from tests.support.clients.management import Management
from tests.support.data.pages import ASSETS, a_page, preview_of, publish_assets, ticket_of
from tests.support.data.snapshots import SECRET_KEY, a_snapshot, publish
from tests.support.openapi.document import committed_bytes, part_of
from tests.support.polling import eventually
from tests.support.servers.wsgi_server import running_wsgi
from tests.support.soak import soak_setting

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
#: The variable by which the hooks get the distance between two requests at the bounds of the document.
COVERAGE_APART = "SCHEMATHESIS_COVERAGE_APART"
ENVIRONMENT = {
    "SCHEMATHESIS_HOOKS": "tests.contract.sweeps.schemathesis_hooks",
    "PYTHONPATH": str(ROOT),
    "NO_PROXY": "127.0.0.1",
}


#: Invented requests of each operation, and which nth of the requests at the bounds is sent; `make soak` tries more.
EXAMPLES = soak_setting("EXAMPLES", 2, 25)
APART = soak_setting("COVERAGE_APART", 16, 1)

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600 + 60 * EXAMPLES)]


def let_schemathesis_try(
    folder: Path,
    url: str,
    document: dict[str, Any],
    headers: dict[str, str],
    known_ids: dict[str, list[str]] | None = None,
) -> None:
    """Run schemathesis against a service. Fail with its report when a check does not hold.

    Half of the parameters with these names are `known_ids`, so that requests reach existing resources.
    """
    known_ids = known_ids or {}
    file, config = folder / "openapi.json", folder / "schemathesis.toml"
    file.write_text(json.dumps(document))
    dictionaries = [f"[dictionaries.{name}]\nvalues = {json.dumps(ids)}" for name, ids in known_ids.items()]
    bindings = [f'{name} = {{ dictionary = "{name}", probability = 0.5 }}' for name in known_ids]
    parts = [(HERE / "schemathesis.toml").read_text(), *dictionaries, "[parameters]", *bindings]
    config.write_text("\n".join(parts))
    program = str(Path(sys.executable).with_name("st"))
    sent = [part for name, value in headers.items() for part in ("--header", f"{name}: {value}")]
    limited = ("--phases", "examples,coverage,fuzzing,stateful", "--max-examples", str(EXAMPLES))
    ended = subprocess.run(  # noqa: S603 - a tool of ours
        [program, "--no-color", "--config-file", str(config), "run", str(file), "--url", url, *limited, *sent],
        cwd=folder,
        env={**os.environ, **ENVIRONMENT, COVERAGE_APART: str(APART)},
        capture_output=True,
        text=True,
        check=False,
    )
    if ended.returncode != 0:
        pytest.fail(ended.stdout + ended.stderr, pytrace=False)


@pytest.fixture
def document() -> dict[str, Any]:
    read: dict[str, Any] = orjson.loads(committed_bytes())
    return read


def test_management_passes_schemathesis(management: Management, document: dict[str, Any], tmp_path: Path) -> None:
    alice = management.user()
    # Some of them are deleted on the way.
    seeded = [vars(seed(management, alice)) for _ in range(10 * EXAMPLES)]
    known_ids = {name: [ids[name] for ids in seeded] for name in ("project_id", "flow_id", "screen_id", "theme_id")}
    known_ids |= {"projectId": known_ids["project_id"], "flowId": known_ids["flow_id"]}
    with running_wsgi(management.app) as url:
        let_schemathesis_try(tmp_path, url, part_of(document, sdk=False), alice.headers, known_ids)


def test_edge_passes_schemathesis(redis_url: str, document: dict[str, Any], tmp_path: Path) -> None:
    snapshot = a_snapshot(pages=(a_page(), a_page(draft=True, preview=True)))
    with redis.Redis.from_url(redis_url) as client:
        publish(client, snapshot)
        publish_assets(client)
    credentials = {"X-Project-Id": snapshot.project_id, "X-Secret-Key": SECRET_KEY}
    known_ids = {
        "ticket": [ticket_of(snapshot), preview_of(snapshot)],
        "projectId": [snapshot.project_id],
        "apiKey": [SECRET_KEY],
        "flow_id": ["flow_default"],
        "number": ["1"],
        "asset": list(ASSETS),
    }
    with running_edge(edge_settings(redis_url)) as edge:
        eventually(lambda: edge.get("/onboarding/preview").status_code == 200)
        let_schemathesis_try(tmp_path, str(edge.base_url), part_of(document, sdk=True), credentials, known_ids)
