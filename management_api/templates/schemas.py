"""Queries and responses of the templates of flows and themes."""

from typing import Annotated, Any

from pydantic import Field

from management_api.http.fields import one_of
from management_api.http.pagination import PageQuery
from management_api.http.responses import ResponseModel
from management_api.templates.catalogue import FlowCategory

_Theme = Annotated[dict[str, Any], Field(description="The body of POST /themes, without the project.")]


class FlowTemplateListQuery(PageQuery):
    """GET /flow-templates."""

    category: Annotated[FlowCategory, one_of(FlowCategory)] | None = None


class ThemeTemplateListQuery(PageQuery):
    """GET /theme-templates."""


class FlowTemplateView(ResponseModel):
    """A built-in flow template."""

    id: str
    name: str
    category: FlowCategory
    description: str
    document: dict[str, Any] = Field(
        description="The document of a draft, and the body of POST /flows without the project; its ids are always new."
    )
    theme: _Theme


class ThemeTemplateView(ResponseModel):
    """A built-in theme template."""

    id: str
    name: str
    description: str
    theme: _Theme
