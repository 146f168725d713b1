"""docs/reference/settings.md: the table of all settings."""

from collections.abc import Iterator

from cli.process_settings import READERS
from tools.generate_docs.settings_reference import SettingRow, setting_rows

_HEAD = """\
# Settings

Each process reads its settings from environment variables when it starts. `make generate` generates this page from the
code.

- A missing or wrong value stops the start, with one line for each mistake. `onboarding config check` reports mistakes
  before a start. `onboarding config show` prints the settings in effect.
- An unknown variable that begins with `ONBOARDING_` causes a warning.
- A **secret** can be read from a file: `ONBOARDING_MASTER_KEY_FILE=/run/secrets/master-key` names the file. A line
  break at its end is ignored. A secret with both variables set is an error.

Processes in bold require the setting. *Local stack* is `make run`, and `onboarding` commands that use its servers and
keys where the environment names none.

| Variable | Type | Default | Meaning | Processes |
|---|---|---|---|---|
"""


def settings_page() -> str:
    """Give the page."""
    return _HEAD + "".join(f"| {' | '.join(_cells(row))} |\n" for row in setting_rows())


def _cells(row: SettingRow) -> Iterator[str]:
    yield ", ".join(f"`{variable}`" for variable in row.variables)
    yield "**secret**" if row.is_secret else row.type
    yield _default(row)
    yield row.description.replace("|", "\\|")
    yield _processes(row)


def _default(row: SettingRow) -> str:
    if row.default:
        return f"`{row.default}`"
    if row.is_default_computed:
        return "see meaning"
    return "" if row.is_required else "none"


def _processes(row: SettingRow) -> str:
    if len(row.readers) == len(READERS):
        return "all"
    names = (_name(reader.process) for reader in row.readers)
    return ", ".join(
        f"**{name}**" if reader.default is None else name for name, reader in zip(names, row.readers, strict=True)
    )


def _name(process: str) -> str:
    return "local stack" if process == "local stack and chores" else process
