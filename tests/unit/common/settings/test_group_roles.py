"""The setting that maps groups to roles."""

import json

import pytest

from common.settings.group_roles import MAX_PAIRS, parse_group_roles

PROJECT = "proj_01m8eww4ngeq98tykhs7bycdge"


def test_groups_with_any_name_give_roles_in_projects() -> None:
    roles = {"CN=Design, OU=App": {PROJECT: "editor"}, "empty": {}}
    assert parse_group_roles(json.dumps(roles)) == roles


@pytest.mark.parametrize(
    "roles",
    [
        "editors",
        [],
        {"designers": "editor"},
        {"designers": {"Sample app": "editor"}},
        {"designers": {PROJECT: "owner"}},
        {"designers": {PROJECT: ["editor"]}},
        {str(number): {PROJECT: "editor"} for number in range(MAX_PAIRS + 1)},
    ],
    ids=lambda roles: str(roles)[:40],
)
def test_other_mappings_are_refused_without_showing_them(roles: object) -> None:
    with pytest.raises(ValueError, match=r"^must ") as raised:
        parse_group_roles(json.dumps(roles) if roles != "editors" else "editors")
    assert "Sample app" not in str(raised.value)
