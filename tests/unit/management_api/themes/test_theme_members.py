"""Every form of a theme has the columns of its table, so a new member is forgotten nowhere."""

import json
from pathlib import Path
from typing import Any

import msgspec

from cli.flows.files import theme_members
from common.wire import public_responses
from common.wire.public_responses import PublicTheme
from management_api.db.models.flows import Theme
from management_api.themes.document import columns_of, document_of
from management_api.themes.looks import Looks
from management_api.themes.schemas import ThemeCreateBody, ThemeUpdateBody, ThemeView
from tools.generate_docs.contents_page import contents_page

#: Users neither see nor change the number of the live version.
COLUMNS = set(Theme.__table__.columns.keys()) - {"live_version"}
#: Columns that no user changes.
PLACE = {"id", "project_id", "created_at", "updated_at"}
#: Columns that devices do not see.
INTERNAL = {"name", "description", "is_default"}
LOOKS = Looks.model_fields.keys()
#: The interface writes one column in another way, and another column is several members.
MEMBERS = (COLUMNS - {"border_radius", "looks"}) | {"borderRadius"} | LOOKS
STYLE = MEMBERS - PLACE - INTERNAL


def test_theme_has_its_members_in_every_form() -> None:
    assert set(Theme.audited.columns) == COLUMNS - PLACE
    assert ThemeUpdateBody.model_fields.keys() == MEMBERS - PLACE
    assert ThemeCreateBody.model_fields.keys() == (MEMBERS - PLACE) | {"project_id", "based_on"}
    assert ThemeView.model_fields.keys() == MEMBERS | {"has_draft", "version"}
    assert {field.encode_name for field in msgspec.structs.fields(PublicTheme)} == STYLE | {"id", "name"}
    assert theme_members(dict.fromkeys(MEMBERS, "")).keys() == MEMBERS - PLACE
    document: dict[str, Any] = {name: {} for name in MEMBERS - PLACE}
    assert columns_of(document).keys() == COLUMNS - PLACE - {"is_default"}
    assert document_of(Theme(**columns_of(document))).keys() == MEMBERS - PLACE - {"is_default"}


def test_reference_describes_each_member_of_a_theme() -> None:
    described = json.loads(Path(public_responses.__file__).with_name("theme_members.json").read_text())
    assert described.keys() == STYLE
    missing = [name for name in sorted(STYLE) if f"`{name}`" not in contents_page()]
    assert missing == []
