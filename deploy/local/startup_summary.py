"""The output of a stack that is ready: `demo.json` for programs, and addresses, requests and the web SDK for people."""

import json
import time
from collections.abc import Mapping

from cli.demo.files import replace_file
from cli.demo.project import DemoProject
from deploy.local.settings import StackSettings
from deploy.local.state_folder import StateFolder


def write_demo_file(state: StateFolder, settings: StackSettings, demo: DemoProject, token: str) -> None:
    """Write `demo.json` (contract, section 6); it contains keys, so only the owner can read it."""
    content = {
        "edge_url": settings.edge_url,
        "management_url": settings.management_url,
        "api_key": demo.api_key,
        "jwt": token,
        "project_id": demo.project_id,
        "secret_key": demo.secret_key,
    }
    replace_file(state.demo_file, json.dumps(content, indent=2).encode() + b"\n")


def startup_summary(
    state: StateFolder,
    settings: StackSettings,
    demo: DemoProject,
    dashboard: str | None,
    page_url: str | None,
    metrics_urls: Mapping[str, str],
    started_at: float | None,
) -> str:
    """Return the text. `started_at` is in Unix seconds.

    `dashboard` is the line with the link to the dashboard, which comes last; None before it can be opened.
    """
    credentials = f"-H 'X-Project-Id: {demo.project_id}' -H 'X-Secret-Key: {demo.secret_key}'"
    device = '{"deviceId": "demo-device"}'
    event = '{"eventType": "flow_started", "deviceId": "demo-device"}'
    post = f"curl -X POST -H 'Content-Type: application/json' {credentials}"
    lines = [
        "",
        f"edge        {settings.edge_url}",
        f"management  {settings.management_url}",
        *([] if page_url is None else [f"page        {page_url}"]),
        f"keys        {state.demo_file}",
        *(f"metrics     {url} ({process})" for process, url in metrics_urls.items()),
        "",
        f"{post} -d '{device}' {settings.edge_url}/api/onboarding/resolve",
        "",
        f"curl {credentials} {settings.edge_url}/api/config",
        "",
        f"{post} -d '{event}' {settings.edge_url}/api/analytics/event",
        "",
        *_lines_of_sdk(settings, demo),
        "",
    ]
    if started_at is not None:
        lines.append(f"up after {max(0.0, time.time() - started_at):.0f} s")
    return "\n".join([*lines, "ready", *([] if dashboard is None else [dashboard])])


def _lines_of_sdk(settings: StackSettings, demo: DemoProject) -> list[str]:
    """Return the script that shows the demo flow in a browser."""
    options = {"baseUrl": settings.public_edge_url, "projectId": demo.project_id, "secretKey": demo.secret_key}
    return [
        "// The web SDK (docs/sdk.md); allow its origin: ONBOARDING_EDGE_CORS_ORIGINS=http://127.0.0.1:8000 make run",
        'import { createOnboarding } from "doorstep";',
        'import { showOnboarding } from "doorstep/web";',
        f"const onboarding = createOnboarding({json.dumps(options)});",
        "const { outcome, answers } = await showOnboarding(onboarding);",
        "console.log(outcome, answers);",
    ]
