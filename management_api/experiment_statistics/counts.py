"""What is compared: the users of a variant, and those of them who converted."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Counts:
    """How many users a variant has, and how many of them converted (at most all)."""

    users: int
    conversions: int

    @property
    def rate(self) -> float | None:
        """The share of users who converted (0..1); None without users."""
        return self.conversions / self.users if self.users else None

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(self.users + other.users, self.conversions + other.conversions)
