// Functions that HealthStoreDoor defines. Those that can fail return a message in memory that the
// caller frees, or NULL.
#ifndef SWIFT_H
#define SWIFT_H

#include "CDoor.h"

int32_t door_module_count(void);
/// Returns the name and the declaration of a table.
const char *door_module_name(int32_t module);
const char *door_module_schema(int32_t module);
/// Returns whether values that are compared with a column become text.
bool door_module_has_text(int32_t module, int32_t column);

/// Returns a connection that has no store yet.
void *door_connection_make(void);
void door_connection_free(void *connection);
char *door_connection_open(void *connection, const char *path);
void door_connection_close(void *connection);
/// Drops the snapshot, because no cursor is open.
void door_connection_idle(void *connection);

char *door_plan_query(void *connection, int32_t module, door_plan *plan);
char *door_cursor_open(
    void *connection, int32_t module, const door_constraint *constraints, int32_t count,
    uint64_t columns, int32_t ordering, void **cursor);
/// Fetches the next batch; its count is 0 at the end.
char *door_cursor_next(void *cursor, door_batch *batch);
/// Finds the text of a symbol of a column, valid until the connection is freed.
void door_cursor_symbol(void *cursor, int32_t column, uint32_t symbol, door_text *text);
/// Returns a computed text of a row of the batch, valid until the next call.
char *door_cursor_computed(void *cursor, int32_t column, int32_t row, door_text *text);
void door_cursor_free(void *cursor);

/// Opens a store; several handles of a directory share it.
char *door_store_open(const char *path, void **store);
void door_store_close(void *store);

/// Opens a stream of the rows that a query in JSON describes.
char *door_stream_open(void *store, const char *query, void **stream);
int32_t door_stream_field_count(void *stream);
/// Describes a column; the texts are valid as long as the stream.
void door_stream_field(void *stream, int32_t column, door_field *field);
/// Fetches rows; the length is 0 at the end.
char *door_stream_next(void *stream, door_arrow_batch *batch);
void door_stream_free(void *stream);
void door_owner_release(void *owner);

#endif
