// Declarations shared by the source files of the SQLite extension.
#ifndef SQLITE_H
#define SQLITE_H

#include <sqlite3ext.h>

#include "process.h"
#include "swift.h"

/// The state shared by the tables of one SQLite connection, which SQLite never calls concurrently.
typedef struct {
  void *swift;
  int references;
  int open_cursors;
} connection;

typedef struct {
  connection *connection;
  int module;
} module_data;

typedef struct {
  sqlite3_vtab base;
  connection *connection;
  int module;
} table;

/// The characters that encode comparisons in idxStr, indexed by DOOR_EQ, DOOR_LT and so on.
extern const char *const door_operations;

/// Sets the error message of a table, frees `message`, and returns SQLITE_ERROR.
int door_fail(sqlite3_vtab *base, char *message);
int door_fail_forked(sqlite3_vtab *base);

/// Converts a value, except for the bytes of a text.
door_value door_value_of(sqlite3_value *value);

int door_table_plan(sqlite3_vtab *base, sqlite3_index_info *info);
int door_cursor_open_table(sqlite3_vtab *base, sqlite3_vtab_cursor **out);
int door_cursor_close(sqlite3_vtab_cursor *base);
int door_cursor_filter(
    sqlite3_vtab_cursor *base, int ordering, const char *plan, int count,
    sqlite3_value **arguments);
int door_cursor_advance(sqlite3_vtab_cursor *base);
int door_cursor_is_at_end(sqlite3_vtab_cursor *base);
int door_cursor_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int number);
int door_cursor_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *out);

#endif
