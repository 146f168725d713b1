"""Databases for single tests, cloned from a template that is migrated once in a run."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
from psycopg import sql
from pydantic import SecretStr

from common.settings.shared import DatabaseSettings
from deploy.local.supervision.file_lock import try_lock
from management_api.db.migrate import migrate
from tests.support.polling import eventually

_TEMPLATE = "migrated_template"


class FreshDatabases:
    """Creates and drops databases on the PostgreSQL of the test run."""

    def __init__(self, server_url: str, run_folder: Path) -> None:
        self._server_url = server_url
        self._run_folder = run_folder

    @contextmanager
    def empty(self) -> Iterator[str]:
        """Create a database without tables for the length of the block; yield its URL."""
        with self._database("template0") as url:
            yield url

    @contextmanager
    def migrated(self) -> Iterator[str]:
        """Create a database with the current schema for the length of the block; yield its URL."""
        self._make_template()
        with self._database(_TEMPLATE) as url:
            yield url

    @contextmanager
    def _database(self, template: str) -> Iterator[str]:
        name = f"test_{secrets.token_hex(8)}"
        self._execute("CREATE DATABASE {} TEMPLATE {} STRATEGY WAL_LOG", name, template)
        try:
            yield self._url_of(name)
        finally:
            self._execute("DROP DATABASE {} WITH (FORCE)", name)

    def _make_template(self) -> None:
        done = self._run_folder / "template.done"
        if done.exists():
            return
        lock = eventually(lambda: try_lock(self._run_folder / "template.lock"), within=60)
        try:
            if not done.exists():
                self._execute("DROP DATABASE IF EXISTS {}", _TEMPLATE)
                self._execute("CREATE DATABASE {}", _TEMPLATE)
                migrate(DatabaseSettings(database_url=SecretStr(self._url_of(_TEMPLATE))))
                done.touch()
        finally:
            os.close(lock)

    def _execute(self, statement: str, *names: str) -> None:
        with psycopg.connect(self._server_url, autocommit=True) as connection:
            connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))

    def _url_of(self, name: str) -> str:
        return urlsplit(self._server_url)._replace(path=f"/{name}").geturl()
