"""Texts that people write: trimmed, counted in code points, without control characters (contract, section 1)."""

import re

#: NUL and the other C0 control characters, except tab and newline. Lone surrogates cannot be stored either.
FORBIDDEN_CHARACTERS = re.compile(r"[\x00-\x08\x0b-\x1f\ud800-\udfff]")


def has_forbidden_characters(text: str) -> bool:
    """Return whether the text has a control character or a lone surrogate."""
    return FORBIDDEN_CHARACTERS.search(text) is not None


#: The characters that are trimmed, those at the ends of a trimmed text, and those inside of it. The additional ones in
#: the first two are white space in Python but not in JavaScript, whose regular expressions a schema has.
_SPACE = r"[\s\x1c-\x1f\x85]"
_END = r"[^\s\x00-\x1f\x85]"
_INSIDE = r"[^\x00-\x08\x0b-\x1f]"


def text_pattern(shortest: int, longest: int) -> str:
    """Return the regular expression of accepted texts before they are trimmed; `longest` is at least 2.

    A length is not enough, because white space around the text does not count.
    """
    inner = f"{_INSIDE}{{{max(shortest - 2, 0)},{longest - 2}}}{_END}"
    text = f"{_END}{inner}" if shortest > 1 else f"{_END}(?:{inner})?"
    return f"^{_SPACE}*{text if shortest else f'(?:{text})?'}{_SPACE}*$"
