"""The engine of logic in TypeScript takes random walks as the oracle does: `SOAK=1` takes 10,000 of them."""

import html
from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from common.rules.formulas import parse_formula
from tests.support.logic_oracle.engine import Engine, running_engine
from tests.support.logic_oracle.flows import walked
from tests.support.logic_oracle.random_flows import random_walk
from tests.support.soak import soak_setting

_BACK, _FORWARD = {"do": "back"}, {"do": "forward"}
_WALKS = soak_setting("LOGIC_WALKS", 200, 10_000)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with running_engine(tmp_path_factory.mktemp("engine")) as running:
        yield running


@pytest.mark.timeout(1_800)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=_WALKS, deadline=None)
def test_engine_takes_random_walks_as_the_oracle_does(engine: Engine, seed: int) -> None:
    walk = random_walk(Random(seed))
    walk["variables"] = _with_trees(walk["variables"])
    here = _taken(engine, walk)
    if not here["ended"]:
        turns = len(here["path"]) - 1
        again = _taken(engine, walk, *[_BACK] * turns, *[_FORWARD] * turns)
        assert (again["path"], again["answers"]) == (here["path"], here["answers"])
    # From any place, a user who goes on ends within as many steps as there are screens.
    end = _taken(engine, walk, *[_FORWARD] * len(walk["screens"]))
    assert end["ended"]


def _taken(engine: Engine, walk: dict[str, Any], *further: dict[str, Any]) -> dict[str, Any]:
    """Return what there is to see after a walk and further steps: the same for both, with progress that never falls."""
    whole = {**walk, "steps": [*walk["steps"], *further]}
    result = engine.walk(whole)
    assert _unescaped(result) == _unescaped(walked(whole))
    shares = zip(whole["steps"], pairwise(result["shares"]), strict=True)
    assert all(before <= after for step, (before, after) in shares if step["do"] in {"forward", "skip"})
    return result


def _with_trees(variables: list[dict[str, str]]) -> list[dict[str, Any]]:
    """Return variables with the trees that hosted pages get; the engine compares its own trees with these."""
    names = [variable["name"] for variable in variables]
    return [
        {**variable, "tree": parse_formula(variable["formula"], names[:place])}
        for place, variable in enumerate(variables)
    ]


def _unescaped(result: dict[str, Any]) -> dict[str, Any]:
    """Return a result whose HTML has plain characters, which have several escapes."""
    return {**result, "texts": [[text, html.unescape(markup)] for text, markup in result["texts"]]}
