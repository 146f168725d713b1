"""Ids that are computed from numbers, so that a client of project 4711 needs no look-up."""

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_LENGTH = 26
#: The time of every id in Unix milliseconds; the number takes the place of the random bits of a UUIDv7.
_MOMENT = 1_780_000_000_000


def numbered_id(prefix: str, number: int) -> str:
    """Return a valid TypeID (type prefix and UUIDv7 in base32). Ids of one prefix sort like their numbers."""
    rest = _MOMENT << 80 | 0x7 << 76 | 0x2 << 62 | number
    characters = []
    for _ in range(_LENGTH):
        rest, digit = divmod(rest, 32)
        characters.append(_ALPHABET[digit])
    return f"{prefix}_{''.join(reversed(characters))}"
