// The SQLite extension: eponymous virtual tables that read a health store.
//
// Empty unless `make door` defines DOOR, so that other builds do not need sqlite3ext.h.
#ifdef DOOR

#include <stdlib.h>
#include <string.h>

#include "sqlite.h"

SQLITE_EXTENSION_INIT1

static void release(connection *shared) {
  if (--shared->references > 0) return;
  if (!door_is_forked()) door_connection_free(shared->swift);
  free(shared);
}

static void module_free(void *data) {
  module_data *module = data;
  release(module->connection);
  free(module);
}

static int table_connect(
    sqlite3 *database, void *data, int count, const char *const *arguments, sqlite3_vtab **out,
    char **message) {
  (void)count, (void)arguments, (void)message;
  module_data *module = data;
  int code = sqlite3_declare_vtab(database, door_module_schema(module->module));
  if (code != SQLITE_OK) return code;
  table *made = sqlite3_malloc(sizeof *made);
  if (!made) return SQLITE_NOMEM;
  memset(made, 0, sizeof *made);
  made->connection = module->connection;
  made->connection->references++;
  made->module = module->module;
  *out = &made->base;
  return SQLITE_OK;
}

static int table_disconnect(sqlite3_vtab *base) {
  release(((table *)base)->connection);
  sqlite3_free(base);
  return SQLITE_OK;
}

static const sqlite3_module module = {
    .iVersion = 2,
    // Without xCreate the tables are eponymous-only: they exist without CREATE VIRTUAL TABLE.
    .xConnect = table_connect,
    .xBestIndex = door_table_plan,
    .xDisconnect = table_disconnect,
    .xOpen = door_cursor_open_table,
    .xClose = door_cursor_close,
    .xFilter = door_cursor_filter,
    .xNext = door_cursor_advance,
    .xEof = door_cursor_is_at_end,
    .xColumn = door_cursor_column,
    .xRowid = door_cursor_rowid,
};

static void function_open(sqlite3_context *context, int count, sqlite3_value **arguments) {
  (void)count;
  connection *shared = sqlite3_user_data(context);
  const char *path = (const char *)sqlite3_value_text(arguments[0]);
  if (door_is_forked()) {
    sqlite3_result_error(context, DOOR_FORKED, -1);
    return;
  }
  if (!path) {
    sqlite3_result_error(context, "healthstore_open needs the directory of a store.", -1);
    return;
  }
  char *message = door_connection_open(shared->swift, path);
  if (message) {
    sqlite3_result_error(context, message, -1);
    free(message);
  } else {
    sqlite3_result_value(context, arguments[0]);
  }
}

static void function_close(sqlite3_context *context, int count, sqlite3_value **arguments) {
  (void)count, (void)arguments;
  connection *shared = sqlite3_user_data(context);
  if (door_is_forked()) {
    sqlite3_result_error(context, DOOR_FORKED, -1);
    return;
  }
  door_connection_close(shared->swift);
}

static void function_free(void *shared) { release(shared); }

static int extend(sqlite3 *database, char **message) {
  if (sqlite3_libversion_number() < 3038000) {
    *message = sqlite3_mprintf(
        "healthstore needs SQLite 3.38 or later, and this is %s.", sqlite3_libversion());
    return SQLITE_ERROR;
  }
  if (door_is_forked()) {
    *message = sqlite3_mprintf("%s", DOOR_FORKED);
    return SQLITE_ERROR;
  }
  connection *shared = calloc(1, sizeof *shared);
  if (!shared) return SQLITE_NOMEM;
  shared->references = 1;
  shared->swift = door_connection_make();
  int code = SQLITE_OK;
  for (int i = 0; i < door_module_count() && code == SQLITE_OK; i++) {
    module_data *data = malloc(sizeof *data);
    if (!data) {
      code = SQLITE_NOMEM;
      break;
    }
    *data = (module_data){shared, i};
    shared->references++;
    // Calls module_free even on failure.
    code = sqlite3_create_module_v2(database, door_module_name(i), &module, data, module_free);
  }
  // Only top-level SQL may call these functions: the schema of a database file must not choose the
  // store.
  const int flags = SQLITE_UTF8 | SQLITE_DIRECTONLY;
  if (code == SQLITE_OK) {
    shared->references++;
    code = sqlite3_create_function_v2(
        database, "healthstore_open", 1, flags, shared, function_open, NULL, NULL, function_free);
  }
  if (code == SQLITE_OK) {
    shared->references++;
    code = sqlite3_create_function_v2(
        database, "healthstore_close", 0, flags, shared, function_close, NULL, NULL,
        function_free);
  }
  release(shared);
  // The Swift runtime cannot be unloaded.
  return code == SQLITE_OK ? SQLITE_OK_LOAD_PERMANENTLY : code;
}

int sqlite3_healthstore_init(
    sqlite3 *database, char **message, const sqlite3_api_routines *routines) {
  SQLITE_EXTENSION_INIT2(routines);
  return extend(database, message);
}

int sqlite3_extension_init(
    sqlite3 *database, char **message, const sqlite3_api_routines *routines) {
  return sqlite3_healthstore_init(database, message, routines);
}

#endif
