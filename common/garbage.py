"""How a busy process collects garbage: rarely, and never through what stays as long as the process does."""

import gc

#: Requests, and batches of rows, leave next to no cycles behind, so that the default of 700 objects only costs.
_YOUNG_OBJECTS = 20_000
_YOUNG_COLLECTIONS = 20
_MIDDLE_COLLECTIONS = 50


def tune_gc() -> None:
    """Collect what the start has left, and keep what it has made out of every later collection.

    A full collection visits every object there is: with the modules, and with the snapshots that were read from the
    disk, that would be a pause of many milliseconds now and then.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG_OBJECTS, _YOUNG_COLLECTIONS, _MIDDLE_COLLECTIONS)
