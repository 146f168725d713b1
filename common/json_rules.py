"""What JSON may not hold because PostgreSQL cannot store it (contract, section 1).

Our usual parser (orjson) already refuses lone surrogates, numbers outside a double and raw control characters; what
is left is the NUL character, which can only come as an escape, and nesting. `batch_json.py` has a parser that lets
all of it through, and then every rule is looked at here.
"""

import math
import re
from typing import Any

MAX_DEPTH = 32

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def json_problem(body: bytes, document: dict[str, Any]) -> str | None:
    """Say what is wrong with a parsed document, given the bytes that it came from, or None.

    Most bodies are cleared by looking at the bytes: too few brackets to nest deeply, no escape of a NUL.
    """
    may_be_deep = body.count(b"{") + body.count(b"[") > MAX_DEPTH
    may_have_nul = b"\\u0000" in body
    if not may_be_deep and not may_have_nul:
        return None
    return value_problem(document)


def value_problem(value: object) -> str | None:
    """Say what is wrong with a parsed value, or None; the value itself is the first level of nesting."""
    level: list[object] = [value]
    depth = 0
    while level:
        inner: list[object] = []
        for node in level:
            if isinstance(node, str):
                if _UNSTORABLE.search(node):
                    return "must not contain NUL characters or lone surrogates"
            elif isinstance(node, float):
                if not math.isfinite(node):
                    return "must not contain numbers outside the range of a double"
            elif isinstance(node, dict):
                inner.extend(node.keys())
                inner.extend(node.values())
            elif isinstance(node, list):
                inner.extend(node)
        depth += any(isinstance(node, dict | list) for node in level)
        if depth > MAX_DEPTH:
            return f"must not be nested deeper than {MAX_DEPTH} levels"
        level = inner
    return None
