"""Waiting in tests: repeat a check until it passes or the deadline has passed."""

import inspect
import time
from collections.abc import Callable
from typing import TypeVar, cast, overload

_PAUSE_SECONDS = 0.02

Value = TypeVar("Value")


@overload
def eventually(check: Callable[[], None], *, within: float = ...) -> None: ...
@overload
def eventually(check: Callable[[], Value | None], *, within: float = ...) -> Value: ...
def eventually(check: Callable[[], Value | None], *, within: float = 10.0) -> Value | None:
    """Call `check` until it returns a true value and raises no AssertionError, and return that value.

    A function that is declared to return None passes as soon as it raises no AssertionError. After `within` seconds the
    last AssertionError is raised, or one that shows the last value.
    """
    asserts_only = inspect.signature(check).return_annotation in (None, "None")
    deadline = time.monotonic() + within
    while True:
        try:
            value = check()
            if value or asserts_only:
                return cast("Value", value)
            failure = AssertionError(f"still {value!r} after {within} s")
        except AssertionError as error:
            failure = error
        if time.monotonic() >= deadline:
            raise failure
        time.sleep(_PAUSE_SECONDS)
