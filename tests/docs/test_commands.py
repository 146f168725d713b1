"""The commands of the documents exist: make targets, `onboarding` commands with their options, paths."""

import re
from collections.abc import Iterator

import pytest
import typer.main
from typer.core import TyperGroup

from cli.main import app
from tests.docs.markdown import ROOT, code_of, documents, errors_in, name_of, source_files, spans_of

#: Documents of the past, which are not updated.
_HISTORY = ("CHANGELOG.md",)
_DOCUMENTS = [document for document in documents() if not name_of(document).startswith(_HISTORY)]

_TARGETS = frozenset(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE))
_MAKE = re.compile(r"(?:^|[|;&(=] ?|exec )make(?: -\w+)* ((?:[a-z][a-z-]* ?)+)")
#: The program at the place of a command: first, after assignments, a prompt, a pipe, or what runs it in a container.
_ONBOARDING = re.compile(r"(?:^|[|;&(] ?|-- |\$ )(?:[A-Z_]+=\S+ )*(?:\.venv/bin/)?onboarding((?: [^\s|;&)#]+)*)")
#: What installations make, and git ignores.
_MADE = ("deploy/secrets/", "deploy/.env")
_PATH = re.compile(r"(?:cli|common|edge_api|management_api|publisher|deploy|tools|docs|loadtests|tests)/[\w./-]+")

_PYTHON_FILE = re.compile(r"[a-z_][\w/]*\.py")
_SOURCES = [f"/{name_of(source)}" for source in source_files()]


def _unknown_targets(code: str) -> Iterator[str]:
    for targets in _MAKE.findall(code):
        yield from (target for target in targets.split() if target not in _TARGETS)


def _unknown_words(words: list[str]) -> list[str]:
    """Return the words of a command line that the command does not accept."""
    command = typer.main.get_command(app)
    unknown, rest = [], list(words)
    while isinstance(command, TyperGroup) and rest and re.fullmatch(r"[a-z][a-z-]*", rest[0]):
        name = rest.pop(0)
        found = command.commands.get(name)
        if found is None:
            return [name]
        command = found
    known = {"--help", *(option for parameter in command.params for option in parameter.opts)}
    unknown += [word for word in rest if word.startswith("--") and word.partition("=")[0] not in known]
    return unknown


def _errors(code: str) -> Iterator[str]:
    yield from (f"make {target}" for target in _unknown_targets(code))
    for line in _ONBOARDING.findall(code):
        yield from (f"onboarding{line}: {word}" for word in _unknown_words(line.split()))


def _command_errors(text: str) -> Iterator[str]:
    for code in code_of(text):
        yield from _errors(code)


def _missing_paths(text: str) -> Iterator[str]:
    paths = (span for span in spans_of(text) if _PATH.fullmatch(span) and not span.startswith(_MADE))
    yield from (path for path in paths if not (ROOT / path).exists())


def _missing_python_files(text: str) -> Iterator[str]:
    files = (span for span in spans_of(text) if _PYTHON_FILE.fullmatch(span))
    yield from (file for file in files if not any(source.endswith(f"/{file}") for source in _SOURCES))


def test_commands_in_documents_exist() -> None:
    assert errors_in(_DOCUMENTS, _command_errors) == {}


def test_paths_in_documents_exist() -> None:
    assert errors_in(_DOCUMENTS, _missing_paths) == {}


def test_python_files_in_documents_exist() -> None:
    assert errors_in(_DOCUMENTS, _missing_python_files) == {}


@pytest.mark.parametrize(
    "code",
    [
        "make nonsense",
        "exec make nonsense",
        "TOKEN=$(make -s nonsense EMAIL=a)",
        "onboarding nonsense",
        "onboarding events nonsense",
        "onboarding events status --nonsense",
        "A=1 onboarding nonsense | sort",
        "kubectl exec deploy/onboarding -- onboarding nonsense",
    ],
)
def test_missing_command_is_found(code: str) -> None:
    assert len(list(_errors(code))) == 1


@pytest.mark.parametrize(
    "code",
    [
        "make run      # installs, starts everything",
        "make load SHAPE=spike",
        "onboarding",
        "onboarding --help",
        "onboarding events dead-letters show 17",
        "onboarding analytics recompute --project=proj_x --check",
        "kubectl -n onboarding get pods",
        "helm install onboarding deploy/chart",
    ],
)
def test_existing_and_foreign_commands_pass(code: str) -> None:
    assert list(_errors(code)) == []
