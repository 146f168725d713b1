"""Names of assets lead nowhere else, and damaged assets and manifests are refused."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.wire.page_assets import (
    PageAsset,
    PageAssetError,
    bare_name,
    decode_asset,
    decode_manifest,
    encode_asset,
    is_asset_name,
    media_type,
)
from tests.support.data.pages import ASSETS, MANIFEST


@pytest.mark.parametrize("name", ASSETS)
def test_name_with_a_hash_is_one_of_an_asset(name: str) -> None:
    assert is_asset_name(name)
    assert bare_name(name) in {"pages", "welcome"}
    assert media_type(name).startswith((b"text/", b"image/svg+xml"))


@pytest.mark.parametrize(
    "name",
    [
        *("", "pages.js", "pages.0a1b2c3d.html", "pages.0a1b2c3d.js.br", "../pages.0a1b2c3d.js", "a/b.0a1b2c3d.js"),
        *(
            ".0a1b2c3d.js",
            "..0a1b2c3d.js",
            "a\\b.0a1b2c3d.js",
            "pages.0a1b2c3d.js\n",
            "pages.%2e%2e.js",
            "manifest.json",
        ),
        *("pages.0a1b2c3d.js\x00", "é.0a1b2c3d.js", f"{'a' * 100}.0a1b2c3d.js", f"a.{'0' * 100}.js"),
    ],
)
def test_other_name_is_none_of_an_asset(name: str) -> None:
    assert not is_asset_name(name)


@given(st.text("./\\ab0%\n", max_size=30))
def test_no_name_has_a_folder(name: str) -> None:
    assert not is_asset_name(name) or (not set(name) & set("/\\%\n") and ".." not in name)


@given(st.binary(max_size=50), st.binary(max_size=50), st.binary(max_size=50))
def test_asset_is_read_as_it_was_written(body: bytes, gzip: bytes, brotli: bytes) -> None:
    asset = PageAsset(body, gzip, brotli)
    assert decode_asset(encode_asset(asset)) == asset


@given(st.binary(max_size=60))
def test_damaged_asset_is_refused(stored: bytes) -> None:
    try:
        decode_asset(stored)
    except PageAssetError:
        return
    assert len(msgspec.msgpack.decode(stored)) >= 3


@pytest.mark.parametrize(
    "stored",
    [
        *(b"", b"{}", b"null", b"\xff", b'{"js": "a.0a1b2c3d.js", "css": "b.0a1b2c3d.css", "files": []}'),
        b'{"js": "../a.0a1b2c3d.js", "css": "../a.0a1b2c3d.js", "files": ["../a.0a1b2c3d.js"]}',
    ],
)
def test_damaged_manifest_is_refused(stored: bytes) -> None:
    with pytest.raises(PageAssetError):
        decode_manifest(stored)


def test_manifest_is_read_as_it_was_written() -> None:
    assert decode_manifest(msgspec.json.encode(MANIFEST)) == MANIFEST
