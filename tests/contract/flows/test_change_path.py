"""A change of a flow passes the files of management that docs/architecture.md names."""

import re
import sys
from pathlib import Path
from types import FrameType

from tests.support.clients.management import User

ROOT = Path(__file__).parents[3]
FOLDER = f"{ROOT}/management_api/"
#: gunicorn's worker and its loop.
NOT_TRACED = {"worker.py", "incoming_request.py"}


def named_files() -> set[str]:
    """Return the files that the numbered list of a change names."""
    document = (ROOT / "docs/architecture.md").read_text()
    steps = document.partition("## The path of a change")[2].partition("1. ")[2].partition("\n\n")[0]
    return set(re.findall(r"`([a-z_/]+\.py)`", steps))


def test_change_of_a_flow_passes_the_files_of_the_document(alice: User, project_id: str) -> None:
    flow = alice.create_flow(project_id)
    passed: set[str] = set()

    def note(frame: FrameType, _event: str, _argument: object) -> None:
        if frame.f_code.co_filename.startswith(FOLDER):
            passed.add(frame.f_code.co_filename.removeprefix(FOLDER))

    sys.setprofile(note)
    try:
        response = alice.put(f"/api/flows/{flow['id']}", json={"name": "Hello"})
    finally:
        sys.setprofile(None)
    assert response.status_code == 200
    assert {file for file in passed if not file.startswith("db/models/")} == named_files() - NOT_TRACED
