// The cursors of the virtual tables.
#ifdef DOOR

#include <stdlib.h>
#include <string.h>

#include "sqlite.h"

SQLITE_EXTENSION_INIT3

typedef struct {
  uint32_t symbol;
  bool is_set;
  door_text text;
} symbol_text;

typedef struct {
  sqlite3_vtab_cursor base;
  void *swift;
  int64_t row;
  door_batch batch;
  /// The most recent symbol and text of each column; adjacent rows mostly share them.
  symbol_text latest[DOOR_COLUMN_LIMIT];
} cursor;

/// Applies the affinity of a column to a value that is compared with it, as SQLite does. With text
/// affinity, numbers become text; otherwise text that looks like a number becomes a number.
static door_value compared(sqlite3_value *value, bool as_text) {
  if (as_text && sqlite3_value_type(value) != SQLITE_NULL
      && sqlite3_value_type(value) != SQLITE_BLOB) {
    door_value result = {.kind = DOOR_STRING};
    result.text.bytes = (const char *)sqlite3_value_text(value);
    result.text.count = sqlite3_value_bytes(value);
    if (!result.text.bytes) result.kind = DOOR_NULL;
    return result;
  }
  if (!as_text && sqlite3_value_type(value) == SQLITE_TEXT) sqlite3_value_numeric_type(value);
  return door_value_of(value);
}

int door_cursor_open_table(sqlite3_vtab *base, sqlite3_vtab_cursor **out) {
  cursor *made = sqlite3_malloc(sizeof *made);
  if (!made) return SQLITE_NOMEM;
  memset(made, 0, sizeof *made);
  ((table *)base)->connection->open_cursors++;
  *out = &made->base;
  return SQLITE_OK;
}

static void cursor_clear(cursor *self) {
  // A forked child must not run code that may wait for threads it does not have.
  if (self->swift && !door_is_forked()) door_cursor_free(self->swift);
  self->swift = NULL;
  self->batch.count = 0;
  self->row = 0;
}

int door_cursor_close(sqlite3_vtab_cursor *base) {
  connection *shared = ((table *)base->pVtab)->connection;
  cursor_clear((cursor *)base);
  sqlite3_free(base);
  if (--shared->open_cursors == 0 && !door_is_forked()) door_connection_idle(shared->swift);
  return SQLITE_OK;
}

static int cursor_fetch(cursor *self) {
  if (door_is_forked()) return door_fail_forked(self->base.pVtab);
  self->row = 0;
  char *message = door_cursor_next(self->swift, &self->batch);
  if (!message) return SQLITE_OK;
  self->batch.count = 0;
  return door_fail(self->base.pVtab, message);
}

/// Returns the number of values on the right-hand side of an IN constraint.
static int64_t list_count(sqlite3_value *list) {
  int64_t count = 0;
  sqlite3_value *value;
  int code = sqlite3_vtab_in_first(list, &value);
  for (; code == SQLITE_OK; code = sqlite3_vtab_in_next(list, &value)) count++;
  return count;
}

/// The constraints of a query. Owns copies of the texts of IN lists, because SQLite invalidates
/// each value when it advances to the next.
typedef struct {
  door_constraint *all;
  door_value *values;
  char **texts;
  int64_t value_count;
  int64_t text_count;
} condition_list;

static void conditions_free(condition_list *list) {
  for (int64_t i = 0; i < list->text_count; i++) free(list->texts[i]);
  free(list->texts);
  free(list->values);
  free(list->all);
}

static int add_list(condition_list *list, sqlite3_value *argument, bool as_text) {
  sqlite3_value *value;
  int code = sqlite3_vtab_in_first(argument, &value);
  for (; code == SQLITE_OK; code = sqlite3_vtab_in_next(argument, &value)) {
    door_value one = compared(value, as_text);
    if (one.kind == DOOR_STRING && one.text.bytes) {
      char *copy = malloc((size_t)one.text.count + 1);
      if (!copy) return SQLITE_NOMEM;
      memcpy(copy, one.text.bytes, (size_t)one.text.count);
      one.text.bytes = copy;
      list->texts[list->text_count++] = copy;
    }
    list->values[list->value_count++] = one;
  }
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

int door_cursor_filter(
    sqlite3_vtab_cursor *base, int ordering, const char *plan, int count,
    sqlite3_value **arguments) {
  cursor *self = (cursor *)base;
  table *owner = (table *)base->pVtab;
  cursor_clear(self);
  for (int i = 0; i < DOOR_COLUMN_LIMIT; i++) self->latest[i].is_set = false;
  if (door_is_forked()) return door_fail_forked(base->pVtab);
  char *rest;
  uint64_t columns = strtoull(plan, &rest, 16);
  condition_list list = {0};
  int64_t total = 0;
  int code = SQLITE_OK;
  const char *place = rest;
  for (int i = 0; i < count; i++) {
    strtol(place + 1, &rest, 10);
    total += *rest == '*' ? list_count(arguments[i]) : 1;
    place = *rest == '*' ? rest + 1 : rest;
  }
  place = plan;
  strtoull(plan, &rest, 16);
  place = rest;
  list.all = calloc((size_t)count + 1, sizeof *list.all);
  list.values = calloc((size_t)total + 1, sizeof *list.values);
  list.texts = calloc((size_t)total + 1, sizeof *list.texts);
  if (!list.all || !list.values || !list.texts) {
    conditions_free(&list);
    return SQLITE_NOMEM;
  }
  for (int i = 0; i < count && code == SQLITE_OK; i++) {
    door_constraint *one = &list.all[i];
    one->operation = (uint8_t)(strchr(door_operations, *place) - door_operations);
    one->column = (int32_t)strtol(place + 1, &rest, 10);
    one->values = list.values + list.value_count;
    bool as_text = door_module_has_text(owner->module, one->column);
    if (*rest == '*') {
      code = add_list(&list, arguments[i], as_text);
      rest++;
    } else {
      list.values[list.value_count++] = compared(arguments[i], as_text);
    }
    one->count = list.values + list.value_count - one->values;
    place = rest;
  }
  if (code == SQLITE_OK) {
    char *message = door_cursor_open(
        owner->connection->swift, owner->module, list.all, count, columns, ordering, &self->swift);
    code = message ? door_fail(base->pVtab, message) : cursor_fetch(self);
  }
  conditions_free(&list);
  return code;
}

int door_cursor_advance(sqlite3_vtab_cursor *base) {
  cursor *self = (cursor *)base;
  return ++self->row < self->batch.count ? SQLITE_OK : cursor_fetch(self);
}

int door_cursor_is_at_end(sqlite3_vtab_cursor *base) {
  cursor *self = (cursor *)base;
  return self->row >= self->batch.count;
}

static void result_text(sqlite3_context *context, door_text text, sqlite3_destructor_type owner) {
  if (text.bytes) {
    sqlite3_result_text64(context, text.bytes, (sqlite3_uint64)text.count, owner, SQLITE_UTF8);
  }
}

static void result_symbol(cursor *self, sqlite3_context *context, int number, uint32_t symbol) {
  symbol_text *latest = &self->latest[number];
  if (!latest->is_set || latest->symbol != symbol) {
    if (door_is_forked()) {
      sqlite3_result_error(context, DOOR_FORKED, -1);
      return;
    }
    *latest = (symbol_text){.symbol = symbol, .is_set = true};
    door_cursor_symbol(self->swift, number, symbol, &latest->text);
  }
  result_text(context, latest->text, SQLITE_STATIC);
}

int door_cursor_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int number) {
  cursor *self = (cursor *)base;
  const door_column *column = &self->batch.columns[number];
  int64_t row = self->batch.rows ? self->batch.rows[self->row] : self->row;
  int64_t place = column->is_constant ? 0 : row;
  switch (column->kind) {
    case DOOR_REAL:
      // SQLite converts NaN to NULL.
      sqlite3_result_double(context, ((const double *)column->cells)[place]);
      break;
    case DOOR_DATE:
      sqlite3_result_double(context, ((const double *)column->cells)[place] + DOOR_EPOCH);
      break;
    case DOOR_INTEGER: {
      int64_t number = ((const int64_t *)column->cells)[place];
      if (number != DOOR_NO_INTEGER) sqlite3_result_int64(context, number);
      break;
    }
    case DOOR_SYMBOL:
      result_symbol(self, context, number, ((const uint32_t *)column->cells)[place]);
      break;
    case DOOR_TEXT:
      result_text(context, ((const door_text *)column->cells)[place], SQLITE_TRANSIENT);
      break;
    case DOOR_COMPUTED: {
      if (door_is_forked()) {
        sqlite3_result_error(context, DOOR_FORKED, -1);
        break;
      }
      door_text text = {0};
      char *message = door_cursor_computed(self->swift, number, (int32_t)row, &text);
      if (message) {
        sqlite3_result_error(context, message, -1);
        free(message);
        return SQLITE_ERROR;
      }
      result_text(context, text, SQLITE_TRANSIENT);
      break;
    }
    default: break;
  }
  return SQLITE_OK;
}

static uint64_t hash(uint64_t state, const void *bytes, size_t count) {
  // FNV-1a.
  for (size_t i = 0; i < count; i++) {
    state = (state ^ ((const uint8_t *)bytes)[i]) * 0x100000001B3u;
  }
  return state;
}

/// Returns a row identifier that depends only on the cells of a computed row. SQLite uses it to
/// remove duplicates when it combines the results of several cursors for OR.
static sqlite3_int64 hash_row(const door_batch *batch, int64_t row) {
  uint64_t state = 0xCBF29CE484222325u;
  for (int i = 0; i < DOOR_COLUMN_LIMIT; i++) {
    const door_column *column = &batch->columns[i];
    if (column->kind == DOOR_TEXT) {
      door_text text = ((const door_text *)column->cells)[row];
      state = hash(state, &text.count, sizeof text.count);
      if (text.bytes) state = hash(state, text.bytes, (size_t)text.count);
    } else if (column->kind == DOOR_REAL || column->kind == DOOR_DATE
               || column->kind == DOOR_INTEGER) {
      state = hash(state, (const char *)column->cells + row * 8, 8);
    }
  }
  return (sqlite3_int64)state;
}

int door_cursor_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *out) {
  cursor *self = (cursor *)base;
  int64_t row = self->batch.rows ? self->batch.rows[self->row] : self->row;
  *out = self->batch.identifiers ? self->batch.identifiers[row] : hash_row(&self->batch, row);
  return SQLITE_OK;
}

#endif
