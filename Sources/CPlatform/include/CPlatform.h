// What the platform has and Swift cannot see: hardware CRC-32C, preallocation,
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

/// CRC-32C (Castagnoli) of `count` bytes, continuing from `crc` (0 to begin).
uint32_t cplatform_crc32c(uint32_t crc, const void *bytes, size_t count);

/// Reserves disk space for [0, length) without changing what a reader sees.
/// Returns 0, or an errno value; EOPNOTSUPP where the file system cannot.
int cplatform_preallocate(int fd, int64_t length);

/// Returns the first offset at or behind `offset` that is not in a hole, which is the file's length
/// when only holes follow; -1 where that cannot be told. Moves the descriptor's cursor.
int64_t cplatform_next_data(int fd, int64_t offset);

/// Makes the data of `fd` durable. Returns 0 or an errno value.
int cplatform_sync_data(int fd);

/// Takes an exclusive lock on the whole file that dies with the open file description.
/// Returns 0, EWOULDBLOCK when somebody holds it, or another errno value.
int cplatform_try_lock(int fd);

/// Gives a lock up, also for descriptors of it that a forked process has not closed yet.
void cplatform_unlock(int fd);

/// Asks for large pages behind `bytes`, which random access is much faster in; may do nothing.
void cplatform_advise_large_pages(void *bytes, size_t count);

/// Gives memory that has been freed back to the system, if the C library can.
void cplatform_release_free_memory(void);

/// A number that tells the running thread from all others.
uintptr_t cplatform_current_thread(void);

/// Compares bytes as unsigned numbers: negative, 0 or positive. Of none, neither side is read.
static inline int cplatform_compare(const void *left, const void *right, size_t count) {
  return count == 0 ? 0 : memcmp(left, right, count);
}

/// Brings the cache line of an address, which need not be readable.
static inline void cplatform_prefetch(const void *address) { __builtin_prefetch(address); }

/// A bit for each of 21 bytes that equals `byte`; 32 bytes must be readable.
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

/// Fills `count` bytes with unpredictable ones. Returns 0 or an errno value.
int cplatform_random(void *bytes, size_t count);

#endif
