// The interface between SQLite and Arrow, which call C, and the Swift code that reads stores.
//
// Rows arrive in batches of columns. Most columns of samples are the memory of a decoded block, so
// that a query copies nothing that SQLite does not ask for.
#ifndef CDOOR_H
#define CDOOR_H

#include <stdbool.h>
#include <stdint.h>

/// A text that the callee owns, or NULL.
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
  /// uint32_t, whose text door_symbol returns.
  DOOR_SYMBOL,
  /// door_text.
  DOOR_TEXT,
  /// No cells; door_computed returns the text of a row.
  DOOR_COMPUTED,
};

/// The seconds from 1970-01-01 to 2001-01-01 00:00 UTC.
#define DOOR_EPOCH 978307200.0

/// An integer that stands for NULL.
static const int64_t DOOR_NO_INTEGER = INT64_MIN;

typedef struct {
  const void *cells;
  uint8_t kind;
  /// Whether all rows share the first cell.
  bool is_constant;
} door_column;

#define DOOR_COLUMN_LIMIT 24

/// Consecutive rows of a cursor; the memory is valid until the next batch.
typedef struct {
  int64_t count;
  /// The position of each row's cells, or NULL if they are at 0 ..< count.
  const int32_t *rows;
  /// The row identifiers, or NULL for those that depend on the cells.
  const int64_t *identifiers;
  door_column columns[DOOR_COLUMN_LIMIT];
} door_batch;

enum { DOOR_NULL, DOOR_INT, DOOR_DOUBLE, DOOR_STRING, DOOR_BLOB, DOOR_UNKNOWN };

/// A value of SQL.
typedef struct {
  uint8_t kind;
  int64_t integer;
  double real;
  door_text text;
} door_value;

enum { DOOR_EQ, DOOR_LT, DOOR_LE, DOOR_GT, DOOR_GE };

/// A condition `column operation value`; several values are alternatives.
typedef struct {
  int32_t column;
  uint8_t operation;
  const door_value *values;
  int64_t count;
} door_constraint;

/// A condition that SQLite offers to a plan, and the plan's answer.
typedef struct {
  int32_t column;
  uint8_t operation;
  /// Whether the comparison ignores case.
  bool ignores_case;
  /// Whether the value is known before other tables are read.
  bool is_usable;
  /// Whether the values are a list.
  bool is_list;
  door_value value;
  /// The answer: whether the cursor applies the condition, and whether it does so exactly.
  bool is_used;
  bool is_exact;
} door_term;

/// The order of rows by which SQLite would like to receive them.
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
  /// The answer.
  double rows;
  double cost;
  bool is_unique;
  /// Whether the plan lacks an argument that another table must supply first.
  bool is_impossible;
  /// 0, or 1 and 2 if rows come in ascending or descending order as asked.
  int32_t ordering;
} door_plan;

// The structs of the Arrow C data and C stream interfaces, as their specification has them.
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

/// A column of a stream, in the formats of Arrow's C data interface.
typedef struct {
  const char *name;
  const char *format;
  /// The format of the dictionary's values, or NULL if there is no dictionary.
  const char *dictionary_format;
} door_field;

/// The cells of a column, or the values of its dictionary.
typedef struct {
  int64_t length;
  int64_t null_count;
  int32_t buffer_count;
  const void *buffers[3];
  /// A reference to the owner of the buffers, which door_owner_release drops on any thread.
  void *owner;
} door_array;

/// Rows of a stream. The columns of a batch without rows are not set.
typedef struct {
  int64_t length;
  int32_t column_count;
  door_array columns[DOOR_COLUMN_LIMIT];
  /// A dictionary's length is negative if the column has none.
  door_array dictionaries[DOOR_COLUMN_LIMIT];
} door_arrow_batch;

#endif
