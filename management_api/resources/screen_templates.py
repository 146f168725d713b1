"""The built-in screen templates."""

from collections.abc import Sequence

import falcon

from management_api.operations.screen_templates import ScreenTemplate, list_templates
from management_api.resources.declaration import answers
from management_api.resources.exchange import respond
from management_api.schemas.envelope import Pagination
from management_api.schemas.screen_templates import ScreenTemplateListQuery, ScreenTemplateView


class ScreenTemplateCollection:
    """GET /screen-templates."""

    def __init__(self, catalogue: Sequence[ScreenTemplate]) -> None:
        self._catalogue = catalogue

    @answers("list_screen_templates", list[ScreenTemplateView])
    def on_get(self, _request: falcon.Request, response: falcon.Response, query: ScreenTemplateListQuery) -> None:
        """List the built-in screen templates.

        A template is a starting point: copy its `type` and `default_content` into POST /screens. There is at least one
        for every type of screen, and all of them are as old as the release.
        """
        page = query.page_request()
        listed = list_templates(self._catalogue, query.type, query.category, page)
        templates = [ScreenTemplateView.model_validate(template) for template in listed.templates]
        respond(response, templates, pagination=Pagination.of(page, listed.total))
