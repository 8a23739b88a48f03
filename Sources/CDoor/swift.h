// Functions that HealthStoreDoor defines. A function that returns `char *` returns NULL on success,
// or an error message that the caller frees.
#ifndef SWIFT_H
#define SWIFT_H

#include "CDoor.h"

int32_t door_module_count(void);
/// Return the name of a table, and its CREATE TABLE statement for sqlite3_declare_vtab.
const char *door_module_name(int32_t module);
const char *door_module_schema(int32_t module);
/// Returns whether a column has text affinity.
bool door_module_has_text(int32_t module, int32_t column);

/// Creates a connection without a store.
void *door_connection_make(void);
void door_connection_free(void *connection);
char *door_connection_open(void *connection, const char *path);
void door_connection_close(void *connection);
/// Releases the snapshot. Called when the last cursor of the connection closes.
void door_connection_idle(void *connection);

char *door_plan_query(void *connection, int32_t module, door_plan *plan);
char *door_cursor_open(
    void *connection, int32_t module, const door_constraint *constraints, int32_t count,
    uint64_t columns, int32_t ordering, void **cursor);
/// Fetches the next batch; its count is 0 at the end.
char *door_cursor_next(void *cursor, door_batch *batch);
/// Returns the text of a symbol in a column, valid until the connection is freed.
void door_cursor_symbol(void *cursor, int32_t column, uint32_t symbol, door_text *text);
/// Computes the text of a column in one row of the batch, valid until the next call.
char *door_cursor_computed(void *cursor, int32_t column, int32_t row, door_text *text);
void door_cursor_free(void *cursor);

/// Opens a store. Handles on the same directory share one instance.
char *door_store_open(const char *path, void **store);
void door_store_close(void *store);

/// Opens a stream of the rows that a JSON query selects.
char *door_stream_open(void *store, const char *query, void **stream);
int32_t door_stream_field_count(void *stream);
/// Describes a column. The strings are valid until the stream is freed.
void door_stream_field(void *stream, int32_t column, door_field *field);
/// Fetches the next batch; its length is 0 at the end.
char *door_stream_next(void *stream, door_arrow_batch *batch);
void door_stream_free(void *stream);
/// Releases a reference to the owner of buffers, on any thread.
void door_owner_release(void *owner);

#endif
