"""Examples of requests, each of which its operation accepts; a test holds them to the models that serve."""

from typing import Any, Final

from tools.openapi.components import Json

_PROJECT, _FLOW = "proj_01h455vb4pex5vsknk084sn02q", "flow_01h455vb4pex5vsknk084sn02q"
_SCREEN: Json = {"type": "welcome", "name": "Hello", "content": {"title": "Welcome aboard"}, "settings": {}}
_TARGETING: Json = {
    "percentage": 50,
    "conditions": [{"attribute": "appVersion", "operator": "semver_gte", "value": "2.1.0"}],
}

#: By operation id.
BODY_EXAMPLES: Final[dict[str, Any]] = {}
