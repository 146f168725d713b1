"""The files of the publisher that a change passes are those that docs/architecture.md lists."""

import re
import sys
from pathlib import Path
from types import FrameType

from management_api.db.engine import Database
from publisher.main import Publisher
from tests.support.data.rows import add_flow, add_project

ROOT = Path(__file__).parents[3]


def test_a_change_passes_the_listed_files_of_the_publisher(database: Database, publisher: Publisher) -> None:
    # The first batch compares all revisions with Redis as well.
    assert publisher.publish_batch() == 0
    with database.transaction() as session:
        add_flow(session, add_project(session))
    passed: set[str] = set()

    def note(frame: FrameType, _event: str, _argument: object) -> None:
        passed.add(frame.f_code.co_filename)

    sys.setprofile(note)
    try:
        assert publisher.publish_batch() == 1
    finally:
        sys.setprofile(None)
    change = (ROOT / "docs/architecture.md").read_text().partition("## The path of a change")[2].partition("\n## ")[0]
    listed = re.findall(r"^\d\. `(publisher/[a-z_]+\.py)`", change, re.MULTILINE)
    assert sorted(str(ROOT / path) for path in listed) == sorted(
        file for file in passed if file.startswith(str(ROOT / "publisher"))
    )
