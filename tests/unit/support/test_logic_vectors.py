"""docs/logic-vectors.json has the results of the oracle."""

import json

import pytest

from common.rules.conditions import OPERATORS
from tests.support.logic_oracle.vectors import FILE, vectors


def test_file_of_vectors_is_that_of_the_oracle() -> None:
    written = json.loads(FILE.read_text())
    assert written == json.loads(json.dumps(vectors())), "run python -m tests.support.logic_oracle.vectors"
    assert len(written["flows"]) >= 60
    assert len(written["formulas"]) >= 60


@pytest.mark.parametrize("operator", OPERATORS)
def test_each_operator_has_vectors_of_values_and_of_lists(operator: str) -> None:
    vectors = json.loads(FILE.read_text())["conditions"]
    own = [vector for vector in vectors if vector["condition"]["operator"] == operator]
    assert any(vector["holds"] for vector in own)
    assert any(vector["condition"]["attribute"] == "answers.areas" for vector in own)
