/* Counts what a program asks of malloc, by standing in front of it. Only the program that counts
 * links this: the counters cost a few nanoseconds a call. */
#include "allocations.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_uint_fast64_t count;
static atomic_uint_fast64_t bytes;

uint64_t allocations_count(void) { return atomic_load(&count); }

uint64_t allocations_bytes(void) { return atomic_load(&bytes); }

#if defined(__GLIBC__)
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static void note(size_t size) {
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
