"""Every form of a theme has the columns of its table, so a new member is forgotten nowhere."""

import msgspec

from cli.flows.files import theme_members
from common.wire.public_responses import PublicTheme
from management_api.db.models.flows import Theme
from management_api.themes.schemas import ThemeCreateBody, ThemeUpdateBody, ThemeView
from tools.generate_docs.contents_page import contents_page

COLUMNS = set(Theme.__table__.columns.keys())
#: Columns that no user changes.
PLACE = {"id", "project_id", "created_at", "updated_at"}
#: Columns that devices do not see.
INTERNAL = {"name", "description", "is_default"}
STYLE = COLUMNS - PLACE - INTERNAL
#: The interface writes these columns in another way.
SPELLINGS = {"border_radius": "borderRadius"}


def spelled(columns: set[str]) -> set[str]:
    """Return the names that members of bodies have for these columns."""
    return {SPELLINGS.get(name, name) for name in columns}


def test_theme_has_its_columns_in_every_form() -> None:
    assert set(Theme.style_columns) == STYLE
    assert set(Theme.audited.columns) == COLUMNS - PLACE
    assert ThemeUpdateBody.model_fields.keys() == spelled(COLUMNS - PLACE)
    assert ThemeCreateBody.model_fields.keys() == spelled(COLUMNS - PLACE) | {"project_id", "based_on"}
    assert ThemeView.model_fields.keys() == COLUMNS
    assert set(PublicTheme.__struct_fields__) == STYLE | {"id", "name"}
    assert {field.encode_name for field in msgspec.structs.fields(PublicTheme)} == spelled(STYLE) | {"id", "name"}
    assert theme_members({name: {} for name in spelled(COLUMNS)}).keys() == spelled(COLUMNS - PLACE)


def test_reference_describes_each_member_of_a_theme() -> None:
    missing = [name for name in sorted(spelled(STYLE)) if f"`{name}`" not in contents_page()]
    assert missing == []
