"""Readers that run concurrently with processes that write, seal, compact, delete and erase, and
with forks.

SECONDS sets the duration (default: 5).
"""

import os
import signal
import threading
import time
import unittest

from stores import StoreTest, connect, ingest, samples, tool

import healthstore

try:
    import pyarrow
except ImportError:
    pyarrow = None

DURATION = float(os.environ.get("SECONDS", "5"))


class ConcurrentReaderTests(StoreTest):
    def test_each_statement_sees_one_state(self):
        ingest(self.store, samples(51, count=3000, subjects=("ada", "bob")))
        self.opened = healthstore.open(self.store)
        self.addCleanup(self.opened.close)
        self.until = time.monotonic() + DURATION
        self.failures, self.asked = [], [0] * 4
        readers = [self.read_sql, self.read_sql, self.read_statistics]
        readers.append(self.read_sql if pyarrow is None else self.read_arrow)
        threads = [
            threading.Thread(target=self.run_reader, args=(number, reader))
            for number, reader in enumerate(readers)
        ]
        for thread in threads:
            thread.start()
        try:
            self.write()
        finally:
            for thread in threads:
                thread.join()
        self.assertEqual(self.failures, [])
        self.assertGreater(min(self.asked[:3]), 3, self.asked)
        print(f"({sum(self.asked)} statements, {self.commits} writing rounds)", end="", flush=True)

    def write(self):
        self.commits = 0
        while time.monotonic() < self.until:
            self.commits += 1
            subjects = ("ada", "bob", f"s{self.commits}")
            ingest(self.store, samples(100 + self.commits, count=9000, subjects=subjects))
            if self.commits % 3 == 0:
                tool("erase", "--store", self.store, "--yes", "--subject", f"s{self.commits - 1}")
            if self.commits % 4 == 0:
                tool("delete", "--store", self.store, "--yes", "--type", "bodyMass",
                     "--subject", "bob")
            if self.commits % 2 == 0:
                tool("compact", "--store", self.store)
            self.fork()

    def fork(self):
        """Forks while the other threads read; the child must get an error and not hang."""
        # SQLite's own locks do not survive a fork, so the child reads an Arrow stream.
        child = os.fork()
        if child == 0:
            signal.alarm(60)
            try:
                self.opened.samples().__arrow_c_stream__()
            except healthstore.Error as error:
                os._exit(0 if "forked" in str(error) else 2)
            finally:
                os._exit(1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    def run_reader(self, number, reader):
        try:
            ask = reader()
            while time.monotonic() < self.until:
                ask()
                self.asked[number] += 1
        except BaseException as error:
            self.failures.append(f"{reader.__name__}: {error!r}")

    def read_sql(self):
        database = connect(self.store)

        def ask():
            one, other, third = database.execute(
                "SELECT (SELECT count(*) FROM samples), (SELECT count(uuid) FROM samples), "
                "(SELECT sum(samples) FROM subjects)"
            ).fetchone()
            assert one == other == third, (one, other, third)

        return ask

    def read_statistics(self):
        database = connect(self.store)

        def ask():
            joined, alone = database.execute(
                "SELECT (SELECT sum(count) FROM statistics('heartRate', 'ada', 'all')), "
                "(SELECT count(*) FROM samples WHERE type = 'heartRate' AND subject = 'ada')"
            ).fetchone()
            assert joined == alone, (joined, alone)

        return ask

    def read_arrow(self):
        store = healthstore.open(self.store)

        def ask():
            table = store.samples(columns=["subject", "uuid", "sequence"]).to_reader().read_all()
            numbers = table.column("sequence").to_pylist()
            assert len(set(numbers)) == len(numbers)

        return ask


if __name__ == "__main__":
    unittest.main()
