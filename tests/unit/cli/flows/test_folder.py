"""The files of a folder: lossless, checked with file and member, and safe to read from a stranger."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.flows.files import FlowFile, FlowIds, FolderError, ProjectIds, flow_members, parse_flow, parse_theme
from cli.flows.folder import Folder
from cli.flows.text import Format, format_text, parse_text

_TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20)
_NAMES = _TEXTS.map(str.strip).filter(bool)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | _TEXTS | st.just("First\nsecond"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXTS, inner, max_size=3),
    max_leaves=6,
)
_HELD = {"attribute": "answers.screen-0", "operator": "eq", "value": "a"}
_RULES = [{"id": "rule_1", "when": [_HELD], "go_to": "end"}, {"id": "other", "when": [], "go_to": "screen-1"}]
_SCREENS = st.builds(
    lambda kind, name, content, settings, logic: {
        "type": kind,
        "name": name,
        "content": content,
        "settings": settings,
        **logic,
    },
    st.sampled_from(["welcome", "paywall", "custom"]),
    st.none() | _TEXTS.map(str.strip),
    st.dictionaries(_TEXTS, _JSON, max_size=3),
    st.dictionaries(_TEXTS, _JSON, max_size=2),
    st.sampled_from([{}, {"show_if": [_HELD]}, {"next": _RULES}, {"show_if": [_HELD], "next": _RULES}]),
)
_FLOWS = st.builds(
    lambda name, description, theme, priority, percentage, screens, variables, status, is_default: FlowFile(
        {
            **variables,
            "name": name,
            "description": description,
            "targeting": {
                "percentage": percentage,
                "conditions": [{"attribute": "country", "operator": "in", "value": ["CH", "NO"]}],
            },
            "theme": theme,
            "screens": [{**screen, "id": f"screen-{index}"} for index, screen in enumerate(screens)],
        },
        status,
        is_default,
        priority,
    ),
    _NAMES,
    st.none() | _TEXTS.map(str.strip),
    st.none() | st.just("dark"),
    st.none() | st.integers(-5, 5),
    st.integers(0, 100) | st.just(12.5),
    st.lists(_SCREENS, max_size=3),
    st.sampled_from([{}, {"variables": [{"name": "a", "formula": "answers.screen_0 + 1"}]}]),
    st.sampled_from([None, "draft", "active"]),
    st.sampled_from([None, True, False]),
)


@given(_FLOWS, st.sampled_from(Format))
def test_flow_is_read_from_its_file_without_loss(flow: FlowFile, file_format: Format) -> None:
    text = format_text(flow_members(flow), file_format)
    read = parse_flow(parse_text(text, file_format))
    assert read == flow
    assert format_text(flow_members(read), file_format) == text


def test_flow_file_shows_its_members_in_the_order_of_a_review() -> None:
    flow = parse_flow({"name": "Welcome", "status": "active", "screens": [{"key": "hello", "type": "welcome"}]})
    assert format_text(flow_members(flow), Format.YAML) == (
        "name: Welcome\ndescription: null\nstatus: active\ntheme: null\n"
        "targeting:\n  percentage: 100\n  conditions: []\n"
        "screens:\n- key: hello\n  type: welcome\n  name: null\n  content: {}\n  settings: {}\n"
    )


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({}, "name: is required"),
        ({"name": "A", "heading": 1}, "heading: is not a known member"),
        ({"name": "A", "id": "flow_1"}, "id: is not a known member"),
        ({"name": "A", "status": "live"}, "status: must be one of"),
        ({"name": "A", "status": "archived", "is_default": True}, "is_default: must not be true"),
        ({"name": "A", "is_default": "yes"}, "is_default: must be true or false"),
        ({"name": "A", "theme": "../dark"}, "theme: must have 1 to 64"),
        ({"name": "A", "screens": {}}, "screens: must be"),
        ({"name": "A", "screens": ["hello"]}, "screens.0: must be an object"),
        ({"name": "A", "screens": [{"type": "welcome"}]}, "screens.0.key: is required"),
        ({"name": "A", "screens": [{"key": "a", "type": "greeting"}]}, "screens.0.type: must be one of"),
        ({"name": "A", "screens": [{"key": "a", "type": "custom"}] * 2}, "screens.1.key: a is the key of another"),
        ({"name": "A", "screens": [{"key": "end", "type": "custom"}]}, "screens.0.key: end is the target of a rule"),
        (
            {"name": "A", "variables": [{"name": "a", "formula": "1 +"}]},
            "variables.0.formula: must be a formula",
        ),
        ({"name": "A", "targeting": {"percentage": 101}}, "targeting.percentage: must be a number from 0 to 100"),
        ({"name": "A\x01"}, "name: must"),
        (["name"], "must be an object"),
    ],
)
def test_wrong_flow_is_refused_with_its_member(members: Any, message: str) -> None:  # noqa: ANN401 - any JSON
    with pytest.raises(FolderError, match=message.replace(".", r"\.")):
        parse_flow(members)


def test_theme_without_a_name_is_refused() -> None:
    with pytest.raises(FolderError, match="name: is required"):
        parse_theme({"colors": {"primary": "#fff"}})
    with pytest.raises(FolderError, match=r"colors\.primary: must be a CSS hex colour"):
        parse_theme({"name": "Dark", "colors": {"primary": "red"}})


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a folder with a flow that uses a theme."""
    root = tmp_path / "onboarding"
    folder = Folder.create(root, Format.YAML)
    folder.write_theme("dark", parse_theme({"name": "Dark"}))
    folder.write_flow("welcome", parse_flow({"name": "Welcome", "theme": "dark"}))
    folder.write_ids("proj_1", ProjectIds({"welcome": FlowIds("flow_1", {})}, {"dark": "theme_1"}))
    return root


def messages_of(root: Path) -> str:
    """Return the messages about a folder, one on each line."""
    try:
        folder = Folder.open(root)
        folder.read()
        folder.read_ids("proj_1")
    except FolderError as error:
        return "\n".join(error.messages)
    return ""


def test_every_wrong_file_is_named(root: Path) -> None:
    (root / "flows/welcome.yaml").write_text("name: Welcome\nprio: 1\n")
    (root / "flows/second.yaml").write_text("name: [")
    (root / "themes/dark.yaml").write_text("colors: {}\n")
    lines = messages_of(root)
    assert [line.partition(": ")[0] for line in lines.splitlines()] == [
        "themes/dark.yaml",
        "flows/second.yaml",
        "flows/welcome.yaml",
    ]
    assert "flows/welcome.yaml: line 2: prio: is not a known member" in lines


def test_two_default_flows_are_refused(root: Path) -> None:
    for key in ("a", "b"):
        (root / f"flows/{key}.yaml").write_text("name: A\nis_default: true\n")
    assert messages_of(root) == "flows/b.yaml: is_default: is true in another file too"


def _link_to_secret(root: Path) -> None:
    (root.parent / "secret.yaml").write_text("name: Secret\n")
    (root / "flows/link.yaml").symlink_to(root.parent / "secret.yaml")


def _linked_folder(root: Path) -> None:
    (root / "themes").rename(root.parent / "elsewhere")
    (root / "themes").symlink_to(root.parent / "elsewhere")


def _linked_ids(root: Path) -> None:
    (root / "ids").rename(root.parent / "elsewhere")
    (root / "ids").symlink_to(root.parent / "elsewhere")


HOSTILE: dict[str, Callable[[Path], object]] = {
    "flows/link.yaml: is a link": _link_to_secret,
    "themes: must be a folder, and not a link": _linked_folder,
    "ids: must be a folder, and not a link": _linked_ids,
    "flows/big.yaml: is larger than 4 MiB": lambda root: (root / "flows/big.yaml").write_bytes(b"#" * (4 << 20 | 1)),
    "flows/pipe.yaml: is not a plain file": lambda root: os.mkfifo(root / "flows/pipe.yaml"),
    "flows/latin.yaml: is not UTF-8": lambda root: (root / "flows/latin.yaml").write_bytes(b"name: \xe9"),
    "flows/Big Key.yaml: the name without .yaml must": lambda root: (root / "flows/Big Key.yaml").touch(),
    "flows/a.yml: must end in .yaml": lambda root: (root / "flows/a.yml").touch(),
    "flows/a.json: must end in .yaml": lambda root: (root / "flows/a.json").touch(),
    "has two marks": lambda root: (root / "onboarding.json").touch(),
    "it has no onboarding.yaml": lambda root: (root / "onboarding.yaml").unlink(),
    "a newer release": lambda root: (root / "onboarding.yaml").write_text("version: 2"),
    "ids/proj_1.yaml: must be as": lambda root: (root / "ids/proj_1.yaml").write_text("flows: [1]"),
    "ids/proj_1.yaml: has an id twice": lambda root: (root / "ids/proj_1.yaml").write_text("themes: {a: x, b: x}"),
}


@pytest.mark.parametrize("message", HOSTILE)
def test_hostile_folder_is_refused(root: Path, message: str) -> None:
    HOSTILE[message](root)
    assert message in messages_of(root)


def test_hidden_files_are_ignored(root: Path) -> None:
    (root / "flows/.DS_Store").write_bytes(b"\xff")
    assert list(Folder.open(root).read().flows) == ["welcome"]


@pytest.mark.parametrize("project_id", ["../../etc/passwd", "", "a/b", "x" * 200])
def test_project_id_that_is_a_path_is_refused(root: Path, project_id: str) -> None:
    with pytest.raises(FolderError, match="is not the id of a project"):
        Folder.open(root).read_ids(project_id)


def test_folder_with_other_files_is_not_taken_over(tmp_path: Path) -> None:
    (tmp_path / "flows").mkdir()
    with pytest.raises(FolderError, match="has `flows`, but is no folder of flows"):
        Folder.create(tmp_path, Format.YAML)


def test_writing_through_a_link_is_refused(root: Path, tmp_path: Path) -> None:
    (root / "flows/welcome.yaml").unlink()
    (root / "flows").rmdir()
    (tmp_path / "outside").mkdir()
    (root / "flows").symlink_to(tmp_path / "outside")
    with pytest.raises(FolderError, match="flows: must be a folder, and not a link"):
        Folder.open(root).write_flow("welcome", parse_flow({"name": "Welcome"}))
    assert list((tmp_path / "outside").iterdir()) == []


def test_translations_have_a_file_for_each_language(root: Path) -> None:
    folder = Folder.open(root)
    screen = {"type": "custom", "name": None, "content": {"a": "A", "b/c": "B"}, "settings": {}, "id": "one"}
    german = {"/a": {"text": "Ä", "source": "A"}, "/b~1c": {"text": "Be", "source": "old"}}
    localizations = {"de": german, "pt-BR": {"/a": {"text": "Á", "source": "A"}}}
    flow = parse_flow({"name": "Hello"})
    document = {**flow.document, "screens": [{**screen, "localizations": localizations}]}
    folder.write_flow("hello", replace(flow, document=document))
    path = root / "translations/hello"
    assert sorted(file.name for file in path.iterdir()) == ["de.json", "pt-BR.json"]
    assert "localizations" not in (root / folder.path_of("flows", "hello")).read_text()
    assert parse_text((path / "de.json").read_text(), Format.JSON) == {
        "one/a": {"text": "Ä", "source": "A"},
        "one/b~1c": {"text": "Be", "source": "old"},
    }
    assert folder.read().flows["hello"].document == document
    (path / "pt-BR.json").write_text('{"one/a": "Á"}')
    assert folder.read().flows["hello"].document == document
    for wrong in ('{"two/a": "x"}', '{"one": "x"}', '{"one/a": 5}', '{"one/a": {"text": "x", "more": "y"}}', "[]"):
        (path / "pt-BR.json").write_text(wrong)
        with pytest.raises(FolderError, match=r"^translations/hello/pt-BR\.json: "):
            folder.read()
    folder.write_flow("hello", replace(flow, document={**document, "screens": [screen]}))
    assert list(path.iterdir()) == []
