// What the platform has and Swift cannot see: hardware CRC-32C, preallocation,
// open-file-description locks and secure randomness.
#ifndef CPLATFORM_H
#define CPLATFORM_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// CRC-32C (Castagnoli) of `count` bytes, continuing from `crc` (0 to begin).
uint32_t cplatform_crc32c(uint32_t crc, const void *bytes, size_t count);

/// Reserves disk space for [0, length) without changing what a reader sees.
/// Returns 0, or an errno value; EOPNOTSUPP where the file system cannot.
int cplatform_preallocate(int fd, int64_t length);

/// Makes the data of `fd` durable. Returns 0 or an errno value.
int cplatform_sync_data(int fd);

/// Takes an exclusive lock on the whole file that dies with the open file description.
/// Returns 0, EWOULDBLOCK when somebody holds it, or another errno value.
int cplatform_try_lock(int fd);

/// Gives a lock up, also for descriptors of it that a forked process has not closed yet.
void cplatform_unlock(int fd);

/// Fills `count` bytes with unpredictable ones. Returns 0 or an errno value.
int cplatform_random(void *bytes, size_t count);

#endif
