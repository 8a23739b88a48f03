// The data types shared by the C code, which SQLite and Arrow consumers call, and the Swift code,
// which reads stores.
//
// Rows are exchanged in column-oriented batches. Most columns of samples point into a decoded
// block, so values are copied only when SQLite reads them.
#ifndef CDOOR_H
#define CDOOR_H

#include <stdbool.h>
#include <stdint.h>

/// A borrowed UTF-8 string that need not be null-terminated; `bytes` is NULL for SQL NULL.
typedef struct {
  const char *bytes;
  int64_t count;
} door_text;

enum {
  /// No cells; every value is NULL.
  DOOR_NONE,
  /// double; NaN is NULL.
  DOOR_REAL,
  /// double, in seconds since 2001-01-01 00:00 UTC; shown as seconds since 1970.
  DOOR_DATE,
  /// int64_t; DOOR_NO_INTEGER is NULL.
  DOOR_INTEGER,
  /// uint32_t; door_cursor_symbol returns its text.
  DOOR_SYMBOL,
  /// door_text.
  DOOR_TEXT,
  /// No cells; door_cursor_computed returns the text of a row.
  DOOR_COMPUTED,
};

/// The number of seconds from 1970-01-01 00:00 UTC to 2001-01-01 00:00 UTC.
#define DOOR_EPOCH 978307200.0

/// The integer that represents NULL.
static const int64_t DOOR_NO_INTEGER = INT64_MIN;

typedef struct {
  const void *cells;
  uint8_t kind;
  /// Whether the first cell is the value of all rows.
  bool is_constant;
} door_column;

#define DOOR_COLUMN_LIMIT 24

/// Consecutive rows of a cursor. The memory is valid until the next batch is fetched.
typedef struct {
  int64_t count;
  /// The index of each row's cells in the columns, or NULL for 0 ..< count.
  const int32_t *rows;
  /// The row identifiers, or NULL to derive them from the cells.
  const int64_t *identifiers;
  door_column columns[DOOR_COLUMN_LIMIT];
} door_batch;

enum { DOOR_NULL, DOOR_INT, DOOR_DOUBLE, DOOR_STRING, DOOR_BLOB, DOOR_UNKNOWN };

/// An SQL value.
typedef struct {
  uint8_t kind;
  int64_t integer;
  double real;
  door_text text;
} door_value;

enum { DOOR_EQ, DOOR_LT, DOOR_LE, DOOR_GT, DOOR_GE };

/// A constraint `column operation value`. Several values are the list of an IN constraint.
typedef struct {
  int32_t column;
  uint8_t operation;
  const door_value *values;
  int64_t count;
} door_constraint;

/// A constraint that SQLite offers to the query planner, and the planner's decision.
typedef struct {
  int32_t column;
  uint8_t operation;
  /// Whether the comparison ignores case.
  bool ignores_case;
  /// Whether the value is available in this plan; it is not if it depends on a table read later.
  bool is_usable;
  /// Whether this is an IN constraint.
  bool is_list;
  door_value value;
  /// The decision: whether the cursor applies the constraint, and whether it does so exactly.
  bool is_used;
  bool is_exact;
} door_term;

/// A term of the query's ORDER BY clause.
typedef struct {
  int32_t column;
  bool is_descending;
} door_order;

typedef struct {
  door_term *terms;
  int32_t term_count;
  const door_order *order;
  int32_t order_count;
  uint64_t columns;
  /// The planner's results: the estimated row count and cost, and the properties of the plan.
  double rows;
  double cost;
  bool is_unique;
  /// Whether a required argument depends on a table that is read later.
  bool is_impossible;
  /// The order of the rows: 0 if unspecified; 1 for ascending, 2 for descending, as requested.
  int32_t ordering;
} door_plan;

// The structs of the Arrow C data and C stream interfaces, copied from the specification.
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
  const char *format;
  const char *name;
  const char *metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema **children;
  struct ArrowSchema *dictionary;
  void (*release)(struct ArrowSchema *);
  void *private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void **buffers;
  struct ArrowArray **children;
  struct ArrowArray *dictionary;
  void (*release)(struct ArrowArray *);
  void *private_data;
};
#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
  int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
  const char *(*get_last_error)(struct ArrowArrayStream *);
  void (*release)(struct ArrowArrayStream *);
  void *private_data;
};
#endif

/// A column of a stream; formats are format strings of Arrow's C data interface.
typedef struct {
  const char *name;
  const char *format;
  /// The format of the dictionary's values, or NULL if the column has no dictionary.
  const char *dictionary_format;
} door_field;

/// The cells of a column, or the values of its dictionary.
typedef struct {
  int64_t length;
  int64_t null_count;
  int32_t buffer_count;
  const void *buffers[3];
  /// A strong reference to the owner of the buffers. door_owner_release releases it, on any thread.
  void *owner;
} door_array;

/// A batch of rows of a stream. If the length is 0, the columns are uninitialised.
typedef struct {
  int64_t length;
  int32_t column_count;
  door_array columns[DOOR_COLUMN_LIMIT];
  /// The dictionaries of the columns; the length is negative if a column has none.
  door_array dictionaries[DOOR_COLUMN_LIMIT];
} door_arrow_batch;

#endif
