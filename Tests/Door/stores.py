"""Test stores for healthstore.so, which the command line tool creates from JSON lines."""

import json
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest
import uuid

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARY = os.environ.get("HEALTHSTORE_LIBRARY", str(ROOT / ".build/healthstore.so"))
# The tool has its own sanitizer, and must not get one for the library.
TOOL_ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
TOOL = os.environ.get("HEALTHSTORE_TOOL", str(ROOT / ".build/debug/healthstore"))
THOROUGH = bool(os.environ.get("THOROUGH"))

os.environ["HEALTHSTORE_LIBRARY"] = LIBRARY
os.environ.pop("HEALTHSTORE_PATH", None)
sys.path.insert(0, str(ROOT / "Sources/HealthStoreDoor/Python"))


def tool(*arguments, text="", check=True):
    """Runs the tool and returns its standard output."""
    done = subprocess.run(
        [TOOL, *map(str, arguments)], input=text, capture_output=True, text=True, check=False,
        env=TOOL_ENVIRONMENT)
    if check and done.returncode != 0:
        raise AssertionError(f"{arguments}: {done.returncode} {done.stderr}")
    return done.stdout


def ingest(store, rows):
    """Saves samples, given as the JSON objects that `ingest` accepts."""
    tool("ingest", "-", "--store", store, text="".join(json.dumps(row) + "\n" for row in rows))


def exported(store, *arguments):
    """Exports the samples of all subjects as JSON lines and returns the parsed objects."""
    lines = tool("export", "--store", store, "--format", "jsonl", "--all-subjects", *arguments)
    return [json.loads(line) for line in lines.splitlines()]


def connect(store=None):
    """Opens an SQLite connection with the extension, and the store if one is given."""
    connection = sqlite3.connect(":memory:")
    connection.enable_load_extension(True)
    connection.execute("SELECT load_extension(?)", [LIBRARY])
    if store is not None:
        connection.execute("SELECT healthstore_open(?)", [str(store)])
    return connection


def samples(seed, count=400, subjects=("", "ada", "bob")):
    """Returns random samples of several types, sources and subjects."""
    dice = random.Random(seed)
    rows = []
    for _ in range(count):
        kind = dice.choice(["heartRate", "stepCount", "sleepAnalysis", "bodyMass"])
        start = dice.choice(
            [dice.randrange(0, 86_400 * 60), dice.uniform(-3e9, 3e9), dice.randrange(0, 50) * 3600]
        )
        row = {
            "uuid": str(uuid.UUID(int=dice.getrandbits(128), version=4)).upper(),
            "type": kind,
            "subject": dice.choice(subjects),
            "start": text_of(1_700_000_000 + start),
            "end": text_of(1_700_000_000 + start + dice.choice([0, 0.25, 60, 4000])),
            "source": dice.choice(["Watch", "Phone", "Ünï \"quoted\""]),
        }
        if kind == "sleepAnalysis":
            row["value"] = dice.choice([0, 3, 4, 5])
        else:
            row["value"] = dice.choice([dice.randrange(0, 150), dice.uniform(0, 1e6), 0, 1e300])
            row["unit"] = {"heartRate": "count/min", "stepCount": "count", "bodyMass": "kg"}[kind]
        if dice.random() < 0.2:
            row["metadata"] = {"note": dice.choice(["a", "b, \"c\"", "d\n"]), "n": dice.random()}
        if dice.random() < 0.2:
            row["device"] = {"name": "Band", "model": "M1"}
        rows.append(row)
    return rows


def text_of(seconds):
    """Formats seconds since 1970 as ISO 8601, rounded to quarters of a second."""
    import datetime

    quarters = round(seconds * 4)
    time = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=quarters // 4)
    fraction = {0: "", 1: ".25", 2: ".5", 3: ".75"}[quarters % 4]
    return time.isoformat() + fraction + "Z"


class StoreTest(unittest.TestCase):
    """A test with an empty directory."""

    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="door-tests-"))
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)
        self.store = self.directory / "store"
