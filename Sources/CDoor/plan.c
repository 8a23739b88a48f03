// The query planner callback of the virtual tables (xBestIndex).
#ifdef DOOR

#include <stdlib.h>
#include <string.h>

#include "sqlite.h"

SQLITE_EXTENSION_INIT3

const char *const door_operations = "=<lg>";

int door_fail(sqlite3_vtab *base, char *message) {
  sqlite3_free(base->zErrMsg);
  base->zErrMsg = sqlite3_mprintf("%s", message);
  free(message);
  return SQLITE_ERROR;
}

int door_fail_forked(sqlite3_vtab *base) { return door_fail(base, strdup(DOOR_FORKED)); }

door_value door_value_of(sqlite3_value *value) {
  door_value result = {0};
  switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER:
      result.kind = DOOR_INT;
      result.integer = sqlite3_value_int64(value);
      break;
    case SQLITE_FLOAT:
      result.kind = DOOR_DOUBLE;
      result.real = sqlite3_value_double(value);
      break;
    case SQLITE_TEXT: result.kind = DOOR_STRING; break;
    case SQLITE_BLOB: result.kind = DOOR_BLOB; break;
    default: result.kind = DOOR_NULL;
  }
  return result;
}

static int operation_of(unsigned char code) {
  switch (code) {
    case SQLITE_INDEX_CONSTRAINT_EQ: return DOOR_EQ;
    case SQLITE_INDEX_CONSTRAINT_LT: return DOOR_LT;
    case SQLITE_INDEX_CONSTRAINT_LE: return DOOR_LE;
    case SQLITE_INDEX_CONSTRAINT_GT: return DOOR_GT;
    case SQLITE_INDEX_CONSTRAINT_GE: return DOOR_GE;
    default: return -1;
  }
}

int door_table_plan(sqlite3_vtab *base, sqlite3_index_info *info) {
  if (door_is_forked()) return door_fail_forked(base);
  table *self = (table *)base;
  int count = info->nConstraint, code = SQLITE_OK;
  door_term *terms = sqlite3_malloc64((sizeof *terms) * (size_t)(count + 1));
  door_order *order = sqlite3_malloc64((sizeof *order) * (size_t)(info->nOrderBy + 1));
  int *places = sqlite3_malloc64((sizeof *places) * (size_t)(count + 1));
  if (!terms || !order || !places) {
    code = SQLITE_NOMEM;
    goto end;
  }
  door_plan plan = {.terms = terms, .order = order, .order_count = info->nOrderBy,
                    .columns = info->colUsed};
  for (int i = 0; i < count; i++) {
    const struct sqlite3_index_constraint *one = &info->aConstraint[i];
    int operation = operation_of(one->op);
    if (operation < 0) continue;
    const char *collation = sqlite3_vtab_collation(info, i);
    bool ignores_case = sqlite3_stricmp(collation, "NOCASE") == 0;
    if (!ignores_case && sqlite3_stricmp(collation, "BINARY") != 0) continue;
    door_term *term = &terms[plan.term_count];
    *term = (door_term){.column = one->iColumn, .operation = (uint8_t)operation,
                        .ignores_case = ignores_case, .is_usable = one->usable};
    term->is_list = operation == DOOR_EQ && sqlite3_vtab_in(info, i, -1);
    term->value.kind = DOOR_UNKNOWN;
    sqlite3_value *value;
    if (one->usable && !term->is_list
        && sqlite3_vtab_rhs_value(info, i, &value) == SQLITE_OK && value) {
      term->value = door_value_of(value);
      if (term->value.kind == DOOR_STRING) {
        term->value.text.bytes = (const char *)sqlite3_value_text(value);
        term->value.text.count = sqlite3_value_bytes(value);
      }
    }
    places[plan.term_count++] = i;
  }
  for (int i = 0; i < info->nOrderBy; i++) {
    order[i] = (door_order){info->aOrderBy[i].iColumn, info->aOrderBy[i].desc};
  }
  char *message = door_plan_query(self->connection->swift, self->module, &plan);
  if (message) {
    code = door_fail(base, message);
    goto end;
  }
  if (plan.is_impossible) {
    code = SQLITE_CONSTRAINT;
    goto end;
  }
  sqlite3_str *text = sqlite3_str_new(NULL);
  sqlite3_str_appendf(text, "%llx", (unsigned long long)plan.columns);
  int arguments = 0;
  bool has_list = false;
  for (int i = 0; i < plan.term_count; i++) {
    if (!terms[i].is_used) continue;
    info->aConstraintUsage[places[i]].argvIndex = ++arguments;
    info->aConstraintUsage[places[i]].omit = terms[i].is_exact;
    if (terms[i].is_list) sqlite3_vtab_in(info, places[i], 1);
    has_list = has_list || terms[i].is_list;
    sqlite3_str_appendf(
        text, "%c%d%s", door_operations[terms[i].operation], terms[i].column,
        terms[i].is_list ? "*" : "");
  }
  info->idxStr = sqlite3_str_finish(text);
  if (!info->idxStr) code = SQLITE_NOMEM;
  info->needToFreeIdxStr = 1;
  info->idxNum = plan.ordering;
  // Rows that an IN list selects may come in the order of the list.
  info->orderByConsumed = plan.ordering != 0 && !has_list;
  info->estimatedRows = plan.rows < 1 ? 1 : plan.rows > 1e15 ? (sqlite3_int64)1e15
                                                             : (sqlite3_int64)plan.rows;
  info->estimatedCost = plan.cost;
  if (plan.is_unique) info->idxFlags = SQLITE_INDEX_SCAN_UNIQUE;
end:
  sqlite3_free(terms);
  sqlite3_free(order);
  sqlite3_free(places);
  return code;
}

#endif
