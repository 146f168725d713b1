"""Examples of requests, each of which its operation accepts; a test holds them to the models that serve."""

from typing import Any, Final

from tools.openapi.components import Json

_PROJECT, _FLOW = "proj_01h455vb4pex5vsknk084sn02q", "flow_01h455vb4pex5vsknk084sn02q"
_OTHER_FLOW = "flow_01h455vb4pex5vsknk084sn02r"
_THEME = "theme_01h455vb4pex5vsknk084sn02q"
_SCREEN: Json = {"type": "welcome", "name": "Hello", "content": {"title": "Welcome aboard"}, "settings": {}}
_TARGETING: Json = {
    "percentage": 50,
    "conditions": [{"attribute": "appVersion", "operator": "semver_gte", "value": "2.1.0"}],
}

#: By operation id.
BODY_EXAMPLES: Final[dict[str, Any]] = {
    "resolve_flow": {"deviceId": "device-1", "platform": "ios", "appVersion": "2.3.0", "attributes": {"plan": "pro"}},
    "track_event": {"eventType": "flow_started", "deviceId": "device-1", "flowId": _FLOW, "eventId": "e-1"},
    "track_events": {"events": [{"eventType": "screen_viewed", "deviceId": "device-1", "flowId": _FLOW}]},
    "create_project": {"name": "Sample app", "description": "An app", "platforms": ["ios", "android"]},
    "update_project": {"name": "Sample app", "settings": {"default_flow_id": _FLOW, "custom_domain": None}},
    "rotate_project_key": {"grace_period_seconds": 3600},
    "add_member": {"email": "bob@example.com", "role": "editor"},
    "update_member": {"role": "viewer"},
    "replace_qa_devices": {"devices": {"device-1": _FLOW}},
    "explain_resolution": {"deviceId": "device-1", "platform": "ios"},
    "duplicate_flow": {},
    "rotate_user_api_key": {},
    "create_flow": {
        "projectId": _PROJECT,
        "name": "Welcome",
        "status": "active",
        "targeting": _TARGETING,
        "screens": [_SCREEN],
    },
    "update_flow": {"status": "archived"},
    "order_screens": {"screen_ids": ["screen_01h455vb4pex5vsknk084sn02q"]},
    "create_screen": {"flowId": _FLOW, **_SCREEN, "order": 0},
    "update_screen": {"content": {"title": "Hello again"}},
    "create_theme": {"projectId": _PROJECT, "name": "Dark", "colors": {"primary": "#112233"}, "based_on": _THEME},
    "create_experiment": {
        "projectId": _PROJECT,
        "name": "Shorter",
        "hypothesis": "With fewer screens more users complete the flow",
        "audience": {"conditions": _TARGETING["conditions"]},
        "traffic_percentage": 50,
        "variants": [
            {"key": "control", "name": "As it is", "flow_id": _FLOW, "weight": 50, "is_control": True},
            {"key": "short", "name": "Shorter", "flow_id": _OTHER_FLOW, "weight": 50},
        ],
    },
    "update_experiment": {"traffic_percentage": 100},
    "start_experiment": {},
    "pause_experiment": {},
    "complete_experiment": {"winner": "short"},
    "update_theme": {"colors": {"primary": "#445566"}},
}
