"""The state folder."""

import base64
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from cli.demo.files import create_if_missing, replace_file
from deploy.local.errors import StackError
from deploy.local.state_folder import StateFolder


@pytest.fixture
def state(tmp_path: Path) -> StateFolder:
    folder = StateFolder(tmp_path / "state")
    folder.make()
    return folder


def test_secrets_are_kept_and_differ_from_each_other(state: StateFolder) -> None:
    again = StateFolder(state.path)
    assert state.secret("one") == again.secret("one")
    assert state.secret("one") != state.secret("two")


def test_master_key_has_256_bits_and_is_kept(state: StateFolder) -> None:
    assert len(base64.b64decode(state.master_key())) == 32
    assert StateFolder(state.path).master_key() == state.master_key()


def test_secrets_are_for_the_owner_only(state: StateFolder) -> None:
    state.secret("one")
    assert stat.S_IMODE((state.path / "one").stat().st_mode) == 0o600
    assert not stat.S_IMODE(state.path.stat().st_mode) & 0o066


def test_concurrent_first_uses_agree_on_one_secret(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda number: create_if_missing(file, str(number).encode()), range(50)))
    kept = file.read_bytes()
    create_if_missing(file, b"too late")
    assert file.read_bytes() == kept
    assert [path.name for path in tmp_path.iterdir()] == ["secret"]


def test_replaced_file_has_the_new_content_and_no_leftover(tmp_path: Path) -> None:
    file = tmp_path / "demo.json"
    replace_file(file, b"old")
    replace_file(file, b"new")
    assert file.read_bytes() == b"new"
    assert [path.name for path in tmp_path.iterdir()] == ["demo.json"]


def test_locked_folder_cannot_be_locked_again(state: StateFolder) -> None:
    state.lock()
    with pytest.raises(StackError, match="another stack"):
        StateFolder(state.path).lock()


def test_unwritable_folder_is_named_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StackError, match=r"state folder .*file/state cannot be written"):
        StateFolder(tmp_path / "file" / "state").make()
