"""docs/logic-vectors.json has the results of the oracle."""

import json

from tests.support.logic_oracle.vectors import FILE, vectors


def test_file_of_vectors_is_that_of_the_oracle() -> None:
    written = json.loads(FILE.read_text())
    assert written == json.loads(json.dumps(vectors())), "run python -m tests.support.logic_oracle.vectors"
    assert len(written["flows"]) >= 60
    assert len(written["formulas"]) >= 60
