"""Screen templates as the interface asks for and shows them (contract, section 3)."""

from typing import Annotated, Any

from management_api.operations.screen_templates import TemplateCategory
from management_api.schemas.envelope import ResponseModel
from management_api.schemas.page_query import PageQuery
from management_api.schemas.screens import Kind
from management_api.schemas.values import one_of


class ScreenTemplateListQuery(PageQuery):
    """GET /screen-templates."""

    type: Kind | None = None
    category: Annotated[TemplateCategory, one_of(TemplateCategory)] | None = None


class ScreenTemplateView(ResponseModel):
    """A template as it is shown."""

    id: str
    type: str
    name: str
    category: str
    default_content: dict[str, Any]
