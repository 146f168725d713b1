"""The page of screens and themes has each member that hosted pages read."""

import re
from pathlib import Path

from tools.generate_docs.contents_page import contents_page

_THEME = (Path(__file__).parents[4] / "web" / "flow" / "src" / "theme.ts").read_text()


def test_page_has_each_member_of_themes_and_of_contents() -> None:
    page = contents_page()
    read = set(re.findall(r"\b(?:colors|radius)\.(\w+)", _THEME))
    assert {"textSecondary", "error", "input"} <= read
    assert {member for member in read if f"`{member}`" not in page} == set()
    assert "### `paywall`" in page
    assert "| `product_id` | `id`, `label`, `title`, `name` | a text or a number |" in page
