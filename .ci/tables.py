"""Prints the rows that pyarrow, DuckDB and Polars read from an export, for TableReadersTests.

    tables.py FILE.parquet | FILE.arrow

Prints one line of JSON per reader: its name, its rows, the numbers of rows that satisfy filters,
and the size of the file that pyarrow writes from the same columns. The filters test that readers
skip row groups correctly. Integers and times are printed as numbers, doubles as the hexadecimal
digits of their bits, and UUIDs as text.
"""
import json
import struct
import sys
import uuid

import duckdb
import polars
import pyarrow
import pyarrow.compute
import pyarrow.ipc
import pyarrow.parquet

FILE = sys.argv[1]
IS_ARROW = FILE.endswith(".arrow")
UTC = pyarrow.timestamp("us", "UTC")


def cell(value):
  if isinstance(value, float):
    return struct.pack(">d", value).hex()
  if isinstance(value, bytes):
    return str(uuid.UUID(bytes=value)).upper()
  if isinstance(value, uuid.UUID):
    return str(value).upper()
  return value


def conditions(columns):
  """Yields the median of some columns, for use in filters."""
  for name in ("type", "start", "value", "sequence"):
    values = [one for one in columns[name] if one is not None and one == one]
    if values:
      yield name, sorted(values)[len(values) // 2]


class Arrow:
  name = "pyarrow"

  def __init__(self):
    self.table = self.read()

  def read(self, filters=None):
    if not IS_ARROW:
      return pyarrow.parquet.read_table(FILE, filters=filters)
    table = pyarrow.ipc.open_stream(FILE).read_all()
    table.validate(full=True)
    # Dictionary-encoded columns cannot be compared by order.
    table = table.unify_dictionaries().cast(pyarrow.schema([
      field.with_type(pyarrow.string()) if pyarrow.types.is_dictionary(field.type) else field
      for field in table.schema
    ]))
    return table if filters is None else table.filter(filters)

  def size(self):
    output = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(self.table, output, compression="zstd")
    return len(output.getvalue())

  def columns(self):
    found = {}
    for name in self.table.column_names:
      column = self.table[name]
      if pyarrow.types.is_timestamp(column.type):
        assert column.type == UTC, column.type
        column = column.cast("int64")
      found[name] = column.to_pylist()
    return found

  def counts(self, name, value):
    if name == "start":
      value = pyarrow.scalar(value, "int64").cast(UTC)
    field = pyarrow.compute.field(name)
    return [self.read(one).num_rows for one in (field >= value, field == value)]


class DuckDB:
  name = "duckdb"

  def __init__(self):
    self.database = duckdb.connect()
    self.table = f"'{FILE}'"
    if IS_ARROW:
      self.table = "stream"
      self.database.register("stream", pyarrow.ipc.open_stream(FILE).read_all())

  def columns(self):
    names = [row[0] for row in self.database.sql(f"DESCRIBE FROM {self.table}").fetchall()]
    parts = [f'epoch_us("{name}")' if name in ("start", "end") else f'"{name}"' for name in names]
    rows = self.database.sql(f"SELECT {', '.join(parts)} FROM {self.table}").fetchall()
    return dict(zip(names, zip(*rows) if rows else [()] * len(names)))

  def counts(self, name, value):
    right = "make_timestamptz(?)" if name == "start" else "?"
    # DuckDB sorts NaN after all other numbers.
    also = " AND NOT isnan(value)" if name == "value" else ""
    return [
      self.database.execute(
        f'SELECT count(*) FROM {self.table} WHERE "{name}" {operator} {right}{also}', [value]
      ).fetchone()[0]
      for operator in (">=", "=")
    ]


class Polars:
  name = "polars"

  def __init__(self):
    self.table = polars.read_ipc_stream(FILE) if IS_ARROW else polars.read_parquet(FILE)

  def columns(self):
    found = {}
    for name in self.table.columns:
      column = self.table[name]
      if column.dtype == polars.Datetime("us", "UTC"):
        column = column.to_physical()
      found[name] = column.to_list()
    return found

  def counts(self, name, value):
    field, literal = polars.col(name), polars.lit(value)
    if name == "start":
      literal = literal.cast(polars.Datetime("us", "UTC"))
    if name == "type":
      field = field.cast(polars.String)
    if name == "value":
      field = polars.when(field.is_not_nan()).then(field)
    table = self.table.lazy() if IS_ARROW else polars.scan_parquet(FILE)
    return [table.filter(one).collect().height for one in (field >= literal, field == literal)]


for reader in (Arrow(), DuckDB(), Polars()):
  columns = reader.columns()
  print(json.dumps({
    "reader": reader.name,
    "rows": [[cell(value) for value in row] for row in zip(*columns.values())],
    "size": reader.size() if isinstance(reader, Arrow) else None,
    "counts": [count for one in conditions(columns) for count in reader.counts(*one)],
  }))
