"""Projects with different numbers of rules, made through the management service."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from loadtests.benchmarks.edge.cases import CLIENTS, Case
from loadtests.benchmarks.edge.programs import Stack, call

EXPERIMENTS = 20
FLOWS = 50
_COUNTRIES = ("BR", "PT", "DE", "FR", "US", "GB", "IN", "JP", "MX", "ES", "IT", "NL", "PL", "SE", "TR", "ZA")
_LOCALES = ("pt-BR", "pt-PT", "de-DE", "fr-FR", "en-US", "en-GB", "hi-IN", "ja-JP", "es-MX", "es-ES")
_VERSIONS = ("4.2.0", "4.1.3", "4.1.0", "4.0.2", "3.9.9", "3.8.0")
_PATH = "/api/onboarding/resolve"


@dataclass(frozen=True, slots=True)
class Rules:
    """The conditions and percentages of the experiments and targeted flows of a project, by turns."""

    name: str
    audiences: Sequence[tuple[list[dict[str, Any]], float]] = ()


def _is(attribute: str, operator: str, value: object) -> dict[str, Any]:
    return {"attribute": attribute, "operator": operator, "value": value}


NO_RULES = Rules("one default flow")
#: Each device is in the audience of some rules and in the percentage of a few, so all sources of flows occur.
USUAL = Rules(
    "audiences",
    [
        ([_is("country", "in", ["BR", "MX"]), _is("appVersion", "semver_gte", "4.2.0")], 10),
        ([_is("locale", "in", ["de", "fr", "it"]), _is("platform", "eq", "ios")], 5),
        ([_is("appVersion", "semver_lt", "4.0.0"), _is("country", "neq", "US")], 20),
        ([_is("platform", "eq", "android")], 50),
        ([_is("country", "eq", "JP"), _is("osVersion", "semver_gte", "17")], 25),
        ([_is("locale", "eq", "en"), _is("country", "not_in", ["US", "GB"])], 5),
        ([_is("appVersion", "starts_with", "4.1")], 1),
    ],
)
#: All conditions fail.
NO_MATCH = Rules("audiences without devices", [([_is("appVersion", "semver_gte", "9.0.0")], 100)])
#: Without conditions every rule has to hash the id of the device, and admits one in 10,000.
ALL_HASHED = Rules("no audiences, percentages of 0.01", [([], 0.01)])


def create_case(stack: Stack, rules: Rules) -> Case:
    """Create a project with these rules, and return the resolves of its devices."""
    project_id = _create(stack, "/api/projects", {"name": rules.name})
    default = _flow(project_id, "Default")
    _create(stack, "/api/flows", {**default, "status": "active", "is_default": True})
    for number in range(FLOWS if rules.audiences else 0):
        conditions, percentage = rules.audiences[number % len(rules.audiences)]
        targeting = {"percentage": percentage, "conditions": conditions}
        flow = {**_flow(project_id, f"Flow {number}"), "status": "active", "priority": number, "targeting": targeting}
        _create(stack, "/api/flows", flow)
    if rules.audiences:
        _add_experiments(stack, project_id, rules)
    path = f"/api/projects/{project_id}/api-keys"
    keys = call(stack.management_port, stack.api_key, "GET", path)["data"]["secret_keys"]
    headers = {
        "Host": "127.0.0.1",
        "Content-Type": "application/json",
        "X-Project-Id": project_id,
        "X-Secret-Key": keys[0]["secret_key"],
    }
    return Case(rules.name, "POST", _PATH, headers, [_device(number) for number in range(CLIENTS)])


def _add_experiments(stack: Stack, project_id: str, rules: Rules) -> None:
    flows = [_create(stack, "/api/flows", _flow(project_id, name)) for name in ("A", "B")]
    variants = [
        {"key": key, "flow_id": flow_id, "weight": 50, "is_control": key == "a"}
        for key, flow_id in zip("ab", flows, strict=True)
    ]
    for number in range(EXPERIMENTS):
        conditions, percentage = rules.audiences[number % len(rules.audiences)]
        body = {
            "projectId": project_id,
            "name": f"Experiment {number}",
            "audience": {"conditions": conditions},
            "traffic_percentage": percentage,
            "variants": variants,
        }
        experiment_id = _create(stack, "/api/experiments", body)
        call(stack.management_port, stack.api_key, "POST", f"/api/experiments/{experiment_id}/start", {})


def _create(stack: Stack, path: str, body: object) -> str:
    created_id: str = call(stack.management_port, stack.api_key, "POST", path, body)["data"]["id"]
    return created_id


def _flow(project_id: str, name: str) -> dict[str, Any]:
    return {"projectId": project_id, "name": name, "screens": [{"type": "welcome", "content": {"title": "Hello"}}]}


def _device(number: int) -> str:
    return json.dumps(
        {
            "deviceId": f"device-{number:05}",
            "platform": ("ios", "android")[number % 2],
            "appVersion": _VERSIONS[number % len(_VERSIONS)],
            "osVersion": "17.5",
            "locale": _LOCALES[number % len(_LOCALES)],
            "country": _COUNTRIES[number % len(_COUNTRIES)],
        }
    )
