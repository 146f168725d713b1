"""Ids that are computed from numbers, so that whoever asks for project 4711 need not look its id up."""

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_LENGTH = 26
#: Every id is of this moment (Unix milliseconds); the numbers stand where a UUIDv7 is random.
_MOMENT = 1_780_000_000_000


def numbered_id(prefix: str, number: int) -> str:
    """Give a valid TypeID (type prefix + UUIDv7 in base32); ids of one prefix sort like their numbers."""
    rest = _MOMENT << 80 | 0x7 << 76 | 0x2 << 62 | number
    characters = []
    for _ in range(_LENGTH):
        rest, digit = divmod(rest, 32)
        characters.append(_ALPHABET[digit])
    return f"{prefix}_{''.join(reversed(characters))}"
