"""Screen templates: which of the built-in starting points are shown, and in which order (contract, section 3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from operator import attrgetter
from typing import Any

from management_api.database.screens import ScreenType
from management_api.operations.paging import PageRequest


class TemplateCategory(StrEnum):
    """What a template is for."""

    ONBOARDING = "onboarding"
    PERMISSIONS = "permissions"
    ACCOUNT = "account"


@dataclass(frozen=True, slots=True)
class ScreenTemplate:
    """A starting point: its content is copied into a screen and edited there. The id never changes."""

    id: str
    type: ScreenType
    name: str
    category: TemplateCategory
    default_content: dict[str, Any]


@dataclass(frozen=True, slots=True)
class TemplatePage:
    """The templates of one page, and how many there are on all pages."""

    templates: Sequence[ScreenTemplate]
    total: int


def list_templates(
    catalogue: Sequence[ScreenTemplate],
    kind: ScreenType | None,
    category: TemplateCategory | None,
    page: PageRequest,
) -> TemplatePage:
    """Give a page of the templates; None leaves a filter out.

    Templates come with a release and not one after the other, so sorted by a moment they stand in the order of ids.
    """
    found = [
        template
        for template in catalogue
        if (kind is None or template.type is kind) and (category is None or template.category is category)
    ]
    if page.sort == "name":
        found.sort(key=lambda template: (template.name.casefold(), template.id), reverse=page.descending)
    else:
        found.sort(key=attrgetter("id"), reverse=page.descending)
    first = (page.number - 1) * page.limit
    return TemplatePage(found[first : first + page.limit], len(found))
