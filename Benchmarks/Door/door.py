"""Compares healthstore.so with native SQLite and DuckDB tables of the same samples.

Usage: door.py [SAMPLES [DIRECTORY]]

Prints a table of the medians of five runs. `make door-bench` runs it.
"""

import datetime
import os
import pathlib
import random
import sqlite3
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARY = os.environ.setdefault("HEALTHSTORE_LIBRARY", str(ROOT / ".build/healthstore.so"))
TOOL = os.environ.get("HEALTHSTORE_TOOL", str(ROOT / ".build/release/healthstore"))
sys.path.insert(0, str(ROOT / "Sources/HealthStoreDoor/Python"))

import duckdb
import healthstore

RUNS = 5
DAY = "start >= 1717200000 AND start < 1717286400"
BY_DAY = "date_trunc('day', start) AS day, count(*), sum(value), min(value), max(value)"
BY_DAY_OF_SQLITE = "CAST(start / 86400 AS INT) AS d, count(*), sum(value), min(value), max(value)"


def write(samples, file):
    """Writes CSV: a heart rate every five seconds, and steps every minute, alternately of two
    devices."""
    dice = random.Random(1)
    file.write("uuid,type,start,end,value,unit,source,bundleIdentifier,productType,subject\n")
    times = [f"{s // 3600:02}:{s // 60 % 60:02}:{s % 60:02}" for s in range(0, 86_400, 5)]
    number, day, rate = 0, datetime.date(2024, 1, 1), 60
    sources = ['Watch,com.w,"Watch6,1"', 'Phone,com.p,"iPhone14,2"']
    while number < samples:
        lines = []
        for place, text in enumerate(times):
            number += 1
            rate = max(45, min(180, rate + dice.randrange(-2, 3)))
            uuid = f"{number * 2654435761 & 0xFFFFFFFF:08x}-0000-4000-8000-{number:012x}"
            at = f"{day}T{text}Z"
            lines.append(f"{uuid},heartRate,{at},{at},{rate},count/min,{sources[0]},ada\n")
            if place % 12 == 0 and place + 12 < len(times):
                number += 1
                uuid = f"{number * 2654435761 & 0xFFFFFFFF:08x}-0000-4000-8000-{number:012x}"
                lines.append(
                    f"{uuid},stepCount,{at},{day}T{times[place + 12]}Z,{dice.randrange(120)},count,"
                    f"{sources[place // 12 % 2]},ada\n")
        file.write("".join(lines))
        day += datetime.timedelta(days=1)


def make(samples, directory):
    """Creates the store and the SQLite table, unless they exist; returns the store and the
    connection."""
    store, own = directory / "store", directory / "own.db"
    if not store.exists():
        work = subprocess.Popen(
            [TOOL, "ingest", "-", "--store", str(store)], stdin=subprocess.PIPE, text=True,
            stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        write(samples, work.stdin)
        work.stdin.close()
        if work.wait() != 0:
            raise SystemExit("The samples could not be saved.")
    database = sqlite3.connect(own)
    database.enable_load_extension(True)
    database.execute("SELECT load_extension(?)", [LIBRARY])
    database.execute("SELECT healthstore_open(?)", [str(store)])
    database.execute("PRAGMA cache_size = -400000")
    if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'by_uuid'").fetchone():
        database.executescript("""
            PRAGMA journal_mode = off; PRAGMA synchronous = off;
            DROP TABLE IF EXISTS own;
            CREATE TABLE own(
              sequence INTEGER PRIMARY KEY, subject TEXT, type TEXT, start REAL, end REAL,
              value REAL, unit TEXT, source TEXT, uuid TEXT);
            INSERT INTO own SELECT sequence, subject, type, start, end, value, unit, source, uuid
              FROM samples;
            CREATE INDEX by_start ON own(type, subject, start);
            CREATE UNIQUE INDEX by_uuid ON own(uuid);
            ANALYZE;
            """)
    return store, database


def median(act):
    """Returns the median duration of `RUNS` calls, in seconds."""
    times = []
    for _ in range(RUNS):
        begin = time.perf_counter()
        act()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def by_day(heart):
    """Aggregates a result by day; DuckDB finds it by the name of the parameter."""
    return duckdb.sql(f"SELECT {BY_DAY} FROM heart GROUP BY day").fetchall()


def by_csv(store):
    """Exports the heart rates as CSV and aggregates them with DuckDB."""
    path = store.parent / "heart.csv"
    with open(path, "wb") as file:
        subprocess.run(
            [TOOL, "export", "--store", str(store), "--format", "csv", "--type", "heartRate",
             "--all-subjects"], stdout=file, stderr=subprocess.DEVNULL, check=True)
    duckdb.sql(f"SELECT {BY_DAY} FROM read_csv('{path}') GROUP BY day").fetchall()
    path.unlink()


def main():
    samples = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
    directory = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else ROOT / ".build/door-bench")
    directory = directory / str(samples)
    directory.mkdir(parents=True, exist_ok=True)
    path, database = make(samples, directory)
    store = healthstore.open(path)
    everything, heart = store.samples(), store.samples(type="heartRate")
    count = everything.to_reader().read_all().num_rows
    duckdb.sql("CREATE TABLE own AS SELECT * FROM heart").fetchall()
    ask = lambda query, *arguments: database.execute(query, arguments).fetchall()
    identifiers = [row[0] for row in ask("SELECT uuid FROM own ORDER BY random() LIMIT 2000")]
    rows = []

    def row(work, seconds, peers, must, unit=1e3, suffix="ms"):
        shown = [f"{name} {time * unit:.2f} {suffix}" for name, time in peers]
        rows.append((work, f"{seconds * unit:.2f} {suffix}", "; ".join(shown) or "–", must))

    seconds = median(lambda: everything.to_reader().read_all())
    rows.append(
        ("eight columns to pyarrow", f"{count / seconds / 1e6:.1f} M rows/s", "–", "≥ 60 M rows/s"))
    stream = median(lambda: by_day(heart))
    own = median(lambda: duckdb.sql(f"SELECT {BY_DAY} FROM own GROUP BY day").fetchall())
    csv = median(lambda: by_csv(path))
    row("daily aggregate by DuckDB", stream, [("own table", own), ("CSV", csv)],
        f"≥ 20 × CSV ({csv / stream:.1f}), ≤ 6 × own ({stream / own:.1f})")
    merged = "SELECT start, count, average, minimum, maximum FROM statistics('heartRate', 'ada')"
    grouped = f"SELECT {BY_DAY_OF_SQLITE} FROM {{}} WHERE type = 'heartRate' GROUP BY d"
    sqlite_grouped = median(lambda: ask(grouped.format("own")))
    row("the same from `statistics`", median(lambda: ask(merged)),
        [("SQLite", sqlite_grouped), ("DuckDB", own)], "≤ 10 ms")
    total = "SELECT sum(value) FROM {} WHERE type = 'heartRate'"
    ours, theirs = [median(lambda: ask(total.format(name))) for name in ("samples", "own")]
    row("`sum(value)` in SQLite", ours, [("SQLite", theirs)], f"≥ 2 × ({theirs / ours:.1f})")
    ours = median(lambda: ask(grouped.format("samples")))
    row("`GROUP BY day` in SQLite", ours, [("SQLite", sqlite_grouped)],
        f"≥ 1 × ({sqlite_grouped / ours:.1f})")
    day = (
        "SELECT count(s), total(v) FROM (SELECT start AS s, value AS v FROM {} WHERE "
        f"type = 'heartRate' AND subject = 'ada' AND {DAY} ORDER BY start LIMIT 1000000)")
    ours, theirs = [median(lambda: ask(day.format(name))) for name in ("samples", "own")]
    row("a day of one subject in order", ours, [("SQLite", theirs)], "≤ 1.5 ms, < SQLite")

    def look_up(name):
        for one in identifiers:
            ask(f"SELECT value FROM {name} WHERE uuid = ?", one)

    ours, theirs = [median(lambda: look_up(name)) / 2000 for name in ("samples", "own")]
    row("by UUID", ours, [("SQLite", theirs)], f"≤ 2 × ({ours / theirs:.1f})", 1e6, "µs")
    print(f"{count:,} samples, medians of {RUNS}\n\n| work | here | peers | must reach |")
    print("| --- | --- | --- | --- |")
    for one in rows:
        print("| " + " | ".join(one) + " |")


if __name__ == "__main__":
    main()
