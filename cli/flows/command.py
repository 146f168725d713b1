"""`onboarding flows`: the flows and themes of a project as files in a folder, over the management API."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from cli.console import plural, progress_bars
from cli.errors import FAILURE, UNAVAILABLE, CommandError, ServerUnavailableError
from common.errors import SettingsError
from common.settings.sources import read_settings

if TYPE_CHECKING:
    from cli.flows.client import ManagementClient
    from cli.flows.results import Applied

flow_commands = typer.Typer(
    name="flows",
    help="Flows and themes as files in a folder: configuration as code. The personal API key comes from"
    " ONBOARDING_API_KEY, or from the file that ONBOARDING_API_KEY_FILE names.",
    no_args_is_help=True,
)

_LOOPBACK = ("http://localhost", "http://127.", "http://[::1]")

FolderArgument = Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of the files.")]
ProjectOption = Annotated[str, typer.Option("--project", metavar="ID", help="The project.")]
UrlOption = Annotated[
    str | None,
    typer.Option("--url", help="The management service; by default ONBOARDING_MANAGEMENT_URL."),
]


@flow_commands.command()
def export(
    folder: FolderArgument,
    project: ProjectOption,
    *,
    url: UrlOption = None,
    file_format: Annotated[
        str | None, typer.Option("--format", help="yaml (default) or json; a folder keeps its format.")
    ] = None,
    flow: Annotated[
        list[str] | None, typer.Option("--flow", metavar="ID", help="Only this flow and its theme. May be repeated.")
    ] = None,
) -> None:
    """Write the flows and themes of a project into a folder. Files for the same things are replaced."""
    from cli.flows.export import export_project
    from cli.flows.text import Format

    if file_format not in {None, *Format}:
        raise SettingsError("--format: must be yaml or json")
    with _progress("reading the project") as progress, _errors_as_lines():
        exported = export_project(
            _client(url), project, folder, Format(file_format) if file_format else None, flow or (), progress
        )
    for path in exported.left:
        print(f"note: {path} stays, although the project has nothing for it")
    print(f"{plural(exported.flows, 'flow')} and {plural(exported.themes, 'theme')} written to {folder}.")


@flow_commands.command()
def apply(  # noqa: PLR0913 - a parameter for each option
    folder: FolderArgument,
    project: ProjectOption,
    *,
    url: UrlOption = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only print the changes.")] = False,
    draft: Annotated[bool, typer.Option("--draft", help="Save drafts instead of going live.")] = False,
    prune: Annotated[
        bool,
        typer.Option("--prune", help="Archive the flows and delete the unused themes that the folder lacks."),
    ] = False,
    flow: Annotated[
        list[str] | None, typer.Option("--flow", metavar="KEY", help="Only this flow and its theme. May be repeated.")
    ] = None,
    ignore_warnings: Annotated[
        bool, typer.Option("--ignore-warnings", help="Publish in spite of warnings, such as a low contrast.")
    ] = False,
    replace_drafts: Annotated[
        bool, typer.Option("--replace-drafts", help="Overwrite drafts that other users have saved.")
    ] = False,
    note: Annotated[str | None, typer.Option("--note", help="The note of the versions.")] = None,
) -> None:
    """Apply the files of a folder to the flows and themes of a project.

    Each flow changes as a whole or not at all. Items that the folder lacks stay, unless --prune is given. The exit
    status is 1 after an error, and 3 if the service does not respond.
    """
    from cli.flows.apply import Applier
    from cli.flows.folder import Folder
    from cli.flows.media import FolderMedia
    from cli.flows.plan import make_plan
    from cli.flows.project import read_project
    from cli.flows.results import NOTE, ApplyOptions
    from cli.flows.words import visible

    if prune and (draft or flow):
        raise SettingsError(f"--prune: cannot be combined with {'--draft' if draft else '--flow'}")
    with _errors_as_lines():
        opened = Folder.open(folder)
        content = opened.read()
        client = _client(url)
        with _progress("reading the project") as progress:
            live = read_project(client, project, progress)
            chosen = {key: file for key, file in content.flows.items() if not flow or key in flow}
            used = {file.document["theme"] for file in chosen.values()}
            themes = {key: theme for key, theme in content.themes.items() if not flow or key in used}
            media = FolderMedia(client, opened, project, chosen, themes)
            planned = partial(make_plan, client, opened, draft=draft, prune=prune)
            plan = planned(media.resolved(content), live, flow or ())
        lines = [visible(line) for line in (*media.lines(), *plan.lines())]
        print(*lines, sep="\n", end="\n" if lines else "")
        if dry_run:
            print("Nothing was changed (--dry-run)." if lines else "Nothing to change.")
            return
        if any(media.lines()):
            media.upload()
            plan = planned(media.resolved(content), live, flow or ())
        plan.ids.media.update(media.ids)
        options = ApplyOptions(draft, ignore_warnings, replace_drafts, note or NOTE)
        with _progress("applying flows") as progress:
            applied = Applier(client, opened, plan, options).run(progress)
    summary = _summary(applied)
    if summary or not applied.errors:
        print(summary or "Nothing to change.")
    if applied.errors:
        _fail(applied.errors, UNAVAILABLE if applied.is_cut_off else FAILURE)


def bundle(
    project: ProjectOption,
    output: Annotated[Path, typer.Option("--output", metavar="FILE", help="The file that the app's build takes.")],
    *,
    media: Annotated[
        bool, typer.Option("--media", help="Add the pictures of screens and themes, each in its smallest size.")
    ] = False,
    edge: Annotated[str | None, typer.Option("--edge", help="The edge; by default ONBOARDING_EDGE_PUBLIC_URL.")] = None,
    url: UrlOption = None,
) -> None:
    """Write the configuration, flows and themes of a project into a file for an app's build, without its keys.

    SDKs decide by it at a first start without the service. It has at most 1 MiB. The secret key of the project comes
    from ONBOARDING_SECRET_KEY or ONBOARDING_SECRET_KEY_FILE. Without one, the management service is asked with the
    personal API key.
    """
    from cli.flows.bundle import secret_key_of, write_bundle
    from cli.processes.local_stack import find_local_stack
    from cli.settings import CommandSettings, FlowSettings

    settings = read_settings(FlowSettings)
    edge = edge or settings.edge_public_url
    stack = None if edge else find_local_stack(read_settings(CommandSettings).state_dir)
    edge = edge or (stack.edge_url if stack else None)
    if not edge:
        raise SettingsError("ONBOARDING_EDGE_PUBLIC_URL: is required, or --edge")
    if not edge.startswith(("http://", "https://")):
        raise SettingsError("--edge: must be an http:// or https:// URL")
    given = settings.secret_key
    with _errors_as_lines():
        secret_key = given.get_secret_value() if given else secret_key_of(_client(url), project)
        written = write_bundle(edge, project, secret_key, output, with_media=media)
    parts = [plural(written.flows, "flow"), plural(written.themes, "theme")]
    parts += [plural(written.pictures, "picture")] if media else []
    print(f"{', '.join(parts)} of version {written.version} written to {output} ({written.size:,} bytes).")


def _summary(applied: "Applied") -> str:
    parts = [
        f"{count} {word}"
        for count, word in (
            (applied.created, "created"),
            (applied.changed, "changed"),
            (applied.drafts, "saved as drafts"),
            (applied.archived, "archived"),
            (applied.deleted, "deleted"),
        )
        if count
    ]
    return ", ".join([*parts, f"{applied.unchanged} unchanged"]) + "." if parts else ""


def _client(url: str | None) -> "ManagementClient":
    from cli.flows.client import ManagementClient
    from cli.settings import FlowSettings

    settings = read_settings(FlowSettings)
    url = url or settings.management_url
    messages = []
    if settings.api_key is None:
        messages.append("ONBOARDING_API_KEY: is required: the personal API key of a user")
    if not url:
        messages.append("ONBOARDING_MANAGEMENT_URL: is required, or --url")
    elif not url.startswith(("http://", "https://")):
        messages.append("--url: must be an http:// or https:// URL")
    if messages or settings.api_key is None or not url:
        raise SettingsError(*messages)
    if url.startswith("http://") and not url.startswith(_LOOPBACK):
        print(f"onboarding: warning: {url} sends the API key without encryption", file=sys.stderr)
    return ManagementClient(url, settings.api_key)


@contextmanager
def _progress(description: str) -> Iterator[Callable[[int, int], None]]:
    """Return a function that shows the number of finished items on a terminal, and nothing elsewhere."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _done, _total: None
        return
    with progress_bars(console) as bars:
        task = bars.add_task(description, total=None)
        yield lambda done, total: bars.update(task, completed=done, total=total)


@contextmanager
def _errors_as_lines() -> Iterator[None]:
    """Print an error, or each message about a folder, on a line of its own, and exit."""
    from cli.flows.files import FolderError

    try:
        yield
    except ServerUnavailableError as error:
        _fail([str(error)], UNAVAILABLE)
    except CommandError as error:
        _fail(error.messages if isinstance(error, FolderError) else [str(error)], FAILURE)


def _fail(lines: Sequence[str], status: int) -> NoReturn:
    from cli.flows.words import visible

    print(*(f"onboarding: {visible(line)}" for line in lines), sep="\n", file=sys.stderr)
    raise typer.Exit(status)
