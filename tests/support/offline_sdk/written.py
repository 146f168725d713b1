"""Sequences for SDKs, without their results: what is given, and what is done.

Replies stay until another one is given. A reply is None while the device is offline.
"""

from typing import Any

Json = dict[str, Any]

DEVICE = "device-0001"
_TEXT = "<html>Sign in to the network</html>"


def _screens(*types: str) -> list[Json]:
    return [{"id": f"screen_{place}", "type": name, "content": {}, "settings": {}} for place, name in enumerate(types)]


def _flow(flow_id: str, *types: str) -> Json:
    return {"id": flow_id, "name": flow_id, "theme": None, "screens": _screens(*(types or ("welcome",)))}


def resolution(
    flow_id: str = "flow_1",
    version: int = 1,
    variant: str = "",
    source: str = "default",
    types: tuple[str, ...] = (),
) -> Json:
    """Return the reply of a resolve: the default flow, or that of a variant of exp_1."""
    assignment: Json = {"source": source, "experimentId": None, "variant": None, "token": None}
    if variant:
        assignment = {"source": "experiment", "experimentId": "exp_1", "variant": variant, "token": f"token_{version}"}
    body = {"flowId": flow_id, "projectId": "proj_1", "flow": _flow(flow_id, *types)}
    return {"status": 200, "body": {**body, "assignment": assignment, "configVersion": version}}


def configuration(version: int, *flows: Json, experiments: tuple[Json, ...] = (), etag: str = "") -> Json:
    """Return the reply of a configuration."""
    settings = {"platforms": ["ios"], "defaultFlowId": None, "analyticsEnabled": True, "customDomain": None}
    body = {"projectId": "proj_1", "name": "App", "settings": settings, "themes": [], "configVersion": version}
    return {
        "status": 200,
        "body": {**body, "flows": list(flows), "experiments": list(experiments)},
        "headers": {"ETag": etag or f'"{version}"'},
    }


def configured(flow_id: str, *conditions: Json, **changes: Any) -> Json:  # noqa: ANN401 - JSON
    """Return an active flow of a configuration."""
    members = {"status": "active", "isDefault": False, "priority": 1, "themeId": None}
    targeting = {"percentage": 100, "conditions": list(conditions)}
    return {**_flow(flow_id), **members, "targeting": targeting, "createdAt": "2026-11-28T00:00:00Z", **changes}


def experiment(split: int, salt: int = 1) -> Json:
    """Return a running experiment whose first variant has the buckets below `split`."""
    ranges = {"a": [[0, split]], "b": [[split, 10_000]]}
    variants = [
        {"key": key, "name": key, "flowId": f"flow_{key}", "isControl": key == "a", "weight": 50, "ranges": ranges[key]}
        for key in ("a", "b")
    ]
    return {
        "id": "exp_1",
        "name": "Test",
        "status": "running",
        "startedAt": "2026-11-28T00:00:00Z",
        "audience": {"conditions": []},
        "trafficPercentage": 100,
        "trafficSalt": f"exp_1:traffic:{salt}",
        "variantSalt": f"exp_1:variant:{salt}",
        "primaryEvent": "flow_completed",
        "variants": variants,
    }


def error(status: int, code: str, **headers: str) -> Json:
    """Return an error of the service."""
    body = {"success": False, "error": "An error", "code": code, "details": []}
    return {"status": status, "body": body, "headers": {name.replace("_", "-"): text for name, text in headers.items()}}


def given(**replies: Json | None) -> Json:
    """Return a step that sets replies: of `resolve`, `config` and `events`."""
    return {"given": replies}


def do(**actions: Any) -> Json:  # noqa: ANN401 - JSON
    """Return a step that does one thing."""
    return {"do": actions}


_FLOW_ENDS = ("flow_a", "flow_b")
_VARIANTS = tuple(configured(flow_id, status="draft") for flow_id in _FLOW_ENDS)
_RESOLVE, _FLUSH, _RESTART, _CONFIGURE = do(resolve={}), do(flush=True), do(restart=True), do(configure=True)
_UNKNOWN_OPERATOR = {"attribute": "locale", "operator": "sounds_like", "value": "pt"}
_UNKNOWN_ATTRIBUTE = {"attribute": "moon.phase", "operator": "neq", "value": "full"}
_ACCEPT = {"status": 200, "accepts": True}
_NONE = error(404, "INVALID_FLOW")
_UNAUTHORIZED = error(401, "UNAUTHORIZED")

SEQUENCES: dict[str, list[Json]] = {
    "the last good flow stays while the device is offline, after a restart too": [
        given(resolve=resolution("flow_1")), _RESOLVE, given(resolve=None), _RESOLVE, _RESTART, _RESOLVE,
    ],
    "a portal, half an answer, garbage and errors are no answers": [
        given(resolve=resolution("flow_1")), _RESOLVE,
        given(resolve={"status": 200, "text": _TEXT}), _RESOLVE,
        given(resolve={"status": 200, "text": '{"flowId":"flow_2","flow":{"id":"flow_2","scre'}), _RESOLVE,
        given(resolve={"status": 200, "body": {"flowId": "flow_2", "flow": {"id": "flow_2"}}}), _RESOLVE,
        given(resolve={"status": 404, "text": "Not Found"}), _RESOLVE,
        given(resolve=_UNAUTHORIZED), _RESOLVE,
        given(resolve=error(500, "INTERNAL_ERROR")), _RESOLVE,
    ],
    "no flow is an answer, and stays": [
        given(resolve=resolution("flow_1")), _RESOLVE, given(resolve=_NONE), _RESOLVE, given(resolve=None), _RESOLVE,
    ],
    "without an answer the kept configuration decides": [
        given(config=configuration(2, configured("flow_1", isDefault=True))), _CONFIGURE, _RESOLVE, _RESTART, _RESOLVE,
    ],
    "without a configuration the bundled one decides, and then none": [
        _RESOLVE, {"do": {"restart": True, "bundled": configuration(1, configured("flow_9"))["body"]}}, _RESOLVE,
    ],
    "a lower version of the configuration is ignored, and its ETag": [
        given(config=configuration(5, configured("flow_5"))), _CONFIGURE,
        do(**{"pass": 61}), given(config=configuration(4, configured("flow_4"))), _CONFIGURE, _RESOLVE,
        do(**{"pass": 61}), given(config={"status": 304}), _CONFIGURE,
        do(**{"pass": 61}), given(config=configuration(5, configured("flow_6"), etag='"5b"')), _CONFIGURE, _RESOLVE,
    ],
    "a configuration is fetched once a minute": [
        given(config=configuration(1, configured("flow_1"))), _CONFIGURE, _CONFIGURE, do(**{"pass": 61}), _CONFIGURE,
    ],
    "a resolve with a higher version fetches the configuration": [
        given(resolve=resolution("flow_1", 1), config=configuration(1, configured("flow_1"))), _RESOLVE, _RESOLVE,
        do(**{"pass": 61}), given(resolve=resolution("flow_1", 3), config=configuration(3, configured("flow_1"))),
        _RESOLVE,
    ],
    "a configuration that is none changes nothing": [
        given(config={"status": 200, "body": {"configVersion": 9, "flows": "none"}}), _CONFIGURE, _RESOLVE,
        do(**{"pass": 61}), given(config={"status": 200, "text": _TEXT}), _CONFIGURE, _RESOLVE,
    ],
    "the newest token is sent, and kept through an override and a foreign platform": [
        given(resolve=resolution("flow_a", 1, "a")), _RESOLVE,
        given(resolve=resolution("flow_a", 2, "a")), _RESOLVE,
        given(resolve=resolution("flow_qa", 2, source="override")), _RESOLVE,
        given(resolve=_NONE), _RESOLVE, _RESTART, given(resolve=None), _RESOLVE,
    ],
    "the flow of an override stays while the device is offline": [
        given(resolve=resolution("flow_qa", source="override")), _RESOLVE, given(resolve=None), _RESOLVE,
    ],
    "a variant that was entered offline stays when the weights change, until the assignments are reset": [
        given(config=configuration(1, *_VARIANTS, experiments=(experiment(10_000),))), _CONFIGURE, _RESOLVE,
        do(**{"pass": 61}), given(config=configuration(2, *_VARIANTS, experiments=(experiment(0),))), _CONFIGURE,
        _RESOLVE, _RESTART, _RESOLVE,
        do(**{"pass": 61}), given(config=configuration(3, *_VARIANTS, experiments=(experiment(0, 2),))), _CONFIGURE,
        _RESOLVE,
    ],
    "a condition with an unknown operator or attribute fails": [
        given(config=configuration(1, configured("flow_1", _UNKNOWN_OPERATOR), configured("flow_2"))), _CONFIGURE,
        do(resolve={"locale": "pt"}), do(**{"pass": 61}),
        given(config=configuration(2, configured("flow_1", _UNKNOWN_ATTRIBUTE), configured("flow_2"))), _CONFIGURE,
        do(resolve={"locale": "pt"}),
    ],
    "conditions read the attributes of the call": [
        given(config=configuration(
            1, configured("flow_pro", {"attribute": "attributes.plan", "operator": "eq", "value": "pro"})
        )),
        _CONFIGURE, _RESOLVE, do(resolve={"attributes": {"plan": "pro"}}),
        do(resolve={"platform": "android", "attributes": {"plan": "pro"}}),
    ],
    "a flow with a screen of an unknown type is shown": [
        given(resolve=resolution(types=("welcome", "hologram"))),
        _RESOLVE,
    ],
    "a resolve waits for Retry-After, and the stored flow is shown": [
        given(resolve=resolution()), _RESOLVE,
        given(resolve=error(429, "RATE_LIMITED", Retry_After="30")), _RESOLVE, _RESOLVE,
        do(**{"pass": 31}), given(resolve=resolution("flow_2")), _RESOLVE,
    ],
    "events go in batches of 50": [given(events=_ACCEPT), do(track="opened", count=120), _FLUSH],
    "events wait while the device is offline, and over a restart": [
        do(track="opened", count=3), _FLUSH, _RESTART, given(events=_ACCEPT), _FLUSH, _FLUSH,
    ],
    "a portal with status 200 delivers nothing": [
        do(track="opened", count=2), given(events={"status": 200, "text": _TEXT}), _FLUSH,
        do(**{"pass": 5}), given(events={"status": 200, "body": {"ok": True}}), _FLUSH,
        given(events={"status": 200, "body": {"success": True, "results": []}}), do(**{"pass": 60}),
    ],
    "413 halves batches until each event is alone": [
        do(track="opened", count=5), given(events=error(413, "PAYLOAD_TOO_LARGE")), _FLUSH,
    ],
    "413 of a proxy halves, too": [do(track="opened", count=2), given(events={"status": 413, "text": _TEXT}), _FLUSH],
    "401 keeps events": [
        do(track="opened", count=2), given(events=_UNAUTHORIZED), _FLUSH, given(events=_ACCEPT), _RESTART, _FLUSH,
    ],
    "404 drops events, and a portal's 404 keeps them": [
        do(track="opened", count=2), given(events={"status": 404, "text": "Not Found"}), _FLUSH, _RESTART,
        given(events=error(404, "NOT_FOUND")), _FLUSH,
    ],
    "408, 429, 500, 502 and 503 keep events": [
        do(track="opened"),
        *(
            step
            for status in (408, 429, 500, 502, 503)
            for step in (given(events=error(status, "UNAVAILABLE")), _FLUSH, _RESTART)
        ),
    ],
    "events wait for Retry-After": [
        do(track="opened"), given(events=error(503, "UNAVAILABLE", Retry_After="60")), _FLUSH, _FLUSH,
        do(**{"pass": 59}), given(events=_ACCEPT), do(**{"pass": 40}),
    ],
    "the oldest events of the app make room, never starts and ends of flows": [
        do(track="flow_started", count=400), do(track="app_event", count=300), do(track="screen_viewed", count=250),
        do(track="flow_completed", count=150),
    ],
}  # fmt: skip
