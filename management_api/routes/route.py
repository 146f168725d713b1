"""A row of the routes table: a path, its resource, and who may call each method. A row without that cannot be made."""

from enum import Enum

from common.errors import MethodNotAllowedError
from management_api.database.projects import Role
from management_api.resources.declaration import Declaration, declaration_of


class Access(Enum):
    """Who may call a method when no role in one project decides it."""

    #: Any authenticated user; what they see is their own.
    USER = "any authenticated user"
    #: Anyone, without a credential: the operations endpoints.
    OPEN = "anyone"


#: A role is the least role in the project that the request is about.
Permission = Role | Access

#: The methods that every path answers besides its own, without reaching a resource's data.
_COURTESY_METHODS = ("HEAD", "OPTIONS")


class Route:
    """One path of the interface. Each method names who may call it, and the resource must have just these methods.

    A last part `{name:path}` takes slashes as well, in a value that is free text; `template` says so to Falcon, and
    `path` is how the interface writes it.
    """

    def __init__(
        self,
        path: str,
        resource: object,
        *,
        get: Permission | None = None,
        post: Permission | None = None,
        put: Permission | None = None,
        delete: Permission | None = None,
    ) -> None:
        named = {"GET": get, "POST": post, "PUT": put, "DELETE": delete}
        self.template = path
        self.path = path.replace(":path}", "}")
        self.resource = resource
        self.permissions = {method: permission for method, permission in named.items() if permission is not None}
        self._check()

    @property
    def allowed_methods(self) -> list[str]:
        """Name the methods of the `Allow` header."""
        courtesy = _COURTESY_METHODS if "GET" in self.permissions else ("OPTIONS",)
        return sorted({*self.permissions, *courtesy})

    def permission(self, method: str) -> Permission:
        """Give who may call the method; HEAD is a GET without its body. Raises MethodNotAllowedError."""
        if method == "OPTIONS":
            return Access.OPEN
        permission = self.permissions.get("GET" if method == "HEAD" else method)
        if permission is None:
            raise MethodNotAllowedError(self.allowed_methods)
        return permission

    def declaration(self, method: str) -> Declaration:
        """Give what the responder of a method of this row takes and answers. Raises ValueError when it does not say."""
        declared = declaration_of(self.resource, method)
        if declared is None or not declared.summary:
            responder = f"{type(self.resource).__name__}.on_{method.lower()}"
            raise ValueError(f"{self.path}: {responder} must have @answers(...) and a docstring, which document it")
        return declared

    def _check(self) -> None:
        if not self.path.startswith("/"):
            raise ValueError(f"the path {self.path} must begin with /")
        answered = {name.removeprefix("on_").upper() for name in dir(self.resource) if name.startswith("on_")}
        if not answered or answered != self.permissions.keys():
            resource = type(self.resource).__name__
            raise ValueError(
                f"{self.path}: {resource} answers {sorted(answered)}, its row says who may call"
                f" {sorted(self.permissions)}"
            )
        for method in self.permissions:
            self.declaration(method)
