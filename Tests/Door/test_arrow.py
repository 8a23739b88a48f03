"""The Arrow stream and the Python module, read by pyarrow, Polars, pandas and DuckDB."""

import datetime
import math
import gc
import json
import os
import subprocess
import sys
import threading
import unittest

from stores import ROOT, StoreTest, connect, exported, ingest, samples

import healthstore

try:
    import duckdb
    import pandas
    import polars
    import pyarrow
except ImportError as error:  # These tests need all four.
    raise unittest.SkipTest(str(error))


class ArrowTests(StoreTest):
    def setUp(self):
        super().setUp()
        ingest(self.store, samples(21))
        self.opened = healthstore.open(self.store)
        self.addCleanup(self.opened.close)

    def test_all_columns_equal_those_of_sql(self):
        # The second store has objects of every family.
        for path in [self.store, ROOT / "Tests/Fixtures/objects/v1/store"]:
            rows = connect(path).execute(
                "SELECT subject, type, start, end, value, unit, source, device, value_name, "
                "metadata, uuid, sequence FROM samples ORDER BY sequence").fetchall()
            wanted = [
                row[:2] + tuple(round(time * 1e6) for time in row[2:4]) + row[4:] for row in rows]
            table = healthstore.open(path).samples(
                columns=healthstore.ALL_SAMPLE_COLUMNS).to_arrow()
            for name in ["start", "end"]:
                place = table.schema.get_field_index(name)
                table = table.set_column(place, name, table.column(name).cast(pyarrow.int64()))
            found = zip(*(column.to_pylist() for column in table.columns))
            self.assertEqual(sorted(found, key=lambda row: row[11]), wanted)

    def test_statistics_and_changes_equal_those_of_sql(self):
        table = self.opened.statistics("stepCount", subject="ada").to_arrow()
        rows = connect(self.store).execute(
            "SELECT sum, unit, count FROM statistics('stepCount', 'ada')").fetchall()
        self.assertEqual(
            list(zip(*(table.column(name).to_pylist() for name in ["sum", "unit", "count"]))), rows)
        changes = self.opened.changes().to_arrow()
        self.assertEqual(
            list(zip(changes.column("kind").to_pylist(), changes.column("uuid").to_pylist())),
            connect(self.store).execute("SELECT kind, uuid FROM changes").fetchall())
        anchor = changes.column("anchor").to_pylist()[-1]
        self.assertEqual(self.opened.changes(after=anchor).to_arrow().num_rows, 1)

    def test_empty_results_have_a_schema(self):
        for result in [
            self.opened.samples(subject="unknown"), self.opened.workouts(),
            self.opened.activity_summaries(), self.opened.samples(value=(2, 1)),
        ]:
            table = result.to_arrow()
            self.assertEqual(table.num_rows, 0)
            self.assertGreater(len(table.schema), 3)

    def test_duckdb_reads_a_result_by_variable_name(self):
        heart = self.opened.samples(type="heartRate")
        self.assertEqual(
            duckdb.sql("SELECT count(*), min(value) FROM heart").fetchall()[0],
            connect(self.store).execute(
                "SELECT count(*), min(value) FROM samples WHERE type = 'heartRate'").fetchone())
        # A second read sees the samples saved after the first.
        more = [row for row in samples(22) if row["type"] == "heartRate"]
        before = duckdb.sql("SELECT count(*) FROM heart").fetchall()[0][0]
        ingest(self.store, more)
        self.assertEqual(
            duckdb.sql("SELECT count(*) FROM heart").fetchall()[0][0], before + len(more))

    def test_polars_and_pandas_read_equal_rows(self):
        result = self.opened.samples(type=["heartRate", "stepCount"])
        frame, other = result.to_polars(), result.to_pandas()
        self.assertEqual(frame.height, len(other))
        self.assertEqual(sorted(frame["value"].to_list()), sorted(other["value"].to_list()))
        self.assertEqual(frame["source"].null_count(), int(other["source"].isna().sum()))

    def test_a_lazy_frame_pushes_conditions_down(self):
        everything = self.opened.samples().to_polars()
        day = datetime.datetime(2023, 11, 20)
        for predicate in [
            polars.col("type") == "heartRate",
            (polars.col("type") == "stepCount") & (polars.col("value") < 90),
            (polars.col("start") >= day) & (polars.col("subject") == "ada"),
            (polars.col("value") > 10) | (polars.col("subject") == "bob"),
        ]:
            found = self.opened.samples().lazy().filter(predicate).select("start", "value")
            wanted = everything.filter(predicate).select("start", "value")
            self.assertEqual(
                sorted(found.collect().rows(), key=repr), sorted(wanted.rows(), key=repr))
        pushed = healthstore._pushed(
            (polars.col("type") == "stepCount") & (polars.col("value") < 90)
            & (polars.col("start") >= day))
        self.assertEqual([test[0] for test in pushed], ["type", "value", "start"])

    def test_an_unfinished_stream_leaks_no_memory(self):
        ingest(self.store, samples(23, count=9000))
        def resident():
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1]) * 4096
        for round in range(300):
            reader = self.opened.samples().to_reader()
            if round % 3:
                reader.read_next_batch()
            self.opened.samples().__arrow_c_stream__()
            del reader
            if round == 100:
                gc.collect()
                before = resident()
        gc.collect()
        self.assertLess(resident() - before, 8 << 20)

    def test_batches_outlive_the_store(self):
        store = healthstore.open(self.store)
        reader = store.samples().to_reader()
        batch = reader.read_next_batch()
        store.close()
        rest = reader.read_all()
        self.assertEqual(batch.num_rows + rest.num_rows, 400)
        with self.assertRaises(healthstore.Error):
            store.samples().to_arrow()
        moved = []
        thread = threading.Thread(target=lambda: moved.append(batch.to_pydict()))
        thread.start()
        thread.join()
        del batch, rest, reader
        self.assertEqual(len(moved), 1)

    def test_errors_name_the_cause(self):
        with self.assertRaisesRegex(healthstore.Error, "There is no store at"):
            healthstore.open("/nowhere")
        with self.assertRaisesRegex(healthstore.Error, 'no type "hartRate"'):
            self.opened.samples(type="hartRate").to_arrow()
        with self.assertRaisesRegex(healthstore.Error, 'no column "bpm"'):
            self.opened.samples(columns=["bpm"]).to_arrow()
        with self.assertRaisesRegex(healthstore.Error, "twice"):
            self.opened.samples(columns=["start"] * 25).to_arrow()
        for bounds in [(math.inf, None), (None, -math.inf), (math.nan, None)]:
            with self.assertRaisesRegex(ValueError, "finite"):
                self.opened.samples(value=bounds)
        with self.assertRaisesRegex(ValueError, "finite"):
            self.opened.samples(since=math.inf)

    def test_dates_far_from_2001_are_exact(self):
        rows = [
            {"uuid": f"{i:08X}-0000-4000-8000-000000000000", "type": "heartRate", "value": 1,
             "unit": "count/min", "start": start, "end": start}
            for i, start in enumerate(["1890-05-01T00:00:00Z", "2300-01-01T12:00:00.25Z"])
        ]
        store = self.directory / "far"
        ingest(store, rows)
        table = healthstore.open(store).samples().to_arrow()
        self.assertEqual(
            sorted(table.column("start").to_pylist()),
            [datetime.datetime(1890, 5, 1), datetime.datetime(2300, 1, 1, 12, 0, 0, 250_000)])


class ProcessTests(StoreTest):
    def test_four_threads_read_concurrently_with_a_writer(self):
        ingest(self.store, samples(24, count=500))
        stop, failures, counts = threading.Event(), [], [[] for _ in range(4)]

        def read(number):
            try:
                if number % 2:
                    store = healthstore.open(self.store)
                    count = lambda: store.samples(columns=["start"]).to_arrow().num_rows
                else:
                    database = connect(self.store)
                    count = lambda: database.execute("SELECT count(*) FROM samples").fetchone()[0]
                while not stop.is_set():
                    counts[number].append(count())
            except BaseException as error:
                failures.append(error)

        # Python allows an SQLite connection only on the thread that created it.
        threads = [threading.Thread(target=read, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for seed in range(30, 40):
            ingest(self.store, samples(seed, count=200))
        stop.set()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])
        for found in counts:
            self.assertEqual(found, sorted(found))
            self.assertEqual(set(n % 100 for n in found), {0})

    def test_a_forked_child_gets_an_error(self):
        ingest(self.store, samples(25, count=5000))
        opened = healthstore.open(self.store)
        database = connect(self.store)
        reader = opened.samples().to_reader()
        database.execute("SELECT count(*) FROM samples").fetchone()
        cursor = database.execute("SELECT uuid FROM samples")
        cursor.fetchone()
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            answers = []
            for act in [
                lambda: opened.samples().to_arrow(), lambda: reader.read_all(),
                lambda: database.execute("SELECT count(*) FROM samples").fetchone(),
                lambda: cursor.fetchall(), lambda: healthstore.open(self.store),
                lambda: connect(self.store),
            ]:
                try:
                    act()
                    answers.append("worked")
                except Exception as error:
                    answers.append("forked" if "forked" in str(error) else repr(error))
            del cursor, reader
            os.write(write, json.dumps(answers).encode())
            os._exit(0)
        os.close(write)
        with os.fdopen(read) as pipe:
            self.assertEqual(json.load(pipe), ["forked"] * 6)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertEqual(opened.samples().to_arrow().num_rows, 5000)

    def test_a_spawned_process_reads_after_its_parent_has_read(self):
        ingest(self.store, samples(26, count=50))
        healthstore.open(self.store).samples().to_arrow()
        code = (
            "import sys, healthstore; "
            f"print(healthstore.open({str(self.store)!r}).samples().to_arrow().num_rows)")
        environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
        self.assertEqual(
            subprocess.check_output([sys.executable, "-c", code], env=environment), b"50\n")


if __name__ == "__main__":
    unittest.main()
