"""Uses every part of the library and exits, so that the address sanitizer can check for leaks.

Usage: leaks.py [--plant]; --plant never releases the batches, and the sanitizer must report them.
"""

import ctypes
import pathlib
import sqlite3
import sys
import tempfile

from stores import LIBRARY, connect, ingest, samples

import healthstore

QUERIES = [
    "SELECT * FROM samples LIMIT 10",
    "SELECT sum(value), max(metadata), max(uuid) FROM samples WHERE type IN ('heartRate', "
    "'stepCount') AND subject IN ('ada', 'bob')",
    "SELECT * FROM statistics('stepCount')", "SELECT * FROM changes LIMIT 5",
    "SELECT * FROM workouts", "SELECT * FROM sources", "SELECT * FROM activity_summaries",
    "SELECT * FROM subjects WHERE subject IN ('ada')",
    "SELECT start FROM samples WHERE type = 'heartRate' AND subject = 'ada' ORDER BY start DESC",
]
WRONG = ["SELECT * FROM samples WHERE type = 'x'", "SELECT * FROM statistics('x')"]


def sql(store):
    """Runs queries, including some that fail and one that is not read to the end."""
    database = connect(store)
    for query in QUERIES:
        database.execute(query).fetchall()
    for query in WRONG:
        try:
            database.execute(query)
        except sqlite3.Error:
            pass
    database.execute("SELECT * FROM samples").fetchone()
    database.close()


def arrow(store, count, plants):
    """Reads at most `count` batches of a stream through the C interface."""
    capsule = store.samples(columns=healthstore.ALL_SAMPLE_COLUMNS).__arrow_c_stream__()
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    stream = get(capsule, b"arrow_array_stream")
    call = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
    release = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
    words = lambda memory: ctypes.cast(memory, ctypes.POINTER(ctypes.c_void_p))
    schema, batch = ctypes.create_string_buffer(72), ctypes.create_string_buffer(80)
    assert call(words(stream)[0])(stream, schema) == 0
    release(words(schema)[7])(schema)
    for _ in range(count):
        assert call(words(stream)[1])(stream, batch) == 0
        if not words(batch)[8]:
            break
        if not plants:
            release(words(batch)[8])(batch)


with tempfile.TemporaryDirectory() as directory:
    path = pathlib.Path(directory) / "store"
    ingest(path, samples(61, count=9000))
    for _ in range(10):
        sql(path)
    with healthstore.open(path) as store:
        for count in range(10):
            arrow(store, count, "--plant" in sys.argv)
