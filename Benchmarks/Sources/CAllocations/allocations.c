/* Counts what a program asks of malloc, by standing in front of it. */
#include "allocations.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_int is_counting;
static atomic_uint_fast64_t count;
static atomic_uint_fast64_t bytes;

void allocations_begin(void) { atomic_store(&is_counting, 1); }

void allocations_end(void) { atomic_store(&is_counting, 0); }

uint64_t allocations_count(void) { return atomic_load(&count); }

uint64_t allocations_bytes(void) { return atomic_load(&bytes); }

#if defined(__GLIBC__)
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static void note(size_t size) {
  /* The counters cost a few nanoseconds a call, which only programs that count pay. */
  if (!atomic_load_explicit(&is_counting, memory_order_relaxed)) return;
  atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&bytes, size, memory_order_relaxed);
}

void *malloc(size_t size) {
  note(size);
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  note(number * size);
  return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
  note(size);
  return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
  note(size);
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  note(size);
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  note(size);
  *result = __libc_memalign(alignment, size);
  return *result == NULL ? 12 : 0;
}
#endif

/* The store's own counter. */
extern void samplelog_count_decoded_values(void);
extern uint64_t samplelog_decoded_values(void);

void decoded_values_begin(void) { samplelog_count_decoded_values(); }

uint64_t decoded_values(void) { return samplelog_decoded_values(); }
