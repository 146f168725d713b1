"""The documentation: the document as it is committed, and a page that needs nothing from anywhere else."""

import base64
import hashlib
import re

import orjson
import pytest

from management_api.docs.resources import CONTENT_SECURITY_POLICY
from management_api.http.app import PREFIXES
from tests.support.clients.management import Management
from tests.support.openapi.document import committed_bytes

every_prefix = pytest.mark.parametrize("prefix", PREFIXES)


@pytest.fixture
def management(shared_management: Management) -> Management:
    return shared_management


@every_prefix
def test_the_document_is_open_to_all(management: Management, prefix: str) -> None:
    response = management.anonymous().get(f"{prefix}/openapi.json")
    assert (response.status_code, response.headers["content-type"]) == (200, "application/json")
    assert response.content == committed_bytes()
    assert orjson.loads(response.content)["openapi"].startswith("3.1")


@every_prefix
@pytest.mark.parametrize("path", ["/openapi.json", "/docs", "/docs/start.js", "/docs/nothing.js"])
def test_documentation_is_not_counted(management: Management, prefix: str, path: str) -> None:
    headers = management.anonymous().get(prefix + path).headers
    assert not [name for name in headers if name.lower().startswith("x-ratelimit")]


@every_prefix
def test_documentation_page_has_all_its_files(management: Management, prefix: str) -> None:
    anonymous = management.anonymous()
    page = anonymous.get(f"{prefix}/docs")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    asked = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert len(asked) == 5
    for address in asked:
        assert anonymous.get(f"{prefix}/{address}").status_code == 200, address


def test_policy_of_the_page_allows_only_this_origin(management: Management) -> None:
    page = management.anonymous().get("/api/docs")
    assert page.headers["content-security-policy"] == CONTENT_SECURITY_POLICY
    assert "default-src 'none'" in CONTENT_SECURITY_POLICY
    assert "script-src 'self';" in CONTENT_SECURITY_POLICY
    assert "//" not in page.text
    assert not re.search(r"<script(?![^>]*src=)|<style| on\w+=| style=", page.text)


def test_page_names_digests_of_its_library_that_the_served_files_have(management: Management) -> None:
    page = management.anonymous().get("/api/docs").text
    named = dict(re.findall(r'(?:src|href)="docs/([^"]+)"\s+integrity="sha384-([^"]+)"', page))
    assert sorted(named) == ["swagger-ui-bundle.js", "swagger-ui.css"]
    served = {asset: management.anonymous().get(f"/api/docs/{asset}").content for asset in named}
    digests = {asset: base64.b64encode(hashlib.sha384(content).digest()).decode() for asset, content in served.items()}
    assert digests == named


@pytest.mark.parametrize("asset", ["index.html", "swagger-ui-bundle.js.map", "..%2fpage.html", "page.html", "%00"])
def test_nothing_else_of_the_package_is_served(management: Management, asset: str) -> None:
    assert management.anonymous().get(f"/api/docs/{asset}").status_code == 404
