"""How many of what, as one says it."""


def counted(number: int, one: str, many: str) -> str:
    """Give `1 event waits` or `1,200 events wait`: the number, and the words that go with it."""
    return f"{number:,} {one if number == 1 else many}"
