"""What JSON may not hold because PostgreSQL cannot store it (contract, section 1).

The parser (orjson) already refuses lone surrogates, numbers outside a double and raw control characters; what is
left is the NUL character, which can only come as an escape, and nesting.
"""

from typing import Any

MAX_DEPTH = 32


def json_problem(body: bytes, document: dict[str, Any]) -> str | None:
    """Say what is wrong with a parsed document, given the bytes that it came from, or None.

    Most bodies are cleared by looking at the bytes: too few brackets to nest deeply, no escape of a NUL.
    """
    may_be_deep = body.count(b"{") + body.count(b"[") > MAX_DEPTH
    may_have_nul = b"\\u0000" in body
    if not may_be_deep and not may_have_nul:
        return None
    return _walk(document)


def _walk(document: dict[str, Any]) -> str | None:
    level: list[Any] = [document]
    depth = 0
    while level:
        depth += 1
        if depth > MAX_DEPTH:
            return f"must not be nested deeper than {MAX_DEPTH} levels"
        inner: list[Any] = []
        for node in level:
            values = [*node.keys(), *node.values()] if isinstance(node, dict) else node
            if any(isinstance(value, str) and "\0" in value for value in values):
                return "must not contain NUL characters"
            inner.extend(value for value in values if isinstance(value, dict | list))
        level = inner
    return None
