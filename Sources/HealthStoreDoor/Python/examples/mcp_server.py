"""A read-only MCP server with one tool, which runs SQL queries on a health store.

    HEALTHSTORE_PATH=health python mcp_server.py

It implements the Model Context Protocol over standard input and output, as lines of JSON.
"""

import json
import sqlite3
import sys

import healthstore

ROW_LIMIT = 500
STEP_LIMIT = 200_000_000
TABLES = ["statistics", "samples", "workouts", "activity_summaries", "subjects", "sources"]

TOOL = {
    "name": "query",
    "description": (
        "Runs one SELECT on a health store, in SQLite's dialect. Use statistics(type, "
        "subject, every, time_zone) for totals and averages: its columns are start, end, count, "
        f"sum, average, minimum, maximum and unit. The tables are {', '.join(TABLES)}. "
        "Times are seconds since 1970 in UTC."
    ),
    "inputSchema": {
        "type": "object", "properties": {"sql": {"type": "string"}}, "required": ["sql"],
    },
}


def connect():
    database = sqlite3.connect(":memory:")
    database.enable_load_extension(True)
    database.execute("SELECT load_extension(?)", [healthstore.library_path()])
    database.enable_load_extension(False)
    # SQLite declares a virtual table at its first use, which the authoriser would deny later.
    for table in TABLES:
        database.execute(f"PRAGMA table_info({table})")
    # Statements may only read tables and call functions.
    allowed = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE}
    forbidden = {"healthstore_open", "healthstore_close", "load_extension"}

    def decide(action, first, second, *_):
        if action == sqlite3.SQLITE_FUNCTION and second not in forbidden:
            return sqlite3.SQLITE_OK
        return sqlite3.SQLITE_OK if action in allowed else sqlite3.SQLITE_DENY

    database.set_authorizer(decide)
    return database


def query(database, sql):
    steps = [0]

    def count():
        steps[0] += 1_000_000
        return steps[0] > STEP_LIMIT

    database.set_progress_handler(count, 1_000_000)
    cursor = database.execute(sql)
    rows = cursor.fetchmany(ROW_LIMIT + 1)
    names = [column[0] for column in cursor.description or []]
    text = json.dumps([dict(zip(names, row)) for row in rows[:ROW_LIMIT]], default=bytes.hex)
    return text + ("\n(There are more rows.)" if len(rows) > ROW_LIMIT else "")


def answer(database, request):
    method = request.get("method")
    if method == "initialize":
        return {
            "protocolVersion": request["params"]["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "healthstore", "version": "1"},
        }
    if method in ("ping", "tools/list"):
        return {"tools": [TOOL]} if method == "tools/list" else {}
    if method == "tools/call":
        try:
            text, failed = query(database, request["params"]["arguments"]["sql"]), False
        except (sqlite3.Error, sqlite3.Warning, KeyError, TypeError, ValueError) as error:
            text, failed = str(error), True
        return {"content": [{"type": "text", "text": text}], "isError": failed}
    return None


def main():
    database = connect()
    for line in sys.stdin:
        request = json.loads(line)
        if "id" in request:
            result = answer(database, request)
            unknown = {"error": {"code": -32601, "message": "Unknown method."}}
            reply = unknown if result is None else {"result": result}
            print(json.dumps({"jsonrpc": "2.0", "id": request["id"], **reply}), flush=True)


if __name__ == "__main__":
    main()
