"""The TypeScript SDK has the version of the product."""

import json
import re

from common.version import VERSION
from tools.sdk import SDK


def test_package_has_the_version_of_the_product_as_npm_writes_it() -> None:
    package = json.loads((SDK / "package.json").read_text())
    assert package["version"] == re.sub(r"\.dev(\d+)$", r"-dev.\1", VERSION)
