"""The rules of text that people write: trimmed, counted in code points, no control characters (contract, section 1)."""

import re

#: NUL and the other C0 control characters, except tab and newline. Lone surrogates cannot be stored either.
FORBIDDEN_CHARACTERS = re.compile(r"[\x00-\x08\x0b-\x1f\ud800-\udfff]")


def has_forbidden_characters(text: str) -> bool:
    """Tell whether the text has a character that we refuse."""
    return FORBIDDEN_CHARACTERS.search(text) is not None
