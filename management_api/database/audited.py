"""What a table tells the audit log: the word for its rows, the columns that may be shown, the verbs for its changes."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Audited:
    """Stands in a model as `audited`. Only `columns` ever reach the log, so a key, a digest or a seal cannot."""

    entity: str
    columns: tuple[str, ...]
    id_column: str = "id"
    created: str = "create"
    updated: str = "update"
    deleted: str = "delete"
