"""docs/settings.md: the table of all settings."""

from collections.abc import Iterator

from deploy.configuration.processes import READERS
from deploy.configuration.setting_rows import SettingRow, setting_rows

_HEAD = """\
# Settings

Every process reads its settings from environment variables, once, when it starts. This page is made from the code by
`make settings`. A value that is missing or wrong stops the start with a line for each; `onboarding config check` tells
beforehand, and `onboarding config show` prints what is in effect. A variable that begins with `ONBOARDING_` and is none
of these is warned of.

Instead of a **secret**, the name of a file that holds it may be given, in the same variable with `_FILE` behind it:
`ONBOARDING_MASTER_KEY_FILE=/run/secrets/master-key`. A line break at the end of the file does not count. Both at once
are refused.

Bold processes do not start without the setting. *Local stack* stands for `make run` and for the chores of the command
`onboarding`, which find the local stack's servers and keys where nothing is set.

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
