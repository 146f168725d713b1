"""The vectors of logic for writers of SDKs. `python -m tests.support.logic_oracle.vectors` writes the file."""

import json
from pathlib import Path
from random import Random
from typing import Any

from tests.support.logic_oracle import written
from tests.support.logic_oracle.flows import holds, walked
from tests.support.logic_oracle.formulas import value_of
from tests.support.logic_oracle.random_flows import random_walk
from tests.support.logic_oracle.texts import Shown, filled

FILE = Path(__file__).parents[3] / "docs" / "logic-vectors.json"
_RANDOM_FLOWS = 44
_EXPECTED = ("path", "answers", "variables", "progress", "ended", "views")


def vectors() -> dict[str, list[Any]]:
    """Return all vectors, with the results of the oracle."""
    walks = [*written.FLOWS, *({"name": f"random {seed}", **_random(seed)} for seed in range(_RANDOM_FLOWS))]
    return {
        "flows": [{**walk, "expected": _expected(walk)} for walk in walks],
        "conditions": [
            {"condition": condition, "values": written.VALUES, "holds": holds(condition, written.VALUES)}
            for condition in written.CONDITIONS
        ],
        "formulas": [
            {"formula": formula, "value": value_of(formula, written.VALUES, written.TODAY)}
            for formula in written.FORMULAS
        ],
        "texts": [
            {
                "text": text,
                "language": language,
                "html": is_html,
                "expected": filled(text, Shown(written.VALUES, {}, language), is_html=is_html),
            }
            for text, language, is_html in written.TEXTS
        ],
        "values": [{"today": written.TODAY, "values": written.VALUES}],
    }


def _random(seed: int) -> dict[str, Any]:
    walk = random_walk(Random(seed))
    return {name: walk[name] for name in ("screens", "variables", "context", "today", "steps")}


def _expected(walk: dict[str, Any]) -> dict[str, Any]:
    result = walked(walk)
    return {name: result[name] for name in _EXPECTED}


def text_of(sections: dict[str, list[Any]]) -> str:
    """Return the file: a line for each vector."""
    parts = [
        f'  "{name}": [\n' + ",\n".join(f"    {json.dumps(entry, ensure_ascii=False)}" for entry in entries) + "\n  ]"
        for name, entries in sections.items()
    ]
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    FILE.write_text(text_of(vectors()))
