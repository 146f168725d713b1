"""The setting that maps groups of the identity provider to roles in projects."""

from typing import Any

import orjson

from common.ids import IdPrefix, is_id

#: The roles that a group can give. Owners are made by owners.
GROUP_ROLES = ("viewer", "editor", "admin")
MAX_PAIRS = 10_000


def parse_group_roles(text: str) -> dict[str, dict[str, str]]:
    """Return the role of each group in each project. Raises ValueError."""
    try:
        document: Any = orjson.loads(text)
    except orjson.JSONDecodeError:
        raise ValueError("must be JSON") from None
    if not isinstance(document, dict) or not all(isinstance(projects, dict) for projects in document.values()):
        raise ValueError('must be an object of groups, such as {"designers": {"proj_...": "editor"}}')
    pairs = [(project_id, role) for projects in document.values() for project_id, role in projects.items()]
    if len(pairs) > MAX_PAIRS:
        raise ValueError(f"must have at most {MAX_PAIRS} roles")
    for project_id, role in pairs:
        if not is_id(IdPrefix.PROJECT, project_id):
            raise ValueError("must name projects by their ids")
        if role not in GROUP_ROLES:
            raise ValueError(f"must give one of the roles {', '.join(GROUP_ROLES)}")
    return document
