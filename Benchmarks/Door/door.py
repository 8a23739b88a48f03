"""The scenario `door`: compares healthstore.so, and the export of Parquet, with native tables of
SQLite and DuckDB and with pyarrow.

    make bench ARGS="--only door --samples 10000000"

Prints a table of medians. Fails if the results of the compared stores differ.
"""

import argparse
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
TOOL = os.environ.get("HEALTHSTORE_TOOL", str(ROOT / ".build/door/release/healthstore"))
sys.path.insert(0, str(ROOT / "Sources/HealthStoreDoor/Python"))

import duckdb
import pyarrow.parquet

import healthstore

DAY = 86_400
# The day, as a number since 1970, and its figures.
BY_DAY = "count(*), sum(value), min(value), max(value)"
DUCKDB_BY_DAY = (
    "SELECT CAST(epoch(day) / 86400 AS INTEGER), * EXCLUDE day FROM (SELECT "
    f"date_trunc('day', start) AS day, {BY_DAY} FROM {{}} GROUP BY day)")
SQLITE_BY_DAY = (
    f"SELECT CAST(start / 86400 AS INTEGER) AS day, {BY_DAY} FROM {{}} WHERE type = 'heartRate' "
    "GROUP BY day")
GROUPS = (
    "SELECT subject, type, unit, count(*), count(source), sum(value) FROM {} GROUP BY 1, 2, 3 "
    "ORDER BY 1, 2, 3")


def write(samples, file):
    """Writes CSV: a heart rate every five seconds, and steps every minute, alternately of two
    devices."""
    dice = random.Random(1)
    file.write("uuid,type,start,end,value,unit,source,bundleIdentifier,productType,subject\n")
    times = [f"{s // 3600:02}:{s // 60 % 60:02}:{s % 60:02}" for s in range(0, DAY, 5)]
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


class Benchmark:
    """The stores to compare, and the rows of the table."""

    def __init__(self, samples, repetitions, directory):
        self.repetitions = repetitions
        self.directory = directory / str(samples)
        self.directory.mkdir(parents=True, exist_ok=True)
        self.path, self.database = make(samples, self.directory)
        self.store = healthstore.open(self.path)
        self.rows = []
        duckdb.sql("SET TimeZone = 'UTC'")

    def run(self):
        self.columns()
        self.aggregates()
        self.compare(
            "`sum(value)` in SQLite", "SELECT sum(value) FROM {} WHERE type = 'heartRate'",
            lambda ours, theirs: f"≥ 2 × ({theirs / ours:.1f})")
        self.one_day()
        self.identifiers()
        self.parquet()
        print(f"{self.count:,} samples, medians of {self.repetitions}, equal results\n")
        print("| work | here | peers in the same run | must reach |")
        print("| --- | ---: | ---: | --- |")
        for row in self.rows:
            print("| " + " | ".join(row) + " |")

    def medians(self, *acts):
        """Calls the functions in turn, so that a slow phase of the machine affects all of them.

        Returns the median duration in seconds and the last result of each."""
        times, results = [[] for _ in acts], [None] * len(acts)
        for _ in range(self.repetitions):
            for place, act in enumerate(acts):
                # Frees the previous result outside the measured time.
                results[place] = None
                begin = time.perf_counter()
                results[place] = act()
                times[place].append(time.perf_counter() - begin)
        return list(zip(map(statistics.median, times), results))

    def ask(self, query, *arguments):
        return self.database.execute(query, arguments).fetchall()

    def add(self, work, here, peers, target, results):
        """Adds a row, or fails if the results of the stores differ."""
        if any(result != results[0] for result in results):
            raise SystemExit(f"The results of \"{work}\" differ.")
        print(f"measured: {work}", file=sys.stderr)
        self.rows.append((work, here, "; ".join(peers) or "–", target))

    def columns(self):
        [(seconds, found)] = self.medians(lambda: self.store.samples().to_reader().read_all())
        self.count = found.num_rows
        found = found.unify_dictionaries()
        groups = duckdb.sql(GROUPS.format("found")).fetchall()
        self.add(
            "eight columns to pyarrow", f"{self.count / seconds / 1e6:.1f} M rows/s", [],
            "≥ 60 M rows/s", [groups, self.ask(GROUPS.format("own"))])

    def aggregates(self):
        """The daily figures of all heart rates."""
        heart = self.store.samples(type="heartRate")  # DuckDB finds it by this name.
        duckdb.sql("CREATE OR REPLACE TABLE own AS SELECT * FROM heart").fetchall()
        csv = self.directory / "heart.csv"
        of_stream = lambda heart=heart: duckdb.sql(DUCKDB_BY_DAY.format("heart")).fetchall()
        of_table = lambda: duckdb.sql(DUCKDB_BY_DAY.format("own")).fetchall()

        def of_csv():
            self.export(csv, "csv", "--type", "heartRate")
            return duckdb.sql(DUCKDB_BY_DAY.format(f"read_csv('{csv}')")).fetchall()

        (stream, by_stream), (table, by_table) = self.medians(of_stream, of_table)
        [(text, by_text)] = self.medians(of_csv)
        csv.unlink()
        self.add(
            "daily aggregate by DuckDB", milliseconds(stream),
            [f"own table {milliseconds(table)}", f"CSV {milliseconds(text)}"],
            f"≥ 20 × CSV ({text / stream:.1f}), ≤ 6 × own table ({stream / table:.1f})",
            [sorted(by_stream), sorted(by_table), sorted(by_text)])
        [(merged, by_merged)] = self.medians(lambda: self.ask(
            "SELECT start, count, average, minimum, maximum FROM statistics('heartRate', 'ada')"))
        (grouped, by_grouped), (sqlite, by_sqlite) = self.medians(
            lambda: self.ask(SQLITE_BY_DAY.format("samples")),
            lambda: self.ask(SQLITE_BY_DAY.format("own")))
        figures = [
            (int(start / DAY), count, round(average * count), least, most)
            for start, count, average, least, most in by_merged]
        self.add(
            "the same from `statistics`", milliseconds(merged),
            [f"SQLite {milliseconds(sqlite)}", f"DuckDB {milliseconds(table)}"], "≤ 10 ms",
            [figures, sorted(by_table), sorted(by_sqlite)])
        self.add(
            "`GROUP BY day` in SQLite", milliseconds(grouped), [f"SQLite {milliseconds(sqlite)}"],
            f"≥ 1 × ({sqlite / grouped:.1f})", [sorted(by_grouped), sorted(by_sqlite)])

    def one_day(self):
        """Reads a day in the middle of the history."""
        [(first, last)] = self.ask("SELECT first, last FROM subjects")
        begin = (first + last) // 2 // DAY * DAY
        self.compare(
            "a day of one subject in order",
            "SELECT count(s), total(v) FROM (SELECT start AS s, value AS v FROM {} WHERE type = "
            f"'heartRate' AND subject = 'ada' AND start >= {begin} AND start < {begin + DAY} "
            "ORDER BY start LIMIT 1000000)", lambda ours, theirs: "≤ 1.5 ms, < SQLite")

    def compare(self, work, query, target):
        """Measures a query of `samples` and of SQLite's own table."""
        (ours, found), (theirs, wanted) = self.medians(
            lambda: self.ask(query.format("samples")), lambda: self.ask(query.format("own")))
        self.add(
            work, milliseconds(ours), [f"SQLite {milliseconds(theirs)}"], target(ours, theirs),
            [found, wanted])

    def identifiers(self):
        identifiers = self.ask("SELECT uuid FROM own ORDER BY sequence * 2654435761 % 4294967296 "
                               "LIMIT 2000")

        def look_up(table):
            query = f"SELECT value FROM {table} WHERE uuid = ?"
            return [self.ask(query, *row) for row in identifiers]

        (ours, found), (theirs, wanted) = self.medians(
            lambda: look_up("samples"), lambda: look_up("own"))
        shown = [f"{time / len(identifiers) * 1e6:.2f} µs" for time in (ours, theirs)]
        self.add(
            "by UUID", shown[0], [f"SQLite {shown[1]}"], f"≤ 2 × ({ours / theirs:.1f})",
            [found, wanted])

    def parquet(self):
        ours, theirs = self.directory / "ours.parquet", self.directory / "theirs.parquet"
        self.export(ours, "parquet")
        table = pyarrow.parquet.read_table(ours)
        (seconds, _), (peer, _) = self.medians(
            lambda: self.export(ours, "parquet"),
            lambda: pyarrow.parquet.write_table(table, theirs, compression="zstd"))
        shown = [
            f"{self.count / time / 1e6:.2f} M rows/s, "
            f"{file.stat().st_size / self.count:.2f} B a row"
            for time, file in ((seconds, ours), (peer, theirs))]
        self.add(
            "export to Parquet", shown[0], [f"pyarrow, zstd {shown[1]}"],
            "≥ 3.5 M rows/s, ≤ its bytes",
            [duckdb.sql(GROUPS.format(f"'{path}'")).fetchall() for path in (ours, theirs)]
            + [self.ask(GROUPS.format("own"))])
        ours.unlink()
        theirs.unlink()

    def export(self, path, kind, *options):
        with open(path, "wb") as file:
            subprocess.run(
                [TOOL, "export", "--store", self.path, "--format", kind, "--all-subjects",
                 *options], stdout=file, stderr=subprocess.DEVNULL, check=True)


def milliseconds(seconds):
    return f"{seconds * 1e3:.2f} ms"


def main():
    parser = argparse.ArgumentParser(prog="make bench")
    parser.add_argument("--only", choices=["door"], help="this scenario")
    parser.add_argument("--samples", type=int, default=1_000_000, help="default: 1000000")
    parser.add_argument("--repeat", type=int, default=5, help="default: 5")
    parser.add_argument(
        "--directory", type=pathlib.Path, default=ROOT / ".build/benchmark-data/door")
    options = parser.parse_args()
    Benchmark(options.samples, options.repeat, options.directory).run()


if __name__ == "__main__":
    main()
