"""The counts that a comparison begins with.

A file of their own, because processes that only count need no SciPy, whose import takes half a second and 30 MB.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Counts:
    """The users of a variant, and the number of them who converted."""

    users: int
    conversions: int

    @property
    def rate(self) -> float | None:
        """The share of users who converted (0..1); None without users."""
        return self.conversions / self.users if self.users else None

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(self.users + other.users, self.conversions + other.conversions)
