"""The built-in screen templates: at least one for every type of screen (contract, section 3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any

from common.wire.public_responses import ScreenType
from management_api.templates.catalogue import read_templates


class TemplateCategory(StrEnum):
    """The purpose of a template."""

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


def matching_templates(
    catalogue: Sequence[ScreenTemplate], kind: ScreenType | None, category: TemplateCategory | None
) -> Sequence[ScreenTemplate]:
    """Return the templates of a type and of a category; None leaves a filter out."""
    return [
        template
        for template in catalogue
        if (kind is None or template.type is kind) and (category is None or template.category is category)
    ]


@cache
def screen_templates() -> tuple[ScreenTemplate, ...]:
    """Return the templates of management_api/templates/screens.yaml."""
    return tuple(
        ScreenTemplate(
            template_id,
            ScreenType(template["type"]),
            template["name"],
            TemplateCategory(template["category"]),
            template["default_content"],
        )
        for template_id, template in read_templates("screens.yaml").items()
    )
