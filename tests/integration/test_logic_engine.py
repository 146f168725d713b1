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

_WALKS = soak_setting("LOGIC_WALKS", 200, 10_000)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with running_engine(tmp_path_factory.mktemp("engine")) as running:
        yield running


@given(seed=st.integers(0, 2**32))
@settings(max_examples=_WALKS, deadline=None)
def test_engine_takes_random_walks_as_the_oracle_does(engine: Engine, seed: int) -> None:
    walk = random_walk(Random(seed))
    walk["variables"] = _with_trees(walk["variables"])
    # From any place, a user who goes on ends within as many steps as there are screens.
    onward = [{"do": "forward"}] * len(walk["screens"])
    endings = [[], onward[:1], [onward[0], {"do": "back"}, onward[0]], onward]
    _, once, again, end = [_taken(engine, {**walk, "steps": [*walk["steps"], *steps]}) for steps in endings]
    assert once["ended"] or again["path"] == once["path"]
    assert end["ended"]
    assert all(before <= after for before, after in pairwise(end["shares"][-len(onward) - 1 :]))


def _taken(engine: Engine, walk: dict[str, Any]) -> dict[str, Any]:
    """Return what there is to see after a walk, which is the same for both."""
    result = engine.walk(walk)
    assert _unescaped(result) == _unescaped(walked(walk))
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
