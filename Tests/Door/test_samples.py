"""The table `samples`: rows equal an export, for every constraint that SQLite can push down."""

import json
import random
import sqlite3
import subprocess
import unittest

from stores import (
    LIBRARY, ROOT, THOROUGH, StoreTest, connect, exported, ingest, samples, text_of, tool
)

COLUMNS = (
    "subject type start end value value_name unit source device metadata uuid sequence".split()
)

# Orders without ties.
EXACT_ORDERS = [" ORDER BY start, sequence", " ORDER BY start DESC, sequence DESC"]


def seconds(text):
    """Parses a date of an export to seconds since 1970."""
    import datetime

    whole, _, fraction = text.rstrip("Z").partition(".")
    time = datetime.datetime.fromisoformat(whole) - datetime.datetime(1970, 1, 1)
    return time.days * 86_400 + time.seconds + (float("0." + fraction) if fraction else 0)


def row_of(sample):
    """Converts a sample of an export to a row of `samples`, without the sequence number."""
    device, metadata = sample.get("device"), sample.get("metadata")
    return (
        sample.get("subject", ""), sample["type"], seconds(sample["start"]),
        seconds(sample["end"]), sample.get("value"), sample.get("valueName"),
        sample.get("unit"), sample.get("source"), device, metadata, sample["uuid"],
    )


class SamplesTests(StoreTest):
    def test_rows_equal_an_export(self):
        ingest(self.store, samples(1))
        rows = connect(self.store).execute("SELECT * FROM samples").fetchall()
        found = [
            row[:8] + tuple(json.loads(x) if x else None for x in row[8:10]) + row[10:11]
            for row in rows
        ]
        key = lambda row: row[10]
        self.assertEqual(
            sorted(found, key=key), sorted(map(row_of, exported(self.store)), key=key)
        )
        self.assertEqual(len({row[11] for row in rows}), len(rows))

    def test_rows_of_every_family_equal_an_export(self):
        fixtures = ROOT / "Tests" / "Fixtures"
        for path in sorted(fixtures.glob("*/*.xml")) + sorted(fixtures.glob("*/*/export.xml")):
            tool("import", path, "--store", self.store, "--subject", path.stem, check=False)
        self.compare_families(self.store, 8)
        # This store has objects of every family.
        self.compare_families(fixtures / "objects/v1/store", 15)

    def compare_families(self, store, least):
        samples = [sample for sample in exported(store) if "uuid" in sample]
        self.assertGreater(len({sample["type"] for sample in samples}), least)
        wanted = {sample["uuid"]: row_of(sample) for sample in samples}
        rows = connect(store).execute("SELECT * FROM samples").fetchall()
        self.assertEqual(len(rows), len(wanted))
        for row in rows:
            found = row[:8] + tuple(json.loads(x) if x else None for x in row[8:10]) + row[10:11]
            self.assertEqual(found, wanted[row[10]])

    def test_stores_of_every_version_are_read(self):
        for store in sorted((ROOT / "Tests" / "Fixtures").glob("v*/store")):
            database = connect(store)
            [(count,)] = database.execute("SELECT count(*) FROM samples")
            self.assertEqual(len(database.execute("SELECT * FROM samples").fetchall()), count)
            self.assertGreater(count, 0)

    def test_an_empty_store_has_no_rows(self):
        ingest(self.store, samples(2, count=1))
        [uuid] = [sample["uuid"] for sample in exported(self.store)]
        self.assertEqual(
            connect(self.store).execute(
                "SELECT count(*) FROM samples WHERE uuid = ?", [uuid.lower()]
            ).fetchone(), (1,))
        tool("delete", "--store", self.store, "--yes", "--uuid", uuid, check=False)
        for table in ["samples", "changes", "workouts", "activity_summaries", "subjects"]:
            connect(self.store).execute(f"SELECT * FROM {table}").fetchall()

    def test_the_sqlite_shell_loads_the_extension(self):
        ingest(self.store, samples(3, count=50))
        done = subprocess.run(
            ["sqlite3", ":memory:", f".load {LIBRARY}", f"SELECT healthstore_open('{self.store}');",
             "SELECT count(*) FROM samples;"], capture_output=True, text=True, check=False)
        self.assertEqual(done.stderr, "")
        self.assertEqual(done.stdout.split()[-1], "50")

    def test_rows_of_a_series_are_in_order_without_a_sort(self):
        ingest(self.store, samples(4))
        database = connect(self.store)
        for direction in ["ASC", "DESC"]:
            query = (
                "SELECT start, sequence FROM samples WHERE type = 'heartRate' AND subject = 'ada' "
                f"ORDER BY start {direction}")
            for suffix in ["", f", sequence {direction}"]:
                plan = " ".join(
                    str(row) for row in database.execute("EXPLAIN QUERY PLAN " + query + suffix))
                self.assertNotIn("TEMP B-TREE", plan)
            rows = database.execute(query).fetchall()
            self.assertEqual(rows, sorted(rows, reverse=direction == "DESC"))
            self.assertGreater(len(rows), 10)
            for limit in [1, 3, 70]:
                self.assertEqual(
                    database.execute(query + f" LIMIT {limit}").fetchall(), rows[:limit])


class OrderTests(StoreTest):
    """Compares the rows of one series, in order of start, with a sorted array of all its rows."""

    def setUp(self):
        super().setUp()
        dice = random.Random(18)
        # Many rows have the same start, so ties cross pages and blocks.
        inputs = [
            {"uuid": f"{number:08X}-0000-4000-8000-000000000000", "subject": "ada",
             "type": "heartRate", "unit": "count/min", "value": dice.randrange(40, 180),
             "start": text_of(1_700_000_000 + start), "end": text_of(1_700_000_000 + start + 1)}
            for number, start in enumerate(
                dice.choice([0, 60, 60.25, dice.randrange(0, 40) * 60]) for _ in range(9300))
        ]
        # Two sealed segments, and rows that are only in the log.
        for seed, part in enumerate([inputs[:4500], inputs[4500:9000]]):
            ingest(self.store, part + samples(seed, count=50, subjects=("bob",)))
            tool("compact", "--store", self.store)
        ingest(self.store, inputs[9000:])
        self.database = connect(self.store)
        sequences = dict(self.database.execute("SELECT uuid, sequence FROM samples").fetchall())
        self.rows = sorted(
            (seconds(one["start"]), sequences[one["uuid"]], one["value"], one["uuid"])
            for one in inputs)

    def ask(self, direction, rest="", condition="", arguments=()):
        query = (
            "SELECT start, sequence, value, uuid FROM samples WHERE subject = 'ada' AND "
            f"type = 'heartRate' {condition} ORDER BY start {direction} {rest}")
        return self.database.execute(query, arguments).fetchall()

    def test_descending_order_is_the_exact_reverse_of_ascending_order(self):
        self.assertEqual(self.ask("ASC"), self.rows)
        self.assertEqual(self.ask("DESC"), self.rows[::-1])
        self.assertEqual(self.ask("DESC, sequence DESC"), self.rows[::-1])

    def test_limits_and_offsets_cut_the_sorted_array(self):
        dice = random.Random(20)
        counts = [0, 1, 2, 63, 64, 65, 319, 320, 321, 4095, 4096, 4097, 9299, 9300, 9301]
        counts += [dice.randrange(0, 9400) for _ in range(40)]
        for count in counts:
            skipped = dice.choice([0, 0, 1, 64, dice.randrange(0, 9400)])
            for direction, rows in [("ASC", self.rows), ("DESC", self.rows[::-1])]:
                self.assertEqual(
                    self.ask(direction, f"LIMIT {count} OFFSET {skipped}"),
                    rows[skipped:skipped + count], (direction, count, skipped))

    def test_conditions_filter_the_sorted_array(self):
        dice = random.Random(21)
        for _ in range(40):
            low, high = sorted(dice.choice(self.rows)[0] + dice.choice([0, 0.5]) for _ in "ab")
            least = dice.randrange(40, 180)
            count = dice.choice([1, 7, 100, 10_000])
            for direction, step in [("ASC", 1), ("DESC", -1)]:
                found = self.ask(
                    direction, f"LIMIT {count}", "AND start >= ? AND start < ? AND value >= ?",
                    [low, high, least])
                wanted = [row for row in self.rows if low <= row[0] < high and row[2] >= least]
                self.assertEqual(found, wanted[::step][:count])


class ConditionFuzz(StoreTest):
    """Runs the same queries on the table and on a native copy of it."""

    def test_random_conditions_select_the_rows_of_a_native_copy(self):
        ingest(self.store, samples(5, count=300))
        database = connect(self.store)
        database.execute(
            "CREATE TABLE copy(subject TEXT, type TEXT, start REAL, end REAL, value REAL, "
            "value_name TEXT, unit TEXT, source TEXT, device TEXT, metadata TEXT, "
            "uuid TEXT COLLATE NOCASE, sequence INTEGER)")
        database.execute("INSERT INTO copy SELECT * FROM samples")
        self.rows = database.execute("SELECT * FROM copy").fetchall()
        for seed in range(1_000_000 if THOROUGH else 3_000):
            self.check(database, seed)

    def check(self, database, seed):
        dice = random.Random(seed)
        where, arguments = self.where(dice)
        shown = ", ".join(dice.sample(COLUMNS, dice.randrange(1, 5)))
        order = dice.choice(["", "", " ORDER BY start", " ORDER BY start DESC", *EXACT_ORDERS])
        if order and dice.random() < 0.5:
            # Rows of one series are in order without a sort.
            where = f"type = ? AND subject = ? AND {where}"
            arguments = [self.value(dice, "type"), self.value(dice, "subject"), *arguments]
        query = f"SELECT sequence, {shown} FROM %s WHERE {where}"
        if dice.random() < 0.1:
            query = f"SELECT count(*), max(value), min(start) FROM %s WHERE {where}"
            order = ""
        is_exact = order in EXACT_ORDERS
        if is_exact and dice.random() < 0.5:
            order += f" LIMIT {dice.randrange(0, 20)} OFFSET {dice.choice([0, 0, 1, 5])}"
        found, copied = [
            self.ask(database, query % table + order, arguments)
            for table in ("samples", "copy")
        ]
        if is_exact:
            self.assertEqual(
                [row[0] for row in found], [row[0] for row in copied],
                f"seed {seed}: {query}{order} {arguments}")
        elif order:
            self.assertEqual(
                [self.start(row) for row in found], [self.start(row) for row in copied],
                f"seed {seed}: {query} {arguments}")
        # Also compares the types; the first column has no duplicates.
        key = lambda row: row[0]
        self.assertEqual(
            repr(sorted(found, key=key)), repr(sorted(copied, key=key)),
            f"seed {seed}: {query} {arguments}")

    def start(self, row):
        return self.starts()[row[0]]

    def starts(self):
        if not hasattr(self, "known"):
            self.known = {row[11]: row[2] for row in self.rows}
        return self.known

    def ask(self, database, query, arguments):
        return database.execute(query, arguments).fetchall()

    def where(self, dice, depth=0):
        if depth < 2 and dice.random() < 0.5:
            parts = [self.where(dice, depth + 1) for _ in range(dice.randrange(2, 4))]
            word = dice.choice([" AND ", " AND ", " AND ", " OR "])
            return (
                "(" + word.join(part[0] for part in parts) + ")",
                [argument for part in parts for argument in part[1]])
        column = dice.choice(["subject", "type", "start", "end", "value", "uuid", "sequence"])
        sign = dice.choice(["=", "<", "<=", ">", ">=", "IN", "IS", "<>"])
        if column == "type":
            # An unknown type is an error.
            sign = dice.choice(["=", "IN", "="])
        if sign == "IN":
            values = [self.value(dice, column) for _ in range(dice.randrange(1, 4))]
            return f"{column} IN ({', '.join('?' * len(values))})", values
        # SQLite 3.40 ignores the collation of a term of OR that uses an index.
        is_chosen = column == "subject" and depth == 0 and dice.random() < 0.2
        collation = " COLLATE NOCASE" if is_chosen else ""
        return f"{column} {sign} ?{collation}", [self.value(dice, column)]

    def value(self, dice, column):
        place = COLUMNS.index(column)
        known = dice.choice(self.rows)[place]
        if column == "type":
            return dice.choice(["heartRate", "stepCount", "sleepAnalysis", "bodyMass", "height"])
        if column == "uuid":
            return dice.choice([known, known.lower(), "x", None, 5, b"y"])
        if column == "subject":
            return dice.choice([known, "ADA", "unknown", None, 0, 1.5, b"ada"])
        other = [None, "x", "", str(known), b"x", 0, -1, 2**63 - 1, -(2**63), 1e308, -1e308,
                 float("inf"), float("-inf"), 2**53 + 1, 0.5]
        if known is None:
            return dice.choice(other)
        near = [known, known, known + 1, known - 0.5, known * (1 + 2e-16), int(min(known, 2**62))]
        return dice.choice(near * 3 + other)


class JoinTests(StoreTest):
    def test_conditions_can_depend_on_another_table(self):
        ingest(self.store, samples(6))
        database = connect(self.store)
        database.execute("CREATE TABLE wanted(name TEXT, kind TEXT, day REAL)")
        database.executemany(
            "INSERT INTO wanted VALUES (?, ?, ?)",
            [("ada", "heartRate", 1_700_000_000.0), ("bob", "stepCount", 1_702_000_000.0)])
        query = (
            "SELECT wanted.name, count(*) FROM wanted JOIN {} AS s ON s.subject = wanted.name AND "
            "s.type = wanted.kind AND s.start >= wanted.day GROUP BY 1 ORDER BY 1")
        database.execute("CREATE TABLE copy AS SELECT * FROM samples")
        self.assertEqual(
            database.execute(query.format("samples")).fetchall(),
            database.execute(query.format("copy")).fetchall())

    def test_rows_of_listed_identifiers_are_in_order(self):
        ingest(self.store, samples(17))
        database = connect(self.store)
        rows = database.execute(
            "SELECT uuid, start FROM samples WHERE type = 'heartRate' AND subject = 'ada'"
        ).fetchall()
        self.assertGreater(len(rows), 10)
        marks = ", ".join("?" * len(rows))
        for direction in ["ASC", "DESC"]:
            found = database.execute(
                f"SELECT start FROM samples WHERE uuid IN ({marks}) AND type = 'heartRate' AND "
                f"subject = 'ada' ORDER BY start {direction}", [row[0] for row in rows]).fetchall()
            self.assertEqual(
                found, sorted([row[1:] for row in rows], reverse=direction == "DESC"))

    def test_alternatives_of_identifiers_return_each_row_once(self):
        ingest(self.store, samples(7, count=60))
        first, second = [sample["uuid"] for sample in exported(self.store)][:2]
        rows = connect(self.store).execute(
            "SELECT uuid FROM samples WHERE uuid = ? OR uuid = ? OR uuid = ?",
            [first, second.lower(), first]).fetchall()
        self.assertEqual(sorted(rows), sorted([(first,), (second,)]))


class ErrorTests(StoreTest):
    def fails(self, query, words, arguments=(), database=None):
        with self.assertRaises(sqlite3.OperationalError) as caught:
            (database or connect(self.store)).execute(query, arguments).fetchall()
        self.assertIn(words, str(caught.exception))

    def test_errors_name_the_cause(self):
        ingest(self.store, samples(8, count=60))
        self.fails("SELECT * FROM samples", "No store is open", database=connect())
        self.fails("SELECT healthstore_open('/nowhere')", "There is no store at /nowhere.")
        self.fails("SELECT * FROM samples WHERE type = 'hartRate'", 'no type "hartRate"')
        self.fails(
            "SELECT * FROM samples WHERE type = 'HKQuantityTypeIdentifierHeartRate'",
            'use the name "heartRate"')
        self.fails("SELECT bpm FROM samples", "no such column: bpm")
        self.fails("SELECT * FROM statistics", "statistics needs a type")
        self.fails("SELECT * FROM statistics('sleepAnalysis')", "Only quantity types")
        self.fails("SELECT * FROM statistics('stepCount', '', '5 fortnights')", "not an interval")
        self.fails("SELECT * FROM statistics('stepCount', '', '1d', 'Mars')", "no time zone")
        self.fails("SELECT * FROM changes('x')", "not an anchor")
        database = connect(self.store)
        database.execute("SELECT healthstore_close()")
        self.fails("SELECT * FROM samples", "The store was closed", database=database)

    def test_the_schema_of_a_file_cannot_choose_the_store(self):
        ingest(self.store, samples(9, count=5))
        database = connect()
        database.execute(
            f"CREATE VIEW trap AS SELECT healthstore_open('{self.store}') AS x")
        self.fails("SELECT * FROM trap", "unsafe use", database=database)

    def test_an_error_about_damage_names_the_file(self):
        ingest(self.store, samples(10, count=9000))
        [segment] = list(self.store.glob("*.segment"))
        data = bytearray(segment.read_bytes())
        for place in range(4096, len(data) // 2, 512):
            data[place] ^= 0x55
        segment.write_bytes(data)
        self.fails("SELECT sum(value), max(uuid), max(metadata) FROM samples", segment.name)


if __name__ == "__main__":
    unittest.main()
