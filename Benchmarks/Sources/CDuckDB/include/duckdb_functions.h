/* The part of DuckDB's C interface that the benchmark uses, found at run time: neither its header
 * nor its library need be here to build. An int is 0 for success. */
#ifndef CDUCKDB_FUNCTIONS_H
#define CDUCKDB_FUNCTIONS_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/* A database, connection, statement, appender, chunk, vector, value or logical type. */
typedef void *_Nullable DuckDBHandle;

/* The result of a statement. DuckDB passes it by value, and its fields are private. */
typedef struct {
  uint64_t counts[3];
  void *_Nullable pointers[3];
} DuckDBResult;

/* Two halves of sixteen bytes: a UUID bound, or a UUID in a vector, whose highest bit is inverted
 * there so that it sorts like a signed number. */
typedef struct {
  uint64_t low;
  uint64_t high;
} DuckDBWide;

/* A text in a vector: up to twelve bytes inside, longer ones behind a pointer. */
typedef struct {
  uint32_t length;
  char prefix[4];
  const char *_Nullable characters;
} DuckDBText;

/* DuckDB's numbers for the types of columns. */
enum {
  DuckDBTypeInteger64 = 5,
  DuckDBTypeByte = 6,
  DuckDBTypeUnsigned32 = 8,
  DuckDBTypeDouble = 11,
  DuckDBTypeText = 17,
  DuckDBTypeUUID = 27
};

/* Result, name after "duckdb_" and parameters of every function. */
#define DUCKDB_FUNCTIONS(F)                                                                       \
  F(int, open, (const char *path, DuckDBHandle *_Nonnull database))                               \
  F(void, close, (DuckDBHandle *_Nonnull database))                                               \
  F(int, connect, (DuckDBHandle database, DuckDBHandle *_Nonnull connection))                     \
  F(void, disconnect, (DuckDBHandle *_Nonnull connection))                                        \
  F(int, query, (DuckDBHandle connection, const char *sql, DuckDBResult *result))                 \
  F(const char *_Nullable, result_error, (DuckDBResult *result))                                  \
  F(void, destroy_result, (DuckDBResult *result))                                                 \
  F(int, prepare, (DuckDBHandle connection, const char *sql, DuckDBHandle *_Nonnull statement))   \
  F(const char *_Nullable, prepare_error, (DuckDBHandle statement))                               \
  F(void, destroy_prepare, (DuckDBHandle *_Nonnull statement))                                    \
  F(int, bind_int64, (DuckDBHandle statement, uint64_t index, int64_t value))                     \
  F(int, bind_double, (DuckDBHandle statement, uint64_t index, double value))                     \
  F(int, bind_value, (DuckDBHandle statement, uint64_t index, DuckDBHandle value))                \
  F(DuckDBHandle, create_uuid, (DuckDBWide value))                                                \
  F(void, destroy_value, (DuckDBHandle *_Nonnull value))                                          \
  F(int, execute_prepared, (DuckDBHandle statement, DuckDBResult *result))                        \
  F(DuckDBHandle, fetch_chunk, (DuckDBResult result))                                             \
  F(uint64_t, data_chunk_get_size, (DuckDBHandle chunk))                                          \
  F(DuckDBHandle, data_chunk_get_vector, (DuckDBHandle chunk, uint64_t column))                   \
  F(void *_Nullable, vector_get_data, (DuckDBHandle vector))                                      \
  F(uint64_t *_Nullable, vector_get_validity, (DuckDBHandle vector))                              \
  F(void, destroy_data_chunk, (DuckDBHandle *_Nonnull chunk))                                     \
  F(DuckDBHandle, create_logical_type, (int type))                                                \
  F(void, destroy_logical_type, (DuckDBHandle *_Nonnull type))                                    \
  F(DuckDBHandle, create_data_chunk, (DuckDBHandle *_Nonnull types, uint64_t count))              \
  F(void, data_chunk_reset, (DuckDBHandle chunk))                                                 \
  F(void, data_chunk_set_size, (DuckDBHandle chunk, uint64_t size))                               \
  F(uint64_t, vector_size, (void))                                                                \
  F(void, vector_ensure_validity_writable, (DuckDBHandle vector))                                 \
  F(void, validity_set_row_invalid, (uint64_t *validity, uint64_t row))                           \
  F(void, vector_assign_string_element_len,                                                       \
    (DuckDBHandle vector, uint64_t row, const char *text, uint64_t length))                       \
  F(int, appender_create,                                                                         \
    (DuckDBHandle connection, const char *_Nullable schema, const char *table,                    \
     DuckDBHandle *_Nonnull appender))                                                            \
  F(int, append_data_chunk, (DuckDBHandle appender, DuckDBHandle chunk))                          \
  F(int, appender_flush, (DuckDBHandle appender))                                                 \
  F(const char *_Nullable, appender_error, (DuckDBHandle appender))                               \
  F(int, appender_destroy, (DuckDBHandle *_Nonnull appender))

typedef struct {
#define F(result, name, parameters) result (*_Nonnull name) parameters;
  DUCKDB_FUNCTIONS(F)
#undef F
} DuckDBFunctions;

/* Loads a library. Returns NULL and the reason if that fails. To be called once.
 * `python` is loaded before it: the module of the Python wheel uses symbols of Python's. */
const DuckDBFunctions *_Nullable duckdb_functions_load(
  const char *library, const char *_Nullable python, const char *_Nullable *_Nonnull reason);

#pragma clang assume_nonnull end

#endif
