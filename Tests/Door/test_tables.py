"""The tables other than `samples`, compared with the output of the tool."""

import json
import random
import unittest

from stores import ROOT, StoreTest, connect, ingest, samples, text_of, tool
from test_samples import seconds


# Changes of the clock: by an hour at night, by half an hour, and at midnight.
CHANGES = [
    ("Europe/Berlin", "2025-10-26T01:00:00Z"), ("Europe/Berlin", "2026-03-29T01:00:00Z"),
    ("America/New_York", "2025-11-02T06:00:00Z"), ("America/New_York", "2026-03-08T07:00:00Z"),
    ("Australia/Lord_Howe", "2026-04-04T15:00:00Z"),
    ("America/Santiago", "2025-09-07T04:00:00Z"),
]


def overlapping(seed, days=6, count=800):
    """Returns steps and heart rates of two devices that overlap, around a change of the clock."""
    dice = random.Random(seed)
    rows = []
    begin = seconds(CHANGES[seed % len(CHANGES)][1]) - days * 86_400
    for number in range(count):
        start = begin + dice.randrange(0, days * 86_400 * 2)
        watch = dice.random() < 0.5
        steps = dice.random() < 0.7
        rows.append({
            "uuid": f"{number:08X}-0000-4000-8000-{seed:012X}", "subject": "ada",
            "type": "stepCount" if steps else "heartRate",
            "unit": "count" if steps else "count/min",
            "value": dice.randrange(0, 200), "start": text_of(start),
            "end": text_of(start + (dice.randrange(1, 9000) if steps else 0)),
            "source": "Watch" if watch else "Phone",
            "bundleIdentifier": "com.w" if watch else "com.p",
            "productType": "Watch6,1" if watch else "iPhone14,2",
        })
    return rows


class StatisticsTests(StoreTest):
    def test_statistics_equal_those_of_the_tool(self):
        # The tool executes HKStatisticsCollectionQuery.
        for seed, (zone, _) in enumerate(CHANGES):
            store = self.directory / f"store{seed}"
            ingest(store, overlapping(seed))
            database = connect(store)
            for kind in ["stepCount", "heartRate"]:
                for every in ["1d", "6h", "1w"]:
                    self.compare(store, database, kind, every, zone)
                self.compare(store, database, kind, "1d", "UTC")
                self.compare(store, database, kind, "1h", zone, by_source=True)

    def compare(self, store, database, kind, every, zone, by_source=False):
        wanted = [
            json.loads(line) for line in tool(
                "aggregate", "--store", store, "--subject", "ada", "--type", kind, "--every",
                every, "--time-zone", zone, "--format", "jsonl",
                *(["--by", "source"] if by_source else [])).splitlines()
        ]
        rows = database.execute(
            "SELECT start, end, sum, average, minimum, maximum, unit, source FROM "
            "statistics(?, ?, ?, ?, ?) WHERE (source IS NOT NULL) = ?",
            [kind, "ada", every, zone, "separateBySource" if by_source else "", by_source]
        ).fetchall()
        self.assertEqual(
            sorted(rows, key=lambda row: (row[0], row[7])),
            [(self.time(one["start"]), self.time(one["end"]), one.get("sum"), one.get("average"),
              one.get("minimum"), one.get("maximum"), one["unit"], one.get("source"))
             for one in sorted(
                 wanted, key=lambda one: (self.time(one["start"]), one.get("source")))],
            (kind, every, zone))
        self.assertGreater(len(rows), 1)

    def time(self, text):
        import datetime

        time = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
        return time.timestamp()

    def test_bounds_on_the_start_select_from_the_same_rows(self):
        ingest(self.store, overlapping(3))
        database = connect(self.store)
        query = "SELECT start, end, count, sum FROM statistics('stepCount', 'ada', '6h')"
        rows = database.execute(query).fetchall()
        dice = random.Random(1)
        for _ in range(50):
            low, high = sorted(dice.choice(rows)[0] + dice.choice([-1, 0, 1]) for _ in range(2))
            self.assertEqual(
                database.execute(query + " WHERE start >= ? AND start < ?", [low, high]).fetchall(),
                [row for row in rows if low <= row[0] < high])

    def test_arguments_can_depend_on_another_table(self):
        ingest(self.store, overlapping(4))
        database = connect(self.store)
        rows = database.execute(
            "WITH kinds(name) AS (VALUES ('stepCount'), ('heartRate')) SELECT name, count(*) FROM "
            "kinds JOIN statistics ON type = name AND every = '1d' GROUP BY name").fetchall()
        for name, count in rows:
            [(alone,)] = database.execute("SELECT count(*) FROM statistics(?)", [name])
            self.assertEqual(count, alone)
        self.assertEqual(len(rows), 2)


class ChangesTests(StoreTest):
    def test_each_change_is_read_once(self):
        ingest(self.store, samples(11, count=50))
        database = connect(self.store)
        first = database.execute("SELECT kind, uuid, anchor FROM changes").fetchall()
        self.assertEqual([row[0] for row in first], ["added"] * 50 + ["anchor"])
        anchor = first[-1][2]
        ingest(self.store, samples(12, count=7))
        tool("delete", "--store", self.store, "--yes", "--uuid", first[0][1])
        second = database.execute(
            "SELECT kind, uuid, anchor FROM changes(?)", [anchor]).fetchall()
        self.assertEqual([row[0] for row in second], ["added"] * 7 + ["deleted", "anchor"])
        self.assertEqual(second[7][1], first[0][1])
        self.assertIn(
            second[-1][2], tool("changes", "--store", self.store, "--after", anchor))
        tool("erase", "--store", self.store, "--yes", "--subject", "ada")
        third = database.execute(
            "SELECT kind, subject FROM changes(?)", [second[-1][2]]).fetchall()
        self.assertEqual(third, [("erased", "ada"), ("anchor", None)])
        self.assertEqual(
            database.execute("SELECT count(*) FROM samples WHERE subject = 'ada'").fetchone(), (0,))


class ListTests(StoreTest):
    def test_subjects_and_sources_count_samples(self):
        ingest(self.store, samples(13))
        database = connect(self.store)
        self.assertEqual(
            database.execute("SELECT subject, samples, first, last FROM subjects").fetchall(),
            database.execute(
                "SELECT subject, count(*), min(start), max(end) FROM samples GROUP BY 1 ORDER BY 1"
            ).fetchall())
        self.assertEqual(
            database.execute("SELECT name, sum(samples) FROM sources GROUP BY 1").fetchall(),
            database.execute("SELECT source, count(*) FROM samples GROUP BY 1").fetchall())
        self.assertEqual(
            database.execute("SELECT samples FROM subjects WHERE subject = 'bob'").fetchall(),
            database.execute("SELECT count(*) FROM samples WHERE subject = 'bob'").fetchall())

    def test_a_row_that_satisfies_two_conditions_is_returned_once(self):
        ingest(self.store, samples(16))
        database = connect(self.store)
        for table in ["subjects", "sources"]:
            query = (
                f"SELECT subject, samples FROM {table} WHERE subject = 'ada' OR (subject = 'bob' "
                "AND samples > 1) OR (subject = 'ada' AND samples > 2) ORDER BY 1, 2")
            database.execute(f"CREATE TABLE copy_{table} AS SELECT * FROM {table}")
            self.assertEqual(
                database.execute(query).fetchall(),
                database.execute(query.replace("FROM ", "FROM copy_")).fetchall())

    def test_workouts_and_rings_equal_those_of_an_export(self):
        for path in sorted((ROOT / "Tests" / "Fixtures").glob("*/*/export.xml")):
            tool("import", path, "--store", self.store, check=False)
        lines = [
            json.loads(line) for line in tool(
                "export", "--store", self.store, "--format", "jsonl", "--all-subjects"
            ).splitlines()
        ]
        database = connect(self.store)
        workouts = database.execute(
            "SELECT uuid, activity, duration, details FROM workouts ORDER BY uuid").fetchall()
        wanted = sorted(
            (line["uuid"], line["details"]["activity"], line["details"]["duration"]["value"],
             line["details"]) for line in lines if line["type"] == "workout")
        self.assertGreater(len(workouts), 0)
        self.assertEqual([row[:3] + (json.loads(row[3]),) for row in workouts], wanted)
        days = database.execute(
            "SELECT day, active_energy_burned, exercise_time, stand_hours_goal, is_paused FROM "
            "activity_summaries ORDER BY day").fetchall()
        rings = [line["details"] for line in lines if line["type"] == "activitySummary"]
        number = lambda ring, name: ring[name]["value"] if name in ring else None
        self.assertGreater(len(days), 0)
        self.assertEqual(days, sorted(
            (ring["day"], number(ring, "activeEnergyBurned"), number(ring, "appleExerciseTime"),
             number(ring, "standHoursGoal"), int(ring["isPaused"])) for ring in rings))


class SnapshotTests(StoreTest):
    def test_open_cursors_share_one_snapshot(self):
        ingest(self.store, samples(14, count=9000))
        database = connect(self.store)
        cursor = database.execute("SELECT sequence FROM samples")
        cursor.fetchone()
        ingest(self.store, samples(15, count=30))
        # While a cursor is open, every statement reads the same snapshot.
        self.assertEqual(database.execute("SELECT count(*) FROM samples").fetchone(), (9000,))
        self.assertEqual(len(cursor.fetchall()), 8999)
        self.assertEqual(database.execute("SELECT count(*) FROM samples").fetchone(), (9030,))


if __name__ == "__main__":
    unittest.main()
