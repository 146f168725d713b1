"""Copies of page assets on disk: bounded in number, shared with other workers, without effect where the disk fails."""

import asyncio
import os
from pathlib import Path

import pytest

from edge_api.page_asset_copies import PageAssetCopies
from tests.support.polling import eventually


def test_copy_is_read_again(tmp_path: Path) -> None:
    async def write_and_read() -> bytes | None:
        copies = PageAssetCopies(tmp_path)
        await copies.write("a.js", b"content")
        return await PageAssetCopies(tmp_path).read("a.js")

    assert asyncio.run(write_and_read()) == b"content"


def test_oldest_copies_are_removed_beside_files_of_other_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("edge_api.page_asset_copies._MAX_FILES", 10)
    monkeypatch.setattr("edge_api.page_asset_copies._KEPT_FILES", 5)

    async def write_all() -> list[str]:
        copies = PageAssetCopies(tmp_path)
        for number in range(10):
            await copies.write(f"{number}.js", b"")
            os.utime(tmp_path / "page-assets" / f"{number}.js", (number, number))
        # A link to nothing fails as a file does that another worker has renamed after the folder was listed.
        (tmp_path / "page-assets" / ".1.x.js").symlink_to("nothing")
        await copies.write("last.js", b"")
        return await copies.names()

    assert asyncio.run(write_all()) == ["6.js", "7.js", "8.js", "9.js", "last.js"]
    assert capsys.readouterr().out == ""


def test_disk_that_hangs_has_no_copies_until_it_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("edge_api.page_asset_copies._DISK_SECONDS", 0.05)
    copies = PageAssetCopies(tmp_path)
    pipe = tmp_path / "page-assets" / "pipe.js"

    async def read_while_it_hangs() -> list[bytes | None]:
        await copies.write("sound.js", b"content")
        os.mkfifo(pipe)
        # Reading the pipe takes until this writer closes it.
        writer = os.open(pipe, os.O_RDWR)
        try:
            return [await copies.read("pipe.js"), await copies.read("sound.js")]
        finally:
            os.close(writer)

    with asyncio.Runner() as runner:
        assert runner.run(read_while_it_hangs()) == [None, None]
        eventually(lambda: runner.run(copies.read("sound.js")) == b"content")
