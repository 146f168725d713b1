"""The page docs/reference/templates.md, from the templates of the service."""

from management_api.templates.catalogue import flow_templates, theme_templates

_HEAD = """\
<!-- Generated from management_api/templates by `make generate`; do not edit. -->

# Templates

*New flow* and *New project* in the dashboard begin with a flow template. `GET /api/flow-templates` and
`GET /api/theme-templates` return all templates. A flow template has its own theme; a flow may take the theme of the
project in its place. `make screenshots` draws the pictures.

## Flows
"""
_TABLE = ("| | |", "|---|---|")


def templates_page() -> str:
    """Return the page."""
    lines = [_HEAD, *_TABLE]
    for template in sorted(flow_templates(), key=lambda template: (template.category, template.name)):
        screens = len(template.flow["screens"])
        facts = f"`{template.id}`, {template.category}, {screens} screens, theme {template.theme['name']}"
        picture = f"../figures/template-{template.id.replace('_', '-')}.webp"
        lines.append(_row(template.name, f"{facts}. {template.description}", picture))
    lines += ["\n## Themes\n\nThe same screens in each theme.\n", *_TABLE]
    lines += [
        _row(theme.name, theme.description, f"../figures/theme-{theme.id}.webp")
        for theme in sorted(theme_templates(), key=lambda template: template.name)
    ]
    return "\n".join(lines) + "\n"


def _row(name: str, text: str, picture: str) -> str:
    return f"| **{name}** {text} | ![Screens of {name}]({picture}) |"
