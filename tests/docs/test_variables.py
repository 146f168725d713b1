"""Environment variables that the documents name are read by a process or by compose."""

import re

from common.settings.sources import known_names
from tests.docs.markdown import ROOT, documents, errors_in, name_of
from tools.generate_docs.settings_reference import ALL_READERS

#: Documents of the past, which are not updated.
_HISTORY = ("CHANGELOG.md",)
_DOCUMENTS = [document for document in documents() if not name_of(document).startswith(_HISTORY)]
_VARIABLE = re.compile(r"\bONBOARDING_[A-Z0-9_]*[A-Z0-9]\b")
_READ = known_names(ALL_READERS.values()) | set(_VARIABLE.findall((ROOT / "deploy" / "compose.yaml").read_text()))


def test_variables_in_documents_are_settings_or_variables_of_compose() -> None:
    assert errors_in(_DOCUMENTS, lambda text: sorted(set(_VARIABLE.findall(text)) - _READ)) == {}


def test_the_operations_guide_names_variables() -> None:
    assert any(_VARIABLE.search(document.read_text()) for document in _DOCUMENTS if "operations" in name_of(document))
