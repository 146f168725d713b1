""".env.example: every setting, the required ones to be filled in, the others commented out at their defaults."""

import re
import textwrap

from deploy.configuration.setting_rows import SettingRow, setting_rows

_WIDTH = 118
_HEAD = """\
# All settings, made from the code by `make settings`; docs/settings.md says which process takes which.
# Copy it to `.env`, fill in what is not commented out, and check it: set -a; . ./.env; set +a; onboarding config check
# A secret may be in a file instead, which the same variable with _FILE behind it names.
"""


def example_environment() -> str:
    """Give the file: what is required first."""
    rows = setting_rows()
    required = (row for row in rows if row.is_required)
    others = (row for row in rows if not row.is_required)
    return "\n".join(
        (
            _HEAD,
            "# --- required ---\n",
            *(f"{_note(row)}\n{row.variables[0]}={_placeholder(row)}\n" for row in required),
            "# --- optional, at their defaults ---\n",
            *(f"{_note(row)}\n#{row.variables[0]}={row.default}\n" for row in others),
        )
    )


def _note(row: SettingRow) -> str:
    text = row.description
    if row.is_required and (making := _how_to_make(row)):
        text += f" Make it once with: {making}"
    return textwrap.fill(text, _WIDTH, initial_indent="# ", subsequent_indent="# ", break_on_hyphens=False)


def _placeholder(row: SettingRow) -> str:
    """Give what is to be replaced; what has to be made stays empty, which no process takes for a value."""
    return "" if _how_to_make(row) else row.example or ""


def _how_to_make(row: SettingRow) -> str | None:
    """Give the command that makes a value, where the example is one."""
    made = re.fullmatch(r"\$\((.+)\)", row.example or "")
    return made[1] if made else None
