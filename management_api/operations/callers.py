"""Who asks, and what the routes table demands of them."""

from dataclasses import dataclass

from management_api.database.projects import Role


@dataclass(frozen=True, slots=True)
class Caller:
    """An authenticated user on one route. `needs` is the role that the route's row asks for in the project at hand."""

    user_id: str
    needs: Role
