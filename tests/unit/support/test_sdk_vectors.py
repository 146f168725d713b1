"""docs/sdk-vectors.json has the results of the client that was written from docs/write-an-sdk.md."""

import json

from tests.support.offline_sdk.sequences import FILE, sequences


def test_file_of_sequences_is_that_of_the_client() -> None:
    written = json.loads(FILE.read_text())
    assert written["sequences"] == json.loads(json.dumps(sequences())), (
        "run python -m tests.support.offline_sdk.sequences"
    )
