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


def templates_page() -> str:
    """Return the page."""
    lines = [_HEAD]
    for template in sorted(flow_templates(), key=lambda template: (template.category, template.name)):
        screens = len(template.flow["screens"])
        picture = f"../figures/template-{template.id.replace('_', '-')}.webp"
        facts = f"`{template.id}`, {template.category}, {screens} screens, theme {template.theme['name']}."
        lines += [
            f"### {template.name}\n",
            f"{facts} {template.description}\n",
            f"![The screens of {template.name}]({picture})\n",
        ]
    lines += ["## Themes\n", "The same screens in each theme.\n"]
    for theme in sorted(theme_templates(), key=lambda template: template.name):
        lines += [
            f"### {theme.name}\n",
            f"{theme.description}\n",
            f"![Screens in the theme {theme.name}](../figures/theme-{theme.id}.webp)\n",
        ]
    return "\n".join(lines)
