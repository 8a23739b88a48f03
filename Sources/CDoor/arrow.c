// Arrow's C stream interface: https://arrow.apache.org/docs/format/CStreamInterface.html
#ifdef DOOR

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "process.h"
#include "swift.h"

/// The private data of a column's array. A consumer may move the array out of its batch.
typedef struct {
  const void *buffers[3];
  void *owner;
  struct ArrowArray dictionary;
} column_data;

static void column_release(struct ArrowArray *array) {
  column_data *data = array->private_data;
  if (data->dictionary.release) data->dictionary.release(&data->dictionary);
  // A forked child must not run code that may wait for threads it does not have.
  if (data->owner && !door_is_forked()) door_owner_release(data->owner);
  free(data);
  array->release = NULL;
}

/// Creates the array of a column. Consumes the reference to the owner, even on failure.
static bool column_make(const door_array *source, struct ArrowArray *out) {
  column_data *data = calloc(1, sizeof *data);
  if (!data) {
    if (source->owner) door_owner_release(source->owner);
    return false;
  }
  memcpy(data->buffers, source->buffers, sizeof data->buffers);
  data->owner = source->owner;
  *out = (struct ArrowArray){
      .length = source->length, .null_count = source->null_count,
      .n_buffers = source->buffer_count, .buffers = data->buffers, .release = column_release,
      .private_data = data};
  return true;
}

/// The private data of a batch's array.
typedef struct {
  const void *buffers[1];
  struct ArrowArray *children[DOOR_COLUMN_LIMIT];
  struct ArrowArray storage[DOOR_COLUMN_LIMIT];
} batch_data;

static void batch_release(struct ArrowArray *array) {
  for (int64_t i = 0; i < array->n_children; i++) {
    if (array->children[i]->release) array->children[i]->release(array->children[i]);
  }
  free(array->private_data);
  array->release = NULL;
}

static int batch_make(const door_arrow_batch *batch, struct ArrowArray *out) {
  batch_data *data = calloc(1, sizeof *data);
  bool is_made = data != NULL;
  for (int32_t i = 0; i < batch->column_count; i++) {
    struct ArrowArray unused = {0}, *child = data ? &data->storage[i] : &unused;
    bool has_column = column_make(&batch->columns[i], child);
    is_made = is_made && has_column;
    if (batch->dictionaries[i].length >= 0) {
      struct ArrowArray dictionary = {0};
      bool has_dictionary = column_make(&batch->dictionaries[i], &dictionary);
      is_made = is_made && has_dictionary;
      if (has_column && has_dictionary) {
        column_data *owner = child->private_data;
        owner->dictionary = dictionary;
        child->dictionary = &owner->dictionary;
      } else if (has_dictionary) {
        dictionary.release(&dictionary);
      }
    }
    if (data) data->children[i] = child;
    else if (has_column) child->release(child);
  }
  if (!data) return ENOMEM;
  *out = (struct ArrowArray){
      .length = batch->length, .n_buffers = 1, .n_children = batch->column_count,
      .buffers = data->buffers, .children = data->children, .release = batch_release,
      .private_data = data};
  if (is_made) return 0;
  out->release(out);
  return ENOMEM;
}

/// The private data of a schema.
typedef struct {
  struct ArrowSchema *children[DOOR_COLUMN_LIMIT];
  char *texts[3];
  struct ArrowSchema dictionary;
} schema_data;

static void schema_release(struct ArrowSchema *schema) {
  schema_data *data = schema->private_data;
  for (int64_t i = 0; i < schema->n_children; i++) {
    struct ArrowSchema *child = schema->children[i];
    if (!child) continue;
    if (child->release) child->release(child);
    free(child);
  }
  if (data->dictionary.release) data->dictionary.release(&data->dictionary);
  for (int i = 0; i < 3; i++) free(data->texts[i]);
  free(data);
  schema->release = NULL;
}

static bool schema_make(const char *name, const char *format, struct ArrowSchema *out) {
  schema_data *data = calloc(1, sizeof *data);
  if (!data) return false;
  data->texts[0] = strdup(name);
  data->texts[1] = strdup(format);
  *out = (struct ArrowSchema){
      .format = data->texts[1], .name = data->texts[0], .flags = ARROW_FLAG_NULLABLE,
      .children = data->children, .release = schema_release, .private_data = data};
  if (data->texts[0] && data->texts[1]) return true;
  schema_release(out);
  return false;
}

static bool field_make(const door_field *field, struct ArrowSchema *out) {
  if (!schema_make(field->name, field->format, out)) return false;
  if (!field->dictionary_format) return true;
  schema_data *data = out->private_data;
  if (!schema_make("", field->dictionary_format, &data->dictionary)) {
    out->release(out);
    return false;
  }
  out->dictionary = &data->dictionary;
  return true;
}

typedef struct {
  void *swift;
  char *error;
} stream_data;

static int fail(stream_data *data, char *message, int code) {
  free(data->error);
  data->error = message;
  return code;
}

static int stream_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
  stream_data *data = stream->private_data;
  if (door_is_forked()) return fail(data, strdup(DOOR_FORKED), EINVAL);
  if (!schema_make("", "+s", out)) return fail(data, NULL, ENOMEM);
  schema_data *root = out->private_data;
  int32_t count = door_stream_field_count(data->swift);
  for (int32_t i = 0; i < count; i++) {
    door_field field;
    door_stream_field(data->swift, i, &field);
    root->children[i] = calloc(1, sizeof(struct ArrowSchema));
    out->n_children = i + 1;
    if (!root->children[i] || !field_make(&field, root->children[i])) {
      out->release(out);
      return fail(data, NULL, ENOMEM);
    }
  }
  return 0;
}

static int stream_next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
  stream_data *data = stream->private_data;
  memset(out, 0, sizeof *out);
  if (door_is_forked()) return fail(data, strdup(DOOR_FORKED), EINVAL);
  door_arrow_batch batch;
  char *message = door_stream_next(data->swift, &batch);
  if (message) return fail(data, message, EIO);
  return batch.length == 0 ? 0 : batch_make(&batch, out);
}

static const char *stream_error(struct ArrowArrayStream *stream) {
  return ((stream_data *)stream->private_data)->error;
}

static void stream_release(struct ArrowArrayStream *stream) {
  stream_data *data = stream->private_data;
  if (!door_is_forked()) door_stream_free(data->swift);
  free(data->error);
  free(data);
  stream->release = NULL;
}

// The exported functions. An error is a message that the caller frees with healthstore_free.

char *healthstore_open(const char *path, void **store);
void healthstore_close(void *store);
char *healthstore_stream(void *store, const char *query, struct ArrowArrayStream *out);
struct ArrowArrayStream *healthstore_stream_allocate(void);
void healthstore_capsule_free(void *capsule);
void healthstore_free(void *memory);

/// Opens the store in a directory for reading. Returns NULL, or an error message.
char *healthstore_open(const char *path, void **store) {
  if (door_is_forked()) return strdup(DOOR_FORKED);
  return door_store_open(path, store);
}

/// Closes a store; streams opened from it remain readable.
void healthstore_close(void *store) {
  if (!door_is_forked()) door_store_close(store);
}

/// Initialises a stream of the rows that a JSON query selects. Returns NULL, or an error message.
char *healthstore_stream(void *store, const char *query, struct ArrowArrayStream *out) {
  memset(out, 0, sizeof *out);
  if (door_is_forked()) return strdup(DOOR_FORKED);
  stream_data *data = calloc(1, sizeof *data);
  if (!data) return strdup("Out of memory.");
  char *message = door_stream_open(store, query, &data->swift);
  if (message) {
    free(data);
    return message;
  }
  *out = (struct ArrowArrayStream){
      stream_schema, stream_next, stream_error, stream_release, data};
  return NULL;
}

/// Allocates a zeroed stream, which healthstore_capsule_free frees, or returns NULL.
struct ArrowArrayStream *healthstore_stream_allocate(void) {
  return calloc(1, sizeof(struct ArrowArrayStream));
}

/// The destructor of a Python capsule that holds a stream. A consumer that moved the stream out has
/// set its release function to NULL.
void healthstore_capsule_free(void *capsule) {
  // The library does not link against Python; the process that created the capsule has loaded it.
  void *(*pointer)(void *, const char *);
  *(void **)&pointer = dlsym(RTLD_DEFAULT, "PyCapsule_GetPointer");
  struct ArrowArrayStream *stream = pointer ? pointer(capsule, "arrow_array_stream") : NULL;
  if (!stream) return;
  if (stream->release) stream->release(stream);
  free(stream);
}

void healthstore_free(void *memory) { free(memory); }

#endif
