"""The documents of the repository, and what of their Markdown can be checked: headings, links, code."""

import functools
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
_NOT_OURS = ("build", "dist", "load-reports")
_INSTALLED = {".pytest_cache", "__pycache__", "node_modules"}
_SOURCE_SUFFIXES = {".py", ".md", ".toml", ".yaml", ".template", ".sh", ".conf"}

_FENCE = re.compile(r"^(?P<fence>```+|~~~+)[^\n]*\n(?P<code>.*?)^(?P=fence)`*\s*$", re.MULTILINE | re.DOTALL)
_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_HEADING = re.compile(r"^ {0,3}#{1,6} +(.+?)(?: +#+)? *$", re.MULTILINE)
_INLINE_LINK = re.compile(r"\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)")
_REFERENCE = re.compile(r"^ {0,3}\[[^\]]+\]:\s+(\S+)", re.MULTILINE)


def documents() -> list[Path]:
    """Return every Markdown file that is part of the repository."""
    return sorted(path for path in source_files() if path.suffix == ".md")


@functools.cache
def source_files() -> tuple[Path, ...]:
    """Return the files of the repository that may name documents, Markdown included."""
    return tuple(path for path in _files(ROOT) if path.suffix in _SOURCE_SUFFIXES)


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder, without entering folders of installed packages, which have tens of thousands."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if folder == ROOT and (entry.name.startswith(".") or entry.name in _NOT_OURS):
                continue
            if entry.is_file():
                yield Path(entry.path)
            elif entry.is_dir() and entry.name not in _INSTALLED:
                yield from _files(Path(entry.path))


def name_of(document: Path) -> str:
    """Name a document as people do."""
    return document.relative_to(ROOT).as_posix()


def errors_in(found: Iterable[Path], errors_of: Callable[[str], Iterable[str]]) -> dict[str, list[str]]:
    """Return the errors in the texts of documents by the documents' names; documents without errors are left out."""
    errors = {name_of(document): list(errors_of(document.read_text())) for document in found}
    return {name: each for name, each in errors.items() if each}


def links_of(text: str) -> list[str]:
    """Return the targets of all links and pictures, as they are written."""
    prose = _SPAN.sub("", _FENCE.sub("", text))
    return [*_INLINE_LINK.findall(prose), *_REFERENCE.findall(prose)]


def anchors_of(text: str) -> frozenset[str]:
    """Return the anchors of the headings, as the usual hosts derive them."""
    seen: Counter[str] = Counter()
    anchors: set[str] = set()
    for heading in _HEADING.findall(_FENCE.sub("", text)):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").replace("*", "")
        anchor = re.sub(r"[^\w\- ]", "", words.strip().lower()).replace(" ", "-")
        anchors.add(f"{anchor}-{seen[anchor]}" if seen[anchor] else anchor)
        seen[anchor] += 1
    return frozenset(anchors)


def code_of(text: str) -> Iterator[str]:
    """Return every line of fenced code, joined where a backslash continues it, and every code span."""
    for block in _FENCE.finditer(text):
        yield from block["code"].replace("\\\n", " ").splitlines()
    yield from spans_of(text)


def spans_of(text: str) -> Iterator[str]:
    """Return every code span."""
    for span in _SPAN.finditer(_FENCE.sub("", text)):
        yield " ".join(span[2].split())
