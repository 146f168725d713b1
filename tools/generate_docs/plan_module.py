"""The TypeScript module of the starter flow "Personalised plan", from cli/demo/personalised_plan.py."""

import json

from cli.demo.personalised_plan import PERSONALISED_PLAN

_HEAD = """\
// Generated from cli/demo/personalised_plan.py by `make generate`; do not edit.

import type { StarterFlow } from "./starters";

"""


def plan_module() -> str:
    """Return the module with the flow as a constant."""
    return f"{_HEAD}export const PERSONALISED_PLAN: StarterFlow = {json.dumps(PERSONALISED_PLAN, indent=2)};\n"
