// Platform functions that Swift cannot call directly: hardware CRC-32C, preallocation,
// open-file-description locks and secure randomness.
#ifndef CPLATFORM_H
#define CPLATFORM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/// Returns the CRC-32C (Castagnoli) of `count` bytes, continuing from `crc` (0 to begin).
uint32_t cplatform_crc32c(uint32_t crc, const void *bytes, size_t count);

/// Reserves disk space for [0, length) without changing the file's length or contents.
/// Returns 0 or an errno value: EOPNOTSUPP if the file system does not support it.
int cplatform_preallocate(int fd, int64_t length);

/// Returns the first offset at or after `offset` that is not in a hole, or the file's length if
/// only holes follow; -1 if this cannot be determined. Moves the file offset of the descriptor.
int64_t cplatform_next_data(int fd, int64_t offset);

/// Makes the data of `fd` durable. Returns 0 or an errno value.
int cplatform_sync_data(int fd);

/// Takes an exclusive lock on the whole file, which is released with the open file description.
/// Returns 0, EWOULDBLOCK if another description holds the lock, or another errno value.
int cplatform_try_lock(int fd);

/// Releases a lock, including for duplicates of the descriptor that a forked process still has
/// open.
void cplatform_unlock(int fd);

/// Requests large pages for `bytes`, which make random access much faster; may have no effect.
void cplatform_advise_large_pages(void *bytes, size_t count);

/// Returns freed memory to the operating system, if the C library supports it.
void cplatform_release_free_memory(void);

/// Reads like pread, but only from the page cache.
///
/// Returns -1 if some of the bytes are not cached, or if the system does not support such reads.
int64_t cplatform_read_cached(int fd, void *bytes, size_t count, int64_t offset);

/// The remaining budget of a thread for a call that it attempts inline; see `InlineWork`.
typedef struct {
  int64_t rows, blocks, bytes;
  int32_t is_active, is_refused;
} cplatform_inline_work;

extern _Thread_local cplatform_inline_work cplatform_thread_inline_work;

/// Returns the calling thread's budget.
static inline cplatform_inline_work *cplatform_current_inline_work(void) {
  return &cplatform_thread_inline_work;
}

/// Returns a number that identifies the calling thread among the running threads.
uintptr_t cplatform_current_thread(void);

/// Compares bytes as unsigned numbers: negative, 0 or positive. If `count` is 0, reads neither
/// side.
static inline int cplatform_compare(const void *left, const void *right, size_t count) {
  return count == 0 ? 0 : memcmp(left, right, count);
}

/// Prefetches the cache line of an address, which need not be readable.
static inline void cplatform_prefetch(const void *address) { __builtin_prefetch(address); }

/// Returns a mask with a bit for each of the first 21 bytes that equals `byte`; 32 bytes must be
/// readable.
static inline uint32_t cplatform_match_21(const void *bytes, uint8_t byte) {
#if defined(__SSE2__)
  const __m128i *next = (const __m128i *)bytes, all = _mm_set1_epi8((char)byte);
  uint32_t low = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128(next), all));
  uint32_t high = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128(next + 1), all));
  return (low | high << 16) & 0x1FFFFF;
#else
  const uint8_t *next = (const uint8_t *)bytes;
  uint32_t mask = 0;
  for (int place = 0; place < 21; place++) mask |= (uint32_t)(next[place] == byte) << place;
  return mask;
#endif
}

/// Fills `count` bytes with cryptographically secure random ones. Returns 0 or an errno value.
int cplatform_random(void *bytes, size_t count);

#endif
