"""The ids in paths."""

from common.ids import IdPrefix
from tools.openapi.json_types import Json

_EXAMPLE_SUFFIX = "01h455vb4pex5vsknk084sn02q"
_PREFIX_OF = {
    "project_id": IdPrefix.PROJECT,
    "flow_id": IdPrefix.FLOW,
    "screen_id": IdPrefix.SCREEN,
    "theme_id": IdPrefix.THEME,
    "user_id": IdPrefix.USER,
    "experiment_id": IdPrefix.EXPERIMENT,
}
_OTHERS: dict[str, Json] = {
    "device_id": {
        "description": "The device's own id, percent-encoded.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 256},
        "example": "device-1",
    },
    "asset": {"description": "The name of a file of the documentation page.", "schema": {"type": "string"}},
}


def path_parameter(name: str) -> Json:
    """Describe a parameter of a path; a name that nobody has described stops the making of the document."""
    common = {"name": name, "in": "path", "required": True}
    if name in _OTHERS:
        return {**common, **_OTHERS[name]}
    example = f"{_PREFIX_OF[name].value}_{_EXAMPLE_SUFFIX}"
    return {
        **common,
        "description": "An id; a malformed one is treated as one that does not exist.",
        "schema": {"type": "string", "minLength": 1},
        "example": example,
    }
