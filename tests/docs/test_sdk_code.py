"""The code of docs/sdk.md and of the README is compiled: each line stands in a source that the checks compile."""

import re

import pytest

from tests.docs.markdown import ROOT

_PAGE = "".join((ROOT / name).read_text() for name in ("docs/sdk.md", "README.md"))
COMPILED = {
    "ts": "sdks/typescript/consumer/documented.ts",
    "tsx": "sdks/typescript/consumer/react_native.tsx",
    "kotlin": "sdks/kotlin/core/src/test/kotlin/doorstep/documented/Documented.kt",
}


@pytest.mark.parametrize("language", COMPILED)
def test_code_of_the_page_is_compiled(language: str) -> None:
    source = {line.strip() for line in (ROOT / COMPILED[language]).read_text().splitlines()}
    # Imports of one package may stand on several lines there.
    names = " ".join(source)
    blocks = re.findall(rf"```{language}\n(.*?)```", _PAGE, re.DOTALL)
    lines = [line.strip() for block in blocks for line in block.splitlines() if line.strip()]
    missing = [line for line in lines if line not in source and not _is_imported(line, names)]
    assert blocks
    assert missing == []


def _is_imported(line: str, source: str) -> bool:
    found = re.fullmatch(r'import \{ (.*) \} from ("[^"]+");', line)
    return found is not None and all(name in source for name in (*found[1].split(", "), found[2]))


def test_fences_have_no_other_language() -> None:
    assert set(re.findall(r"^```(\w+)$", _PAGE, re.MULTILINE)) == {*COMPILED, "sh", "mermaid"}
