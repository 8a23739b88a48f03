"""Runs the code listings of Docs/sql.md and Docs/python.md, and the example MCP server."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

from stores import LIBRARY, ROOT, StoreTest, connect, ingest, samples


def listings(page, language):
    """Returns the code listings in a language on a documentation page."""
    text = (ROOT / "Docs" / page).read_text()
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


class ListingTests(StoreTest):
    def setUp(self):
        super().setUp()
        self.store = self.directory / "health"
        ingest(self.store, samples(41))

    def test_sql_listings_run(self):
        database = connect(self.store)
        found = listings("sql.md", "sql")
        self.assertGreater(len(found), 4)
        for listing in found:
            # unixepoch() needs SQLite 3.38, as the extension does.
            database.execute(listing).fetchall()

    def test_documented_columns_are_those_of_the_tables(self):
        database = connect(self.store)
        text = (ROOT / "Docs" / "sql.md").read_text()
        rows = re.findall(r"^\| `(\w+)[^`]*` \| (.*) \|$", text, re.MULTILINE)
        self.assertEqual(len(rows), 7)
        for table, names in rows:
            columns = [
                row[1] for row in database.execute(f"PRAGMA table_info({table})").fetchall()]
            if table == "activity_summaries":
                columns = [name for name in columns if not name.endswith("_goal")]
                names = names.replace("each with its …_goal, ", "")
            self.assertEqual(columns, names.split(", "))

    def test_shell_listing_runs(self):
        [listing] = listings("sql.md", "sh")
        command = listing.splitlines()[1].replace(
            ".build/healthstore.so", os.environ["HEALTHSTORE_LIBRARY"])
        done = subprocess.run(
            command, shell=True, cwd=self.directory, capture_output=True, text=True, check=False)
        self.assertEqual(done.stderr, "")
        self.assertIn("ada|", done.stdout)

    def test_datasette_has_the_tables(self):
        path = pathlib.Path(sys.executable).parent / "datasette"
        if not path.exists():
            self.skipTest("datasette is not installed")
        [command] = re.findall(
            r"`(HEALTHSTORE_PATH=health datasette [^`]*)`",
            (ROOT / "Docs" / "sql.md").read_text().replace("\n", " "))
        command = command.replace("datasette", str(path), 1).replace(
            ".build/healthstore.so", os.environ["HEALTHSTORE_LIBRARY"])
        done = subprocess.run(
            command + " --get '/_memory.json?sql=SELECT+sum(samples)+AS+n+FROM+subjects"
            "&_shape=array'", shell=True, cwd=self.directory, capture_output=True, text=True,
            check=False)
        self.assertEqual(json.loads(done.stdout), [{"n": 400}], done.stderr)

    def test_python_listings_run(self):
        try:
            import duckdb, pandas, polars, pyarrow
        except ImportError as error:
            self.skipTest(str(error))
        found = listings("python.md", "python")
        self.assertGreater(len(found), 4)
        self.run_python("\n".join(found))

    def test_the_module_can_be_installed(self):
        pip = pathlib.Path(sys.executable).parent / "pip"
        if not pip.exists() or sys.prefix == sys.base_prefix:
            self.skipTest("this Python has no environment with pip")
        folder, target = self.directory / "module", self.directory / "installed"
        shutil.copytree(ROOT / "Sources/HealthStoreDoor/Python", folder)
        shutil.copy(LIBRARY, folder / "healthstore/healthstore.so")
        subprocess.run([pip, "install", "-q", "--target", target, folder], check=True)
        environment = dict(os.environ, PYTHONPATH=str(target), HEALTHSTORE_PATH=str(self.store))
        del environment["HEALTHSTORE_LIBRARY"]
        code = "import healthstore; healthstore.open(); print(healthstore.library_path())"
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=self.directory, env=environment,
            capture_output=True, text=True, check=False)
        self.assertEqual(done.stdout, f"{target}/healthstore/healthstore.so\n", done.stderr)

    def run_python(self, code, text=""):
        environment = dict(
            os.environ, PYTHONPATH=os.pathsep.join(sys.path), HEALTHSTORE_PATH=str(self.store))
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=self.directory, env=environment, input=text,
            capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_the_example_server_answers_queries_and_refuses_writes(self):
        path = ROOT / "Sources/HealthStoreDoor/Python/examples/mcp_server.py"
        self.assertLess(len(path.read_text().splitlines()), 100)
        def call(number, sql):
            return {"id": number, "method": "tools/call",
                    "params": {"name": "query", "arguments": {"sql": sql}}}
        requests = [
            {"id": 0, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}},
            {"method": "notifications/initialized"},
            {"id": 1, "method": "tools/list"},
            call(2, "SELECT count(*) AS n FROM samples"),
            call(3, "SELECT count FROM statistics('stepCount', every => 'x')"),
            call(4, "SELECT healthstore_open('/')"),
            call(5, "ATTACH 'x.db' AS x"),
            call(6, "CREATE TABLE x(y)"),
            call(7, "SELECT x'00ff' AS bytes"),
            {"id": 8, "method": "resources/list"},
        ]
        text = "".join(json.dumps(dict(request, jsonrpc="2.0")) + "\n" for request in requests)
        lines = self.run_python(path.read_text(), text).splitlines()
        results = {one["id"]: one.get("result") for one in map(json.loads, lines)}
        self.assertEqual(sorted(results), [0, 1, 2, 3, 4, 5, 6, 7, 8])
        self.assertEqual(results[7]["content"][0]["text"], '[{"bytes": "00ff"}]')
        self.assertIsNone(results[8])
        self.assertEqual(results[2]["content"][0]["text"], '[{"n": 400}]')
        for refused in [3, 4, 5, 6]:
            self.assertTrue(results[refused]["isError"])


if __name__ == "__main__":
    unittest.main()
