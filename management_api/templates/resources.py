"""The resources /flow-templates and /theme-templates."""

import falcon

from management_api.http.responses import Pagination, respond
from management_api.http.routing import endpoint
from management_api.templates.catalogue import flow_templates, page_of, theme_templates
from management_api.templates.schemas import (
    FlowTemplateListQuery,
    FlowTemplateView,
    ThemeTemplateListQuery,
    ThemeTemplateView,
)


class FlowTemplateCollection:
    """GET /flow-templates."""

    @endpoint("list_flow_templates", list[FlowTemplateView])
    def on_get(self, _request: falcon.Request, response: falcon.Response, query: FlowTemplateListQuery) -> None:
        """List the built-in flow templates.

        A template is a whole flow with a theme: create its `theme`, and then a flow from its `document` with that
        `theme_id`. Sorted by a time, templates are in the order of their ids.
        """
        found = [each for each in flow_templates() if query.category is None or each.category is query.category]
        page = query.page_request()
        templates = [FlowTemplateView.model_validate(template) for template in page_of(found, page)]
        respond(response, templates, pagination=Pagination.for_page(page, len(found)))


class ThemeTemplateCollection:
    """GET /theme-templates."""

    @endpoint("list_theme_templates", list[ThemeTemplateView])
    def on_get(self, _request: falcon.Request, response: falcon.Response, query: ThemeTemplateListQuery) -> None:
        """List the built-in theme templates. Sorted by a time, they are in the order of their ids."""
        page = query.page_request()
        templates = [ThemeTemplateView.model_validate(template) for template in page_of(theme_templates(), page)]
        respond(response, templates, pagination=Pagination.for_page(page, len(theme_templates())))
