"""Reads a health store, also while another process writes to it.

    import healthstore
    store = healthstore.open("health")
    store.samples(type="heartRate", subject="ada", since="2026-01-01").to_pandas()

Every result implements ``__arrow_c_stream__``, so pyarrow, Polars, pandas and DuckDB can read it
without copying. Each read of a result uses a new snapshot of the store. ``make door`` builds the
shared library that this module loads.
"""

import ctypes
import datetime
import json
import math
import os
import threading

__all__ = ["Error", "Result", "Store", "open", "library_path"]

#: The default columns of samples.
SAMPLE_COLUMNS = (
    "subject", "type", "start", "end", "value", "unit", "source", "device",
)
#: All columns of samples; the last four are slower to read.
ALL_SAMPLE_COLUMNS = SAMPLE_COLUMNS + ("value_name", "metadata", "uuid", "sequence")

#: The default columns of statistics; they omit `duration`, which is slower to compute.
STATISTICS_COLUMNS = (
    "subject", "start", "end", "count", "sum", "average", "minimum", "maximum", "unit",
)

_STREAM_NAME = ctypes.create_string_buffer(b"arrow_array_stream")


class Error(Exception):
    """An error of the library, with a message for the user."""


def library_path():
    """Returns the path of ``healthstore.so``; ``HEALTHSTORE_LIBRARY`` overrides it.

    The same file is the SQLite extension.
    """
    named = os.environ.get("HEALTHSTORE_LIBRARY")
    if named:
        return named
    here = os.path.dirname(os.path.abspath(__file__))
    installed = os.path.join(here, "healthstore.so")
    if os.path.exists(installed):
        return installed
    root = os.path.join(here, *[os.pardir] * 4)
    return os.path.normpath(os.path.join(root, ".build", "healthstore.so"))


# Serialises loading the library, and opening streams with closing stores.
_lock = threading.RLock()
_loaded = None


def _renew_lock():
    """Replaces the lock in a forked child, because the thread that held it may not exist there."""
    global _lock
    _lock = threading.RLock()


os.register_at_fork(after_in_child=_renew_lock)


def _library():
    global _loaded
    with _lock:
        if _loaded is None:
            path = library_path()
            if not os.path.exists(path):
                raise Error(
                    f"There is no {path}; run `make door` in swift-health-store, or set "
                    "HEALTHSTORE_LIBRARY to the path of the library."
                )
            library = ctypes.CDLL(path)
            pointer = ctypes.c_void_p
            library.healthstore_open.argtypes = [ctypes.c_char_p, ctypes.POINTER(pointer)]
            library.healthstore_open.restype = pointer
            library.healthstore_close.argtypes = [pointer]
            library.healthstore_close.restype = None
            library.healthstore_stream.argtypes = [pointer, ctypes.c_char_p, pointer]
            library.healthstore_stream.restype = pointer
            library.healthstore_stream_allocate.restype = pointer
            library.healthstore_free.argtypes = [pointer]
            library.healthstore_free.restype = None
            _loaded = library
        return _loaded


def _check(library, message):
    if message:
        text = ctypes.string_at(message).decode("utf-8", "replace")
        library.healthstore_free(message)
        raise Error(text)


def _seconds(time):
    """Converts a time to seconds since 1970; naive times are UTC, as in the columns."""
    if isinstance(time, bool):
        raise TypeError("A time is a number of seconds, a date, a datetime or ISO 8601.")
    if isinstance(time, (int, float)):
        if not math.isfinite(time):
            raise ValueError("A time is finite.")
        return float(time)
    if isinstance(time, str):
        text = time[:-1] + "+00:00" if time.endswith(("Z", "z")) else time
        time = datetime.datetime.fromisoformat(text)
    if isinstance(time, datetime.date) and not isinstance(time, datetime.datetime):
        time = datetime.datetime(time.year, time.month, time.day)
    if not isinstance(time, datetime.datetime):
        raise TypeError("A time is a number of seconds, a date, a datetime or ISO 8601.")
    if time.tzinfo is None:
        time = time.replace(tzinfo=datetime.timezone.utc)
    epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    return (time - epoch) / datetime.timedelta(seconds=1)


def _texts(value):
    return [value] if isinstance(value, str) else [str(one) for one in value]


class Result:
    """A query that reads rows of a store each time a consumer requests a stream."""

    def __init__(self, store, table, conditions, columns=None):
        self._store = store
        self._table = table
        self._conditions = conditions
        self._columns = list(columns) if columns is not None else None

    def __arrow_c_stream__(self, requested_schema=None):
        library = _library()
        stream = library.healthstore_stream_allocate()
        if not stream:
            raise MemoryError
        query = {"table": self._table, "conditions": self._conditions}
        if self._columns is not None:
            query["columns"] = self._columns
        try:
            self._store._stream(json.dumps(query), stream)
        except BaseException:
            library.healthstore_free(stream)
            raise
        make = ctypes.pythonapi.PyCapsule_New
        make.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
        make.restype = ctypes.py_object
        destructor = ctypes.cast(library.healthstore_capsule_free, ctypes.c_void_p)
        return make(stream, ctypes.addressof(_STREAM_NAME), destructor)

    def to_reader(self):
        """Returns a ``pyarrow.RecordBatchReader``, which keeps few rows in memory at a time."""
        import pyarrow

        return pyarrow.RecordBatchReader.from_stream(self)

    def to_arrow(self):
        """Returns a ``pyarrow.Table``, with one dictionary per column for all batches."""
        return self.to_reader().read_all().unify_dictionaries()

    def to_pandas(self):
        """Returns a ``pandas.DataFrame``, with names as categorical columns."""
        return self.to_arrow().to_pandas()

    def to_polars(self):
        """Returns a ``polars.DataFrame``."""
        import polars

        return polars.from_arrow(self.to_arrow())

    def lazy(self):
        """Returns a ``polars.LazyFrame`` that reads only the columns and rows that a query uses."""
        import polars
        from polars.io.plugins import register_io_source

        schema = polars.from_arrow(self.to_reader().schema.empty_table()).schema

        def rows(with_columns, predicate, n_rows, batch_size):
            columns = list(with_columns) if with_columns is not None else list(schema)
            tests = _pushed(predicate) if self._table == "samples" else []
            wanted = Result(self._store, self._table, self._conditions + tests, columns)
            left = n_rows
            for batch in wanted.to_reader():
                frame = polars.from_arrow(batch).select(columns)
                if predicate is not None:
                    frame = frame.filter(predicate)
                if left is not None:
                    frame = frame.head(left)
                    left -= frame.height
                if frame.height:
                    yield frame
                if left == 0:
                    return

        return register_io_source(io_source=rows, schema=schema)


def _pushed(predicate):
    """Returns the conditions of a Polars predicate that the store can apply.

    The caller filters with the whole predicate again, so unsupported conditions are omitted.
    """
    if predicate is None:
        return []
    try:
        tree = json.loads(predicate.meta.serialize(format="json"))
    except Exception:  # The serialised format may change with Polars.
        return []
    tests = []
    _collect(tree, tests)
    return tests


_OPERATORS = {"Eq": "=", "Lt": "<", "LtEq": "<=", "Gt": ">", "GtEq": ">="}
_MIRRORED = {"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def _collect(tree, tests):
    binary = tree.get("BinaryExpr") if isinstance(tree, dict) else None
    if not isinstance(binary, dict):
        return
    operation = binary.get("op")
    if operation in ("And", "LogicalAnd"):
        _collect(binary["left"], tests)
        _collect(binary["right"], tests)
        return
    comparison = _OPERATORS.get(operation)
    if comparison is None:
        return
    column, value = _column(binary["left"]), _literal(binary["right"])
    if column is None:
        column, value = _column(binary["right"]), _literal(binary["left"])
        comparison = _MIRRORED[comparison]
    if column is None or value is None:
        return
    kind, value = value
    if column in ("subject", "type", "uuid") and kind == "text" and comparison == "=":
        tests.append([column, "=", value])
    elif column in ("start", "end") and kind == "time":
        # Widens the range, because the columns are rounded to microseconds.
        if comparison in ("=", ">", ">="):
            tests.append([column, ">=", value - 2e-6])
        if comparison in ("=", "<", "<="):
            tests.append([column, "<=", value + 2e-6])
    elif column == "value" and kind == "number" and not math.isnan(value):
        # Polars orders NaN above all numbers, but a lower bound in the store excludes NaN.
        if comparison not in (">", ">="):
            tests.append([column, comparison, value])


def _column(tree):
    return tree.get("Column") if isinstance(tree, dict) else None


def _literal(tree):
    """Returns the kind and the value of a literal, or None if it is not supported."""
    if isinstance(tree, dict) and "Cast" in tree:
        # Other casts may change the value.
        if "Microseconds" not in json.dumps(tree["Cast"].get("dtype")):
            return None
        tree = tree["Cast"].get("expr")
    while isinstance(tree, dict):
        for name in ("Literal", "Dyn", "Scalar"):
            if name in tree:
                tree = tree[name]
                break
        else:
            break
    if not isinstance(tree, dict) or len(tree) != 1:
        return None
    (name, value), = tree.items()
    if name in ("String", "StringOwned") and isinstance(value, str):
        return ("text", value)
    if name in ("Int", "Float", "Int32", "Int64", "Float64") and isinstance(value, (int, float)):
        return ("number", float(value))
    if name in ("Datetime", "DatetimeOwned", "DateTime") and isinstance(value, list):
        scale = {"Nanoseconds": 1e9, "Microseconds": 1e6, "Milliseconds": 1e3}.get(value[1])
        if scale and value[2] is None:
            return ("time", value[0] / scale)
    return None


class Store:
    """A store that is open for reading; thread-safe."""

    def __init__(self, path):
        self.path = os.fspath(path)
        library = _library()
        handle = ctypes.c_void_p()
        _check(library, library.healthstore_open(self.path.encode(), ctypes.byref(handle)))
        self._handle = handle
        self._free = library.healthstore_close

    def _stream(self, query, stream):
        """Initialises a stream of the rows that a JSON query selects."""
        # The lock keeps another thread from closing the store while the stream opens.
        with _lock:
            if self._handle is None:
                raise Error("The store has been closed.")
            library = _library()
            _check(library, library.healthstore_stream(self._handle, query.encode(), stream))

    def close(self):
        """Closes the store; open streams remain readable."""
        with _lock:
            handle, self._handle = self._handle, None
            if handle is not None:
                self._free(handle)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, "_handle", None) is not None:
            self.close()

    def samples(self, type=None, subject=None, since=None, until=None, value=None, columns=None):
        """Returns samples, in no particular order.

        ``type`` and ``subject`` are names or lists of names. Samples start at or after ``since``
        and before ``until``. A time is ISO 8601 text, a datetime, a date or seconds since 1970, in
        UTC unless it has a UTC offset. ``value`` is a pair of inclusive bounds, either of which may
        be None.
        """
        conditions = []
        if type is not None:
            conditions.append(["type", "=", *_texts(type)])
        if subject is not None:
            conditions.append(["subject", "=", *_texts(subject)])
        if since is not None:
            conditions.append(["start", ">=", _seconds(since)])
        if until is not None:
            conditions.append(["start", "<", _seconds(until)])
        if value is not None:
            for sign, bound, unbounded in zip((">=", "<="), value, (-math.inf, math.inf)):
                if bound is None or bound == unbounded:
                    continue
                # JSON cannot represent them.
                if not math.isfinite(bound):
                    raise ValueError("A bound of value is a finite number or None.")
                conditions.append(["value", sign, float(bound)])
        return Result(self, "samples", conditions, columns)

    def statistics(
        self, type, every="1d", time_zone="UTC", subject=None, since=None, until=None,
        by_source=False, columns=None,
    ):
        """Returns HealthKit's statistics by interval; merging sources counts overlaps once."""
        conditions = [
            ["type", "=", *_texts(type)], ["every", "=", every], ["time_zone", "=", time_zone],
        ]
        if subject is not None:
            conditions.append(["subject", "=", *_texts(subject)])
        if since is not None:
            conditions.append(["start", ">=", _seconds(since)])
        if until is not None:
            conditions.append(["start", "<", _seconds(until)])
        if by_source:
            conditions.append(["options", "=", "separateBySource"])
        if columns is None:
            columns = STATISTICS_COLUMNS + (("source",) if by_source else ())
        return Result(self, "statistics", conditions, columns)

    def changes(self, after=None):
        """Returns additions, deletions and erasures after an anchor, in commit order.

        The last row has the kind ``anchor`` and contains the anchor for the next call.
        """
        return Result(self, "changes", [] if after is None else [["after", "=", after]])

    def workouts(self, subject=None):
        """Returns workouts, in kilocalories, metres, seconds and beats per minute."""
        return self._list("workouts", subject)

    def activity_summaries(self, subject=None):
        """Returns the rings of each day, in kilocalories, minutes and hours."""
        return self._list("activity_summaries", subject)

    def subjects(self):
        """Returns the subjects, with the number and the date range of their samples."""
        return self._list("subjects", None)

    def sources(self, subject=None):
        """Returns the sources, with the number and the date range of their samples."""
        return self._list("sources", subject)

    def _list(self, table, subject):
        conditions = [] if subject is None else [["subject", "=", *_texts(subject)]]
        return Result(self, table, conditions)


def open(path=None):
    """Opens a store for reading; the default path is the value of ``HEALTHSTORE_PATH``."""
    path = path or os.environ.get("HEALTHSTORE_PATH")
    if not path:
        raise Error("Pass the directory of a store, or set HEALTHSTORE_PATH.")
    return Store(path)
