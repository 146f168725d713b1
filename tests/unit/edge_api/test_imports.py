"""The edge imports nothing that only the publisher or management uses."""

import subprocess
import sys

#: `management_api` has the key vault.
FORBIDDEN = {"alembic", "brotli", "falcon", "management_api", "numpy", "psycopg", "publisher", "sqlalchemy"}
IMPORT_EVERY_MODULE = """
import importlib, pkgutil, sys
import edge_api
for module in pkgutil.walk_packages(edge_api.__path__, "edge_api."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
print(*sys.modules)
"""


def test_edge_imports_nothing_of_publisher_and_management() -> None:
    imported = subprocess.run(  # noqa: S603 - our own code
        [sys.executable, "-c", IMPORT_EVERY_MODULE], capture_output=True, text=True, check=True
    ).stdout.split()
    assert "edge_api.snapshots" in imported
    assert FORBIDDEN.isdisjoint(imported)
